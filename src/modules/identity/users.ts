import { randomBytes } from 'node:crypto';
import {
  type Customer,
  type CustomerDirectory,
  emailTaken,
  type NewCustomer,
} from '../../external/directory/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import { isDuplicate } from '../../kernel/database/faults.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { type Events, eventKind } from '../../kernel/events.ts';
import { failure } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Platform } from './platforms.ts';
import { hasPlatformAccess, noPlatformAccess } from './sku-access.ts';
import type { Throttles } from './throttles.ts';
import type { User, UserStore } from './users.store.ts';

export const accountInactive = failure(403, 'ACCOUNT_INACTIVE', 'Account is inactive', {
  platformAccess: true,
});
export const usernameTaken = failure(409, 'USERNAME_TAKEN', 'A user with this username already exists');
export const customerIdTaken = failure(
  409,
  'CUSTOMER_ID_TAKEN',
  'A user with this customerId already exists',
);

/** A member came to be. */
export const userSignedUp = eventKind<{ userId: ObjectId; email: string; firstName: string }>(
  'identity.user-signed-up',
);

/** They are to be welcomed by mail. */
export const welcomeMail = eventKind<{ userId: ObjectId; email: string; firstName: string }>('email.welcome');

/** What an account starts with besides what the directory knows. */
export interface AccountDraft {
  email: string;
  firstName: string;
  lastName: string;
  username?: string;
  customerId?: string | null;
  permissions?: string[];
}

interface UserNeeds {
  store: UserStore;
  directory: CustomerDirectory;
  database: Database;
  events: Events;
  throttle: Throttles;
  /** Whether the owner of this e-mail has signed in from this network before. */
  isKnownThere: (email: string, network: string) => Promise<boolean>;
  clock: Clock;
  newId: NewId;
}

/** The one form of an e-mail address that is stored and compared. */
export const canonicalEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();

/** Two at once wanted the same: the other one was first. */
export function translateDuplicate(error: unknown): unknown {
  if (isDuplicate(error, 'user_email_key')) return emailTaken();
  if (isDuplicate(error, 'user_username_key')) return usernameTaken();
  if (isDuplicate(error, 'user_customer_id_key')) return customerIdTaken();
  return error;
}

export function userRules(needs: UserNeeds) {
  const { store, directory, database, events, throttle, isKnownThere, clock, newId } = needs;

  /** The part before the @, and something random behind it where that is taken. */
  async function freeUsername(email: string): Promise<string> {
    const base = (email.split('@', 1)[0] as string).replace(/[^a-z0-9._-]/g, '').slice(0, 40) || 'member';
    return (await store.isUsernameTaken(base)) ? `${base}-${randomBytes(4).toString('hex')}` : base;
  }

  /**
   * Makes an account. `also` runs in the same transaction, for what must come with it.
   * @throws emailTaken, usernameTaken, customerIdTaken
   */
  async function createAccount<T>(
    draft: AccountDraft,
    also: (tx: Transaction, user: User) => Promise<T>,
  ): Promise<T> {
    const email = canonicalEmail(draft.email);
    const now = new Date(clock.now());
    const user: User = {
      id: newId(),
      email,
      username: draft.username ?? (await freeUsername(email)),
      firstName: draft.firstName.trim(),
      lastName: draft.lastName.trim(),
      customerId: draft.customerId ?? null,
      permissions: [...new Set(draft.permissions ?? [])],
      educator: {},
      isActive: true,
      createdAt: now,
      updatedAt: now,
    };
    try {
      return await database.transaction(async (tx) => {
        await store.insert(tx, user);
        const data = { userId: user.id, email, firstName: user.firstName };
        await events.publish(tx, userSignedUp, data);
        await events.publish(tx, welcomeMail, data);
        return also(tx, user);
      });
    } catch (error) {
      throw translateDuplicate(error);
    }
  }

  /** The account of a customer whom the directory knows; made now if they come for the first time. */
  async function accountOf(customer: Customer): Promise<User> {
    const known =
      (customer.customerId === null ? undefined : await store.findByCustomerId(customer.customerId)) ??
      (await store.findByEmail(customer.email));
    return known ?? createAccount(customer, async (_tx, user) => user);
  }

  return {
    createAccount,
    /**
     * Makes the customer known to the directory and an account for them.
     * @throws emailTaken, noPlatformAccess: then nothing is written anywhere
     */
    async signUp<T>(
      draft: NewCustomer,
      platform: Platform,
      also: (tx: Transaction, user: User) => Promise<T>,
    ): Promise<T> {
      const email = canonicalEmail(draft.email);
      if (await store.findByEmail(email)) throw emailTaken();
      if (!hasPlatformAccess(platform, await directory.products(email), clock.now()))
        throw noPlatformAccess(platform);
      const { customerId, enrol } = await directory.register({ ...draft, email });
      return createAccount({ ...draft, customerId }, async (tx, user) => {
        await enrol(tx, user.id);
        return also(tx, user);
      });
    },
    /**
     * The account of whoever knows e-mail and password, if it may enter the platform.
     * @throws authenticationFailed, accountInactive, noPlatformAccess, in this order; 429 after many wrong passwords
     */
    async signIn(address: string, password: string, platform: Platform, from: string): Promise<User> {
      const email = canonicalEmail(address);
      const subjects = [
        { limit: 'signInFromAddress' as const, name: from },
        { limit: 'accountFromAddress' as const, name: `${email} ${from}` },
        // A crowd of strangers is slowed down together; the owner, coming from where they have been, is not.
        ...((await isKnownThere(email, from))
          ? []
          : [{ limit: 'accountFromStrangers' as const, name: email }]),
      ];
      const customer = await throttle.guard(subjects, () => directory.authenticate(email, password));
      const user = await accountOf(customer);
      if (!user.isActive) throw accountInactive();
      if (!hasPlatformAccess(platform, customer.products, clock.now())) throw noPlatformAccess(platform);
      return user;
    },
  };
}

export type UserRules = ReturnType<typeof userRules>;
