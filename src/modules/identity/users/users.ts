import { randomBytes } from 'node:crypto';
import {
  authenticationFailed,
  type Customer,
  type CustomerDirectory,
  emailTaken,
  type NewCustomer,
  type Vouched,
} from '../../../external/directory/port.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { isDuplicate } from '../../../kernel/database/faults.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { failure } from '../../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../../kernel/ids.ts';
import type { Events } from '../../../kernel/messaging/events.ts';
import { accountInactive } from '../../../kernel/operations/access.ts';
import { canonicalAddress } from '../../../kernel/text/email-address.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import { type AccountDraft, userChanged, usernameTaken, userSignedUp } from '../contract.ts';
import type { ClientPlatform } from '../platforms/platforms.model.ts';
import { hasPlatformAccess, noPlatformAccess, requiresPurchase } from '../platforms/sku-access.ts';
import { welcomeMail } from '../requested-mails.schemas.ts';
import type { User } from './users.model.ts';
import { cardOf, type UserStore } from './users.store.ts';

export const customerIdTaken = failure(
  409,
  'CUSTOMER_ID_TAKEN',
  'A user with this customerId already exists',
);

/** A customer, with their account if it was read after the verification. */
interface VerifiedCustomer extends Vouched {
  account?: User | undefined;
}

/** Verifies a customer, and checks that they are the expected one. */
interface Verification {
  verify: () => Promise<VerifiedCustomer>;
  isExpected?: (customer: Customer, account: User | undefined) => boolean;
  /** Checks the further requirements of a sign-in to an active account; throws if they are not met. */
  check?: (account: User) => Promise<void>;
}

/** A member admitted to a platform, and the session by which single sign-on authenticated them, if any. */
interface Admitted {
  user: User;
  parentSessionId: ObjectId | undefined;
}

/** The checks of verified addresses that accounts need. */
interface Verifying {
  /** Mails the owner of a new account a code and a link. */
  issue: (tx: Transaction, user: User) => Promise<void>;
  /** @throws emailNotVerified where signing in takes a verified address */
  mustBeVerifiedToSignIn: (user: User) => Promise<void>;
}

interface UserDeps {
  store: UserStore;
  directory: CustomerDirectory;
  database: Database;
  events: Events;
  clock: Clock;
  newId: NewId;
  verification: Verifying;
}

/**
 * Returns the canonical form of an e-mail address, for storage and comparison; for an invalid one, an unmatchable form.
 */
export const canonicalEmail = (text: string): string =>
  canonicalAddress(text) ?? text.trim().normalize('NFC').toLowerCase();

/** Translates a unique violation, caused by a concurrent request, into its failure. */
export function translateDuplicate(error: unknown): unknown {
  if (isDuplicate(error, 'user_email_key')) return emailTaken();
  if (isDuplicate(error, 'user_username_key')) return usernameTaken();
  if (isDuplicate(error, 'user_customer_id_key')) return customerIdTaken();
  return error;
}

/** Returns the given names as they are stored, without spaces around them. */
export const storedNames = ({ firstName, lastName }: Partial<Pick<User, 'firstName' | 'lastName'>>) => ({
  ...(firstName === undefined ? {} : { firstName: firstName.trim() }),
  ...(lastName === undefined ? {} : { lastName: lastName.trim() }),
});

/** Returns the user of a new account. */
const newUser = (draft: AccountDraft, id: ObjectId, at: Date): User => ({
  id,
  email: draft.email,
  emailVerified: draft.emailVerified ?? false,
  username: draft.username ?? usernameOf(draft.email),
  firstName: draft.firstName.trim(),
  lastName: draft.lastName.trim(),
  customerId: draft.customerId ?? null,
  permissions: [...new Set(draft.permissions ?? [])],
  educator: {},
  isActive: true,
  timeZone: null,
  locale: null,
  usernameChanges: [],
  credentialVersion: 0,
  passwordVersion: 0,
  createdAt: at,
  updatedAt: at,
});

