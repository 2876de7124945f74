import type { Transaction } from '../../kernel/database/queries.ts';
import { failure } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';

export const authenticationFailed = failure(
  401,
  'AUTHENTICATION_FAILED',
  'External Backoffice authentication failed',
);
export const emailTaken = failure(409, 'EMAIL_TAKEN', 'A user with this email already exists');

/** What a customer has bought, in the backoffice's own words (part 1, Platform and SKU records). */
export interface Product {
  sku: string;
  product_name: string;
  /** An ISO 8601 date or datetime; whatever else stands here grants nothing. */
  last_purchased_date: string | null;
}

/** Somebody whom the directory knows, as it knows them. */
export interface Customer {
  email: string;
  firstName: string;
  lastName: string;
  /** The directory's own id, where it has one. */
  customerId: string | null;
  products: Product[];
}

/** A customer for whom tokens of the directory vouch. */
export interface Vouched {
  customer: Customer;
  /** Of our own sessions the one that the tokens belong to, where the directory is ours. */
  sessionId?: ObjectId;
}

export interface NewCustomer {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
}

/** What remains to be done, in the transaction of whoever asked. */
export type Enrolment = (tx: Transaction, userId: ObjectId) => Promise<void>;

/**
 * Who checks passwords and tells what somebody has bought. E-mails are canonical. Every function may throw 503 when
 * the directory can't be reached.
 */
export interface CustomerDirectory {
  /** @throws authenticationFailed for an unknown e-mail and a wrong password alike */
  authenticate(email: string, password: string): Promise<Customer>;
  /** What the customer has bought; nothing for an unknown e-mail. */
  products(email: string): Promise<Product[]>;
  /** Makes the customer known to the directory; the enrolment, to us. @throws emailTaken */
  register(customer: NewCustomer): Promise<{ customerId: string | null; enrol: Enrolment }>;
  /**
   * Prepares a new password, whatever the old one was; it holds, anywhere, only once the enrolment is done. What takes long is done
   * here, so that whoever must first check a code may do so between the two.
   */
  preparePassword(email: string, password: string): Promise<Enrolment>;
  /** Whom these tokens of the directory vouch for; undefined when they are invalid. For single sign-on. */
  customerOf(tokens: { accessToken: string; refreshToken: string }): Promise<Vouched | undefined>;
}
