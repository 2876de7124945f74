import { type Static, Type } from 'typebox';
import type { Actor } from '../../kernel/audit.ts';
import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import { eventKind } from '../../kernel/events.ts';
import { failure, notFound } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';

/** How a member is addressed. */
export interface Contact {
  userId: ObjectId;
  email: string;
  firstName: string;
  lastName: string;
  isActive: boolean;
}

/** How a member is shown to others. */
export interface Profile {
  userId: ObjectId;
  firstName: string;
  lastName: string;
  avatar: string | null;
  rankBadgeUrl: string | null;
}

/** What an account starts with besides what the customer directory knows. */
export interface AccountDraft {
  email: string;
  firstName: string;
  lastName: string;
  username?: string;
  customerId?: string | null;
  permissions?: string[];
}

export interface NewAccount extends AccountDraft {
  password?: string;
}

/** What others may know of an account: what {@link userChanged} tells. */
export const MemberCard = Type.Object({
  userId: ObjectIdShape,
  username: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  permissions: Type.Array(Type.String()),
  isActive: Type.Boolean({ description: 'False also of a deleted account' }),
  isDeleted: Type.Boolean(),
  profile: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Pictures, and of educators title, bio and the like',
  }),
  createdAt: Type.String({ description: 'ISO 8601' }),
  updatedAt: Type.String({ description: 'ISO 8601' }),
});
export type MemberCard = Static<typeof MemberCard>;

/** What of a profile may be changed by its owner; `profile` fields that are not named stay. */
export interface ProfileChanges {
  firstName?: string;
  lastName?: string;
  username?: string;
  profile?: Record<string, unknown>;
}

export interface Identity {
  /**
   * Changes a profile, records it in the audit log and publishes {@link userChanged}, in one transaction with `also`.
   * @throws userNotFound, usernameTaken
   */
  changeProfile(
    userId: ObjectId,
    changes: ProfileChanges,
    actor: Actor,
    also?: (tx: Transaction) => Promise<void>,
  ): Promise<void>;
  /** Returns the cards of accounts, deleted ones included, in no particular order. */
  cardsOf(userIds: ObjectId[]): Promise<MemberCard[]>;
  /** Returns the profiles of existing members, in no particular order. */
  profilesOf(userIds: ObjectId[]): Promise<Profile[]>;
  /** Returns the contacts of existing members, in no particular order. */
  contactsOf(userIds: ObjectId[]): Promise<Contact[]>;
  /** Returns the member whom the external backoffice knows by this customer id. */
  contactByCustomerId(customerId: string): Promise<Contact | undefined>;
  /** Returns the member with this e-mail, in whatever letter case it is written. */
  contactByEmail(email: string): Promise<Contact | undefined>;
  /** Returns the member behind an access token, as of now. @throws 401 */
  authenticate(accessToken: string): Promise<UserCaller>;
  /** The same, with the time at which the token expires. @throws 401 */
  authenticateUntil(accessToken: string): Promise<{ caller: UserCaller; expiresAt: Date }>;
  /** Returns the sessions that have ended or whose account is inactive. */
  endedOf(sessionIds: ObjectId[]): Promise<ObjectId[]>;
  /** Returns the members behind those of these sessions that are alive, as they are now, in no particular order. */
  callersOf(sessionIds: ObjectId[]): Promise<UserCaller[]>;
  /** For each of these sessions the one that lives in its place: itself, or the one that replaced it on the same device. */
  livingSessionsOf(sessionIds: ObjectId[]): Promise<Map<ObjectId, ObjectId>>;
  exists(userId: ObjectId, queries?: Queries): Promise<boolean>;
  /** Returns whether the member exists; if so, they are not deleted before the transaction ends. */
  keep(tx: Transaction, userId: ObjectId): Promise<boolean>;
  /** Returns active educators in the order of their ids, after an id. */
  educatorsAfter(id: ObjectId, limit: number): Promise<ObjectId[]>;
  /** Returns the permissions of a user; undefined if the user is unknown. */
  permissionsOf(userId: ObjectId): Promise<string[] | undefined>;
  /** Creates an administrator with this e-mail unless the account exists. */
  ensureAdministrator(account: NewAccount): Promise<{ userId: ObjectId; isNew: boolean }>;
  /** Signs with a new key from now on and returns its id. Tokens signed before stay valid. */
  rotateSigningKey(): Promise<string>;
}

/**
 * The channel of the bus on which identity publishes the id of a member whose sessions have ended or whose permissions
 * have changed, once that is committed. Messages may be lost: whatever stays open for a session also asks.
 */
export const USER_CHANGED_CHANNEL = 'identity:user-changed';

export const userNotFound = notFound('User');

const memberData = Type.Object({ userId: ObjectIdShape, email: Type.String(), firstName: Type.String() });

/** A member signed up. */
export const userSignedUp = eventKind('identity.user-signed-up', { version: 1, data: memberData });

/**
 * An account was erased, with what identity knew of the person. Every module that keeps something of theirs subscribes
 * and erases it. Published in the transaction of the deletion, and once more a minute later.
 */
export const userDeleted = eventKind('identity.user-deleted', {
  version: 1,
  data: Type.Object({ userId: ObjectIdShape }),
});

/**
 * An account was created, changed (name, picture, permissions, activity) or deleted; published in the transaction of
 * the change, in the order of the changes of each account. Carries the account as it is from now on.
 */
export const userChanged = eventKind('identity.user-changed', { version: 1, data: MemberCard });

export const usernameTaken = failure(409, 'USERNAME_TAKEN', 'A user with this username already exists');

/** A member is to be welcomed by e-mail. */
export const welcomeMail = eventKind('email.welcome', { version: 1, data: memberData });

/** A reset code is to be mailed. The code is sealed, because jobs are kept for a while. */
export const passwordResetMail = eventKind('email.password-reset', {
  version: 1,
  data: Type.Object({ email: Type.String(), firstName: Type.String(), code: Type.String() }),
});

export const passwordChangedMail = eventKind('email.password-changed', { version: 1, data: memberData });