export function userRules(deps: UserDeps) {
  const { store, directory, database, events, clock, newId, verification } = deps;

  /** Inserts the user; varies a generated username that is taken. @throws usernameTaken if `isUsernameAsked` */
  async function insert(tx: Transaction, user: User, isUsernameRequested: boolean): Promise<User> {
    if (await store.insert(tx, user)) return user;
    if (isUsernameRequested) throw usernameTaken();
    const renamed = { ...user, username: `${user.username}-${randomBytes(4).toString('hex')}` };
    if (!(await store.insert(tx, renamed))) throw usernameTaken();
    return renamed;
  }

  /**
   * Creates an account. `first` and `also` run in the same transaction, before the row is inserted and after.
   * @throws emailTaken, usernameTaken, customerIdTaken
   */
  async function createAccount<T>(
    draft: AccountDraft,
    also: (tx: Transaction, user: User) => Promise<T>,
    first: (tx: Transaction) => Promise<void> = async () => undefined,
  ): Promise<T> {
    const email = canonicalEmail(draft.email);
    const drafted = newUser({ ...draft, email }, newId(), clock.date());
    try {
      return await database.transaction(async (tx) => {
        await first(tx);
        const user = await insert(tx, drafted, draft.username !== undefined);
        const data = { userId: user.id, email, firstName: user.firstName };
        await events.publish(tx, userSignedUp, { userId: user.id });
        await events.publish(tx, userChanged, cardOf(user));
        await events.publish(tx, welcomeMail, data);
        if (!user.emailVerified) await verification.issue(tx, user);
        return also(tx, user);
      });
    } catch (error) {
      throw translateDuplicate(error);
    }
  }

  /** Returns the account of a customer of the directory, if they have one here. */
  async function accountOf({ customerId, email }: Customer): Promise<User | undefined> {
    const existing = customerId === null ? undefined : await store.findByCustomerId(customerId);
    return existing ?? (await store.findByEmail(email));
  }

  const accountAfter = async ({ account, customer }: VerifiedCustomer) => account ?? accountOf(customer);

  /** Creates the account of a new customer; returns undefined if a concurrent request created it first. */
  async function makeAccount(customer: Customer): Promise<User | undefined> {
    try {
      return await createAccount(customer, async (_tx, user) => user);
    } catch (error) {
      const isTaken = emailTaken.is(error) || customerIdTaken.is(error);
      if (isTaken && (await accountOf(customer))) return undefined;
      throw error;
    }
  }

  /** @throws accountInactive, the failures of `check` */
  async function mustBeFine(account: User, check: Verification['check']): Promise<void> {
    if (!account.isActive) throw accountInactive();
    await check?.(account);
  }

  /**
   * Verifies a customer and returns their account, created if they are new. Its credential version is from before the
   * verification, so that opening the session detects later changes. If the account turns out to differ from `before`,
   * because the customer's e-mail in the directory is not that of the account, verifies the customer again.
   * @throws authenticationFailed, accountInactive, the failures of `check`, noPlatformAccess, in this order
   */
  async function admit(
    platform: ClientPlatform,
    before: User | undefined,
    { verify, isExpected = () => true, check }: Verification,
  ): Promise<Admitted> {
    const { customer, account, sessionId: parentSessionId } = await verify();
    const existing = await accountAfter({ customer, account });
    if (!isExpected(customer, existing)) throw authenticationFailed();
    if (existing) await mustBeFine(existing, check);
    if (!hasPlatformAccess(platform, customer.products, clock.now())) throw noPlatformAccess(platform);
    if (!existing) {
      // The account was deleted during the verification.
      if (before) throw authenticationFailed();
      const made = await makeAccount(customer);
      if (made) await mustBeFine(made, check);
      if (made) return { user: made, parentSessionId };
    } else if (existing.id === before?.id) {
      return { user: { ...existing, credentialVersion: before.credentialVersion }, parentSessionId };
    }
    return admit(platform, existing ?? (await accountOf(customer)), { verify, isExpected, check });
  }

  /** @throws noPlatformAccess */
  async function mustHaveAccess(email: string, platform: ClientPlatform): Promise<void> {
    if (!requiresPurchase(platform)) return;
    if (!hasPlatformAccess(platform, await directory.products(email), clock.now()))
      throw noPlatformAccess(platform);
  }

  return {
    createAccount,
    accountOf,
    admit,
    /**
     * Registers the customer in the directory and creates their account.
     * @throws emailTaken, noPlatformAccess: in both cases nothing is written anywhere
     */
    async signUp<T>(
      draft: NewCustomer,
      platform: ClientPlatform,
      also: (tx: Transaction, user: User) => Promise<T>,
    ): Promise<T> {
      const email = canonicalEmail(draft.email);
      if (await store.findByEmail(email)) throw emailTaken();
      await mustHaveAccess(email, platform);
      const { customerId, enrol } = await directory.register({ ...draft, email });
      return createAccount({ ...draft, customerId }, async (tx, user) => {
        await enrol(tx, user.id);
        await store.expectProof(tx, user.id);
        return also(tx, user);
      });
    },
    /**
     * Refuses an account that is inactive, not verified where signing in takes that, or without access to the platform.
     * @throws accountInactive, emailNotVerified, noPlatformAccess, in this order
     */
    async mustBeAdmitted(user: User, platform: ClientPlatform): Promise<void> {
      const { email, isActive } = user;
      if (!isActive) throw accountInactive();
      await verification.mustBeVerifiedToSignIn(user);
      await mustHaveAccess(email, platform);
    },
  };
}

/** Returns the local part of the address, reduced to the characters of a username. */
const usernameOf = (email: string): string =>
  (email.split('@', 1)[0] as string).replace(/[^a-z0-9._-]/g, '').slice(0, 40) || 'member';

export type UserRules = ReturnType<typeof userRules>;
