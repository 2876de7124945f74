import { type Static, Type } from 'typebox';
import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import { type Failure, failure, notFound, tooManyRequests } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { eventKind } from '../../kernel/messaging/events.ts';
import { without } from '../../kernel/messaging/versions.ts';
import { permitted, permittedOwner } from '../../kernel/operations/access.ts';
import type { Caller, UserCaller } from '../../kernel/operations/callers.ts';
import type { AsRead } from '../../kernel/operations/lost-updates.ts';
import {
  HttpUrl,
  nullable,
  ObjectIdShape,
  oneOf,
  optionalText,
  readableText,
} from '../../kernel/operations/shapes.ts';
import type { StepUp } from '../../kernel/operations/step-up.ts';
import type { Actor, Changes } from '../../kernel/records/audit.ts';
import { fullName } from '../../kernel/text/full-name.ts';

export const notEducator = failure(403, 'FORBIDDEN', 'User does not have educator permission');

/** A member with the permission `educator`, or an administrator; the operation checks ownership. */
export const educator = permittedOwner('educator', { name: 'educator-or-admin', refused: notEducator });

/** A member with the permission `moderator`, or an administrator. */
export const moderator = permitted('moderator');

/** The name and e-mail address with which a member is contacted. */
export interface Contact {
  userId: ObjectId;
  email: string;
  firstName: string;
  lastName: string;
  isActive: boolean;
}

/** An administrator as named in logs and lists. */
export type Administrator = Omit<Contact, 'isActive'> & Pick<Profile, 'username'>;

/** The public profile of a member. */
export interface Profile {
  userId: ObjectId;
  firstName: string;
  lastName: string;
  username: string;
  avatar: string | null;
  rankBadgeUrl: string | null;
  isEducator: boolean;
}

/** The data of a new account that does not come from the customer directory. */
export interface AccountDraft {
  email: string;
  /** Defaults to false; a code is then mailed to the address. */
  emailVerified?: boolean;
  firstName: string;
  lastName: string;
  username?: string;
  customerId?: string | null;
  permissions?: string[];
}

export interface NewAccount extends AccountDraft {
  password?: string;
}

/** The public data of an account, as published by {@link userChanged}. */
export const MemberCard = Type.Object({
  userId: ObjectIdShape,
  username: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  permissions: Type.Array(Type.String()),
  isActive: Type.Boolean({ description: '`false` for deleted accounts, too' }),
  isDeleted: Type.Boolean(),
  profile: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Pictures; for educators also title, biography and further profile fields',
  }),
  createdAt: Type.String({ description: 'ISO 8601' }),
  updatedAt: Type.String({ description: 'ISO 8601' }),
});
export type MemberCard = Static<typeof MemberCard>;

/** A member as other members see them. */
export const MemberShape = Type.Object(
  {
    id: ObjectIdShape,
    name: Type.String({ description: 'Empty if the account was deleted', examples: ['Ada Lovelace'] }),
    username: Type.String({ description: 'Empty if the account was deleted', examples: ['ada'] }),
    avatar: nullable(Type.String({ examples: ['https://cdn.example.com/ada.jpg'] })),
    isEducator: Type.Boolean(),
  },
  { $id: 'Member' },
);
export type Member = Static<typeof MemberShape>;

/** Returns a member as other members see them. */
export const memberOf = (profile: Omit<Profile, 'rankBadgeUrl'>): Member => ({
  id: profile.userId,
  name: fullName(profile),
  username: profile.username,
  avatar: profile.avatar,
  isEducator: profile.isEducator,
});

/** A member with the first and last name apart, as the specification or an earlier version has it. */
export const NamedMemberShape = Type.Object(
  {
    ...MemberShape.properties,
    firstName: Type.String({ examples: ['Ada'] }),
    lastName: Type.String({ examples: ['Lovelace'] }),
  },
  { $id: 'NamedMember' },
);
export type NamedMember = Static<typeof NamedMemberShape>;

export const namedMemberOf = (profile: Omit<Profile, 'rankBadgeUrl'>): NamedMember => ({
  ...memberOf(profile),
  firstName: profile.firstName,
  lastName: profile.lastName,
});

/** Returns the data that is shown of a deleted member. */
export const deletedProfile = (userId: ObjectId): Profile => ({
  userId,
  firstName: '',
  lastName: '',
  username: '',
  avatar: null,
  rankBadgeUrl: null,
  isEducator: false,
});

/**
 * Reads the profiles of these members by one query; returns a lookup function, which returns an empty profile for a
 * deleted member.
 */
