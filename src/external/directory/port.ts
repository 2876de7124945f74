import type { Transaction } from '../../kernel/database/queries.ts';
import { failure } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';

export const authenticationFailed = failure(
  401,
  'AUTHENTICATION_FAILED',
  'External Backoffice authentication failed',
);
export const emailTaken = failure(409, 'EMAIL_TAKEN', 'A user with this email already exists');

/** A product that a customer bought, under the backoffice's field names. */
export interface Product {
  sku: string;
  product_name: string;
  /** An ISO 8601 date or datetime; any other value grants nothing. */
  last_purchased_date: string | null;
}

/** A customer as recorded in the directory. */
export interface Customer {
  email: string;
  firstName: string;
  lastName: string;
  /** The directory's own id, where it has one. */
  customerId: string | null;
  products: Product[];
}

/** A customer authenticated by tokens of the directory. */
export interface Vouched {
  customer: Customer;
  /** The session of the tokens, when our own database is the directory. */
  sessionId?: ObjectId;
}

export interface NewCustomer {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
}

/** The remaining work, done in the caller's transaction. */
export type Enrolment = (tx: Transaction, userId: ObjectId) => Promise<void>;

/**
 * The directory that checks passwords and lists purchases. E-mails are canonical. Every function may throw 503 when the
 * directory is unreachable.
 */
export interface CustomerDirectory {
  /** @throws authenticationFailed both for an unknown e-mail and for a wrong password */
  authenticate(email: string, password: string): Promise<Customer>;
  /** Returns the customer's products; none for an unknown e-mail. */
  products(email: string): Promise<Product[]>;
  /**
   * Registers the customer with the directory; the enrolment records the customer here.
   * @throws emailTaken
   */
  register(customer: NewCustomer): Promise<{ customerId: string | null; enrol: Enrolment }>;
  /**
   * Prepares a new password, regardless of the old one; it takes effect only once the enrolment is done. The slow part
   * happens here, so that callers can check a code between the two steps.
   */
  preparePassword(email: string, password: string): Promise<Enrolment>;
  /** Returns the customer of these tokens of the directory; undefined when they are invalid. For single sign-on. */
  customerOf(tokens: { accessToken: string; refreshToken: string }): Promise<Vouched | undefined>;
}
