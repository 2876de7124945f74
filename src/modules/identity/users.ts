import { randomBytes } from 'node:crypto';
import type { Database } from '../../kernel/database/database.ts';
import { isDuplicate } from '../../kernel/database/faults.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { type Events, eventKind } from '../../kernel/events.ts';
import { failure } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/time.ts';
import type { PasswordHasher } from './passwords.ts';
import type { User, UserStore } from './users.store.ts';

export const emailTaken = failure(409, 'EMAIL_TAKEN', 'A user with this email already exists');
export const authenticationFailed = failure(
  401,
  'AUTHENTICATION_FAILED',
  'External Backoffice authentication failed',
);
export const accountInactive = failure(403, 'ACCOUNT_INACTIVE', 'Account is inactive', {
  platformAccess: true,
});

/** A member came to be. */
const userSignedUp = eventKind<{ userId: ObjectId; email: string; firstName: string }>(
  'identity.user-signed-up',
);

export interface NewUser {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
  permissions?: string[];
}

interface UserNeeds {
  store: UserStore;
  hasher: PasswordHasher;
  database: Database;
  events: Events;
  clock: Clock;
  newId: NewId;
}

/** The one form of an e-mail address that is stored and compared. */
export const canonicalEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();

export function userRules({ store, hasher, database, events, clock, newId }: UserNeeds) {
  /** The part before the @, and something random behind it where that is taken. */
  async function freeUsername(email: string): Promise<string> {
    const base = (email.split('@', 1)[0] as string).replace(/[^a-z0-9._-]/g, '').slice(0, 40) || 'member';
    return (await store.isUsernameTaken(base)) ? `${base}-${randomBytes(4).toString('hex')}` : base;
  }

  return {
    /**
     * Makes an account with a password. `also` runs in the same transaction, for what must come with it.
     * @throws emailTaken
     */
    async create<T>(draft: NewUser, also: (tx: Transaction, user: User) => Promise<T>): Promise<T> {
      const email = canonicalEmail(draft.email);
      if (await store.findByEmail(email)) throw emailTaken();
      const hash = await hasher.hash(draft.password);
      const now = new Date(clock.now());
      const user: User = {
        id: newId(),
        email,
        username: await freeUsername(email),
        firstName: draft.firstName.trim(),
        lastName: draft.lastName.trim(),
        customerId: null,
        permissions: draft.permissions ?? [],
        isActive: true,
        createdAt: now,
        updatedAt: now,
      };
      try {
        return await database.transaction(async (tx) => {
          await store.insert(tx, user);
          await store.insertPassword(tx, user.id, hash, now);
          await events.publish(tx, userSignedUp, { userId: user.id, email, firstName: user.firstName });
          return also(tx, user);
        });
      } catch (error) {
        // Two sign-ups at once: the other one was first.
        if (isDuplicate(error, 'user_email_key')) throw emailTaken();
        throw error;
      }
    },
    /**
     * The account of whoever knows e-mail and password.
     * @throws authenticationFailed alike for an unknown e-mail and a wrong password, after as long a time
     * @throws accountInactive
     */
    async authenticate(email: string, password: string): Promise<User> {
      const user = await store.findByEmail(canonicalEmail(email));
      const hash = user && (await store.passwordHash(user.id));
      if (!(await hasher.verify(hash, password)) || !user) throw authenticationFailed();
      if (!user.isActive) throw accountInactive();
      return user;
    },
  };
}

export type UserRules = ReturnType<typeof userRules>;