export async function profileLookup(
  { profilesOf }: Pick<Identity, 'profilesOf'>,
  userIds: ObjectId[],
  queries?: Queries,
): Promise<(userId: ObjectId) => Profile> {
  const found = await profilesOf([...new Set(userIds)], queries);
  const known = new Map(found.map((profile) => [profile.userId, profile]));
  return (userId) => known.get(userId) ?? deletedProfile(userId);
}

/** Adds to each item the member of its `userId`, with one query for all. */
export async function withMembers<Item extends { userId: ObjectId }>(
  identity: Pick<Identity, 'profilesOf'>,
  items: Item[],
): Promise<(Item & { user: Member })[]> {
  if (items.length === 0) return [];
  const profileOf = await profileLookup(
    identity,
    items.map(({ userId }) => userId),
  );
  return items.map((item) => ({ ...item, user: memberOf(profileOf(item.userId)) }));
}

/** The owner of an access token. */
export interface Authenticated {
  caller: UserCaller;
  /** When the token expires, and the id of the key that signed it. */
  expiresAt: Date;
  keyId: string;
  /** The time, by `performance.now()`, at which the session was read at the earliest. */
  asOfMs: number;
}

/** The profile changes that an owner may make; omitted fields of `profile` keep their values. */
export type ProfileChanges = Partial<Pick<MemberCard, 'firstName' | 'lastName' | 'username'>> &
  AsRead & { profile?: Record<string, unknown> };

const NETWORKS = ['website', 'twitter', 'youtube', 'linkedin', 'instagram'] as const;
const Socials = Type.Unsafe<Partial<Record<(typeof NETWORKS)[number], string>>>({
  $id: 'Socials',
  type: 'object',
  properties: Object.fromEntries(NETWORKS.map((network) => [network, HttpUrl])),
  propertyNames: { enum: [...NETWORKS] },
  additionalProperties: true,
  description: 'Replaced as a whole',
  examples: [{ website: 'https://ada.example.com' }],
});

export const MAX_BIO_LENGTH = 2000;
/** The profile of an educator in the API, apart from the names: the fields that identity stores. */
export const educatorFields = {
  educator_title: Type.String({ maxLength: 200, format: 'one-direction', examples: ['Head of Futures'] }),
  educator_bio: optionalText(MAX_BIO_LENGTH, { examples: ['Twenty years of trading.'] }),
  banner_image: nullable(HttpUrl),
  profileImage: nullable(HttpUrl),
  rankBadgeUrl: nullable(HttpUrl),
  specialty: optionalText(200, { examples: ['Futures'] }),
  skills: Type.Array(readableText(100), { maxItems: 50, examples: [['Risk', 'Options']] }),
  socials: Socials,
};
export interface Identity {
  /** Changes a profile, and what `alsoChange` changes elsewhere and returns, for the audit log. @throws userNotFound, usernameTaken */
  changeProfile(
    userId: ObjectId,
    changes: ProfileChanges,
    actor: Actor,
    alsoChange?: (tx: Transaction) => Promise<Changes>,
  ): Promise<void>;
  /** Empties the texts and pictures of a profile that moderators removed; names, badge and account stay. */
  emptyProfileIn(tx: Transaction, userId: ObjectId): Promise<void>;
  /** Returns the cards of accounts, deleted ones included, in no particular order. */
  cardsOf(userIds: ObjectId[], queries?: Queries): Promise<MemberCard[]>;
  /** Returns the profiles of existing members, in no particular order. */
  profilesOf(userIds: ObjectId[], queries?: Queries): Promise<Profile[]>;
  /** Returns the contacts of existing members, in no particular order. */
  contactsOf(userIds: ObjectId[], queries?: Queries): Promise<Contact[]>;
  /** Returns the member with this customer id in the external backoffice. */
  contactByCustomerId(customerId: string): Promise<Contact | undefined>;
  /** Returns the members with these canonical e-mail addresses, by address. */
  ownersOf(emails: string[]): Promise<Map<string, ObjectId>>;
  /** Returns the member with this e-mail address, compared case-insensitively. */
  contactByEmail(email: string): Promise<Contact | undefined>;
  /** Returns the member who owns an access token, with their current permissions. @throws 401 */
  authenticate(accessToken: string): Promise<UserCaller>;
  /** Like {@link authenticate}; also returns the expiry of the token and the age of the data. @throws 401 */
  authenticateUntil(accessToken: string): Promise<Authenticated>;
  /** Checks only the token, not its session; a later {@link authenticateUntil} need not verify its signature. @throws 401 */
  checkToken(accessToken: string): Promise<void>;
  /** Returns those of these signing keys that have ended, so that {@link authenticate} refuses their tokens. */
  endedKeys(keyIds: Iterable<string>): Promise<Set<string>>;
  /** Returns the sessions that have ended or whose account is inactive. */
  endedOf(sessionIds: ObjectId[]): Promise<ObjectId[]>;
  /** Returns the current data of the members whose sessions, among those given, are active; in no particular order. */
  callersOf(sessionIds: ObjectId[]): Promise<UserCaller[]>;
  /** Returns platform and device of these sessions, ended ones included. */
  devicesOf(sessionIds: ObjectId[]): Promise<Map<ObjectId, string>>;
  /** Maps each session to the active session in its place: itself, or the one that replaced it on the same device. */
  activeSessionsOf(sessionIds: ObjectId[]): Promise<Map<ObjectId, ObjectId>>;
  exists(userId: ObjectId, queries?: Queries): Promise<boolean>;
  /** Returns whether the member exists; if so, prevents their deletion until the transaction ends. */
  keep(tx: Transaction, userId: ObjectId): Promise<boolean>;
  /** Returns active educators whose ids are greater than `id`, in id order, at most `limit`. */
  educatorsAfter(id: ObjectId, limit: number): Promise<ObjectId[]>;
  /** Returns the permissions of a user, whom `tx` locks if it is given; undefined if the user is unknown. */
  permissionsOf(userId: ObjectId, tx?: Transaction): Promise<string[] | undefined>;
  /** Returns the names of administrators, active or not. */
  administrators(): Promise<Administrator[]>;
  stepUp: StepUp;
  /** Checks in a transaction that an administrator still is one, and keeps it so. @throws invalidToken, insufficientPermissions */
  mustStayAdministrator(tx: Transaction, actor: Pick<Actor, 'actor'>): Promise<void>;
  /** Checks in a transaction that the caller's address is verified where money needs it, and keeps it so. @throws emailNotVerified */
  mustStayVerified(tx: Transaction, caller: Caller): Promise<void>;
  /** Creates an administrator with this e-mail unless an account with it exists. */
  ensureAdministrator(account: NewAccount): Promise<{ userId: ObjectId; isNew: boolean }>;
  /** Signs with a new key from now on; returns its id. Tokens signed before stay valid, unless their key has leaked. */
  rotateSigningKey(options?: { isLeaked?: boolean }): Promise<string>;
}

/** The bus channel of members whose sessions have ended or whose permissions have changed; its messages may be lost. */
export const USER_CHANGED_CHANNEL = 'identity:user-changed';

export const userNotFound = notFound('User');

/** A member signed up. */
export const userSignedUp = eventKind('identity.user-signed-up', {
  version: 2,
  data: Type.Object({ userId: ObjectIdShape }),
  upgrades: { 1: without('email', 'firstName') },
});

/** What happens to the Keys of a member who deletes their account. */
export const REMAINING_KEYS = ['withdraw', 'forfeit'] as const;
export type RemainingKeys = (typeof REMAINING_KEYS)[number];

/**
 * An account was erased; every module erases its data of the member. Published in the transaction of the deletion and a minute
 * later. The version, also of jobs that erase, is that of the rules: raise it when a module erases more than before. Former
 * programs then leave the work to later ones, which erase former accounts again.
 */
export const userDeleted = eventKind('identity.user-deleted', {
  version: 2,
  data: Type.Object({
    userId: ObjectIdShape,
    /** `none`: the account must not be deleted while there are any. If absent, they stay in the wallet. */
    remainingKeys: Type.Optional(oneOf([...REMAINING_KEYS, 'none'])),
    isRepeated: Type.Optional(Type.Boolean()),
  }),
  upgrades: { 1: (data) => data },
});
const UpdatedMember = Type.Pick(MemberCard, ['userId', 'permissions', 'isActive']);
/** An administrator or the member changed an account that existed before. */
export const userUpdated = eventKind('identity.user-updated', { version: 1, data: UpdatedMember });

/** An account that is new, changed (name, picture, permissions, activity) or deleted; in order for each account. */
export const userChanged = eventKind('identity.user-changed', { version: 1, data: MemberCard });

export const tooManyProfileChanges = (retryAfterSeconds: number): Failure =>
  tooManyRequests('PROFILE_CHANGE_LIMIT_EXCEEDED', retryAfterSeconds);
export const usernameTaken = failure(409, 'USERNAME_TAKEN', 'A user with this username already exists');
