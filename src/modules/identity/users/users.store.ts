import type { Database } from '../../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import { searchedId, searchPatterns } from '../../../kernel/database/searchable.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Administrator, MemberCard, Profile } from '../contract.ts';
import { ERASURE_RULES, type User, type UserFilter } from './users.model.ts';

/** The fields by which members search for each other. */
interface Listed {
  id: ObjectId;
  firstName: string;
  lastName: string;
  username: string;
  createdAt: Date;
}

/** Contact data of a member, for mails and lists of moderators. */
interface Contact {
  userId: ObjectId;
  email: string;
  firstName: string;
  lastName: string;
  isActive: boolean;
}

/** The columns of a `User`. */
export const USER_COLUMNS = `id, email, email_verified, username, first_name, last_name, customer_id, permissions, educator, is_active,
  time_zone, locale, username_changes, credential_version, password_version, created_at, updated_at`;
/** The properties that an update writes. */
const CONTENT = [
  'email',
  'emailVerified',
  'username',
  'firstName',
  'lastName',
  'customerId',
  'permissions',
  'educator',
  'isActive',
  'timeZone',
  'locale',
  'usernameChanges',
  'updatedAt',
] as const;
const one = (condition: string) =>
  `select ${USER_COLUMNS} from identity.user where ${condition} and deleted_at is null`;

const byId = statement<User>('identity.user-by-id', one('id = $1'));
const byEmail = statement<User>('identity.user-by-email', one('email = $1'));
const byCustomerId = statement<User>('identity.user-by-customer-id', one('customer_id = $1'));
const lockById = statement<User>('identity.lock-user-by-id', `${one('id = $1')} for no key update`);
const cards = statement<User & { deletedAt: Date | null }>(
  'identity.cards',
  `select ${USER_COLUMNS}, deleted_at from identity.user where id = any($1)`,
);
const keepById = statement<{ id: ObjectId }>(
  'identity.keep-user',
  'select id from identity.user where id = $1 and deleted_at is null for key share',
);
const contacts = statement<Contact>(
  'identity.contacts',
  `select id as user_id, email, first_name, last_name, is_active from identity.user
   where id = any($1) and deleted_at is null`,
);
const profiles = statement<Profile>(
  'identity.profiles',
  `select id as user_id, first_name, last_name, username, educator ->> 'profileImage' as avatar,
     educator ->> 'rankBadgeUrl' as rank_badge_url, 'educator' = any(permissions) as is_educator
   from identity.user where id = any($1) and deleted_at is null`,
);
const withHash = statement<User & { hash: string | null }>(
  'identity.user-with-hash',
  `select ${USER_COLUMNS}, (select hash from identity.password where user_id = id) as hash
   from identity.user where email = $1 and deleted_at is null`,
);

/** Tables whose rows are deleted with an erased user. */
export const TABLES_OF_A_USER = [
  'password',
  'purchase',
  'funding_key',
  'session',
  'password_reset',
  'authenticator',
  'recovery_code',
  'passkey',
  'email_verification',
  'known_place',
  'last_seen',
  'former_name',
];

/** Returns the public data of an account. */
export const cardOf = (user: User & { deletedAt?: Date | null }): MemberCard => ({
  userId: user.id,
  username: user.username,
  firstName: user.firstName,
  lastName: user.lastName,
  permissions: user.permissions,
  isActive: user.isActive,
  isDeleted: Boolean(user.deletedAt),
  profile: user.educator,
  createdAt: user.createdAt.toISOString(),
  updatedAt: user.updatedAt.toISOString(),
});

/** Whether whoever signed up may be somebody else than who reads the mailbox. */
const MAY_BE_STRANGER = `not permissions && array['admin'] and not exists (
  select from identity.former_name f where f.user_id = u.id and f.email <> u.email)`;

const proveEmail = statement<{ isFirst: boolean }>(
  'identity.prove-email',
  `update identity.user u set email_unproven = false where id = $1 and email_unproven
   returning ${MAY_BE_STRANGER} as "isFirst"`,
);

const expectsProof = statement<{ id: ObjectId }>(
  'identity.expects-proof',
  `select id from identity.user u where id = $1 and email_unproven and ${MAY_BE_STRANGER}`,
);
const raisePasswordVersion = statement<never>(
  'identity.raise-password-version',
  'update identity.user set password_version = password_version + 1 where id = $1',
);

const byFormerRules = statement<{ id: ObjectId }>(
  'identity.erased-by-former-rules',
  `update identity.user set erased_by = $1 where id in (
     select id from identity.user where deleted_at is not null and erased_by < $1
     order by erased_by, id limit $2 for update skip locked)
   returning id`,
);

async function eraseRecords(tx: Transaction, ids: ObjectId[]): Promise<void> {
  for (const table of TABLES_OF_A_USER)
    await tx.execute(`delete from identity.${table} where user_id = any($1)`, [ids]);
}

/** Erases the records of some users that were erased by former rules once more; returns their ids. */
async function eraseAgain(tx: Transaction, limit: number): Promise<ObjectId[]> {
  const ids = (await tx.all(byFormerRules, [ERASURE_RULES, limit])).map(({ id }) => id);
  if (ids.length > 0) await eraseRecords(tx, ids);
  return ids;
}

export function userStore(database: Database) {
  return {
    find: (id: ObjectId, queries: Queries = database): Promise<User | undefined> => queries.first(byId, [id]),
    /** Returns the contacts of existing members, in no particular order. */
    contactsOf: (ids: ObjectId[], queries: Queries = database): Promise<Contact[]> =>
      queries.all(contacts, [ids]),
    /** Returns the profiles of existing members, in no particular order. */
    profilesOf: (ids: ObjectId[], queries: Queries = database): Promise<Profile[]> =>
      queries.all(profiles, [ids]),
    /** Returns the cards of accounts, deleted ones included, in no particular order. */
    cardsOf: async (ids: ObjectId[], queries: Queries = database): Promise<MemberCard[]> =>
      (await queries.all(cards, [ids])).map(cardOf),
    /** Returns at most `limit` active members with a permission, with ids greater than `after`, in id order. */
    async withPermission(permission: string, after: ObjectId, limit: number): Promise<ObjectId[]> {
      const rows = await database.all<{ id: ObjectId }>(
        `select id from identity.user
         where deleted_at is null and is_active and permissions && array[$1::text] and id > $2 order by id limit $3`,
        [permission, after, limit],
      );
      return rows.map(({ id }) => id);
    },
    /** Returns the names of administrators, active or not. */
    administrators: (): Promise<Administrator[]> =>
      database.all(
        `select id as user_id, email, username, first_name, last_name from identity.user
         where deleted_at is null and permissions && array['admin']`,
      ),
    /** Returns the active members among these ids. */
    listedOf: (ids: ObjectId[], queries: Queries): Promise<Listed[]> =>
      queries.all<Listed>(
        `select id, first_name, last_name, username, created_at from identity.user
         where id = any($1) and deleted_at is null and is_active`,
        [ids],
      ),
    idsAfter: async (id: ObjectId, limit: number): Promise<ObjectId[]> =>
      (
        await database.all<{ id: ObjectId }>(
          'select id from identity.user where id > $1 and deleted_at is null order by id limit $2',
          [id, limit],
        )
      ).map((row) => row.id),
    /** Counts members at the end of a period, and those who joined within it; the end is exclusive. */
    countBetween: async (from: Date, to: Date): Promise<{ totalUsers: number; newUsers: number }> =>
      (await database.first<{ totalUsers: number; newUsers: number }>(
        `select count(*) as total_users, count(*) filter (where created_at >= $1) as new_users
         from identity.user where created_at < $2 and (deleted_at is null or deleted_at >= $2)`,
        [from, to],
      )) ?? { totalUsers: 0, newUsers: 0 },
    findByEmail: (email: string): Promise<User | undefined> => database.first(byEmail, [email]),
    /** Returns the ids of the accounts with these e-mail addresses, by address. */
    ownersOf: async (emails: string[]): Promise<Map<string, ObjectId>> => {
      const rows = await database.all<{ id: ObjectId; email: string }>(
        'select id, email from identity.user where email = any($1) and deleted_at is null',
        [emails],
      );
      return new Map(rows.map(({ id, email }) => [email, id]));
    },
    findByCustomerId: (customerId: string): Promise<User | undefined> =>
      database.first(byCustomerId, [customerId]),
    /** Returns the user, locked against other changes until the transaction ends. */
    lock: (tx: Transaction, id: ObjectId): Promise<User | undefined> => tx.first(lockById, [id]),
    /** Returns whether the user exists; if so, they cannot be erased until the transaction ends. */
    keep: async (tx: Transaction, id: ObjectId): Promise<boolean> =>
      (await tx.first(keepById, [id])) !== undefined,
    /** Returns users newest first; served by user_listing, user_search and user_by_permission. */
    pageOf({ search, permissions }: UserFilter, page: PageRequest): Promise<Page<User>> {
      const patterns = search === undefined ? null : searchPatterns(search);
      const from = `identity.user where deleted_at is null
        and ($1::text[] is null or searchable like any($1) or id = $2) and ($3::text[] is null or permissions && $3)`;
      const id = search === undefined ? undefined : searchedId(search);
      const values = [patterns, id ?? null, permissions ?? null];
      const paged = { columns: USER_COLUMNS, from, orderBy: 'id desc', isGrowing: true };
      return readPage(database, paged, values, page);
    },
    /** Inserts the user; returns false, and writes nothing, if the username is taken. */
    insert: async (tx: Transaction, user: User): Promise<boolean> =>
      (await tx.insert(
        'identity.user',
        user,
        ['id', ...CONTENT, 'createdAt'],
        'on conflict (username) do nothing',
      )) > 0,
    /** Writes all fields except the versions, which are only ever incremented. */
    update: async (tx: Transaction, user: User): Promise<void> => {
      await tx.update('identity.user', user, CONTENT);
    },
    /**
     * Keeps the id and erases the rest. Frees e-mail and username: their replacements contain a colon, which valid ones
     * cannot.
     */
    erase: async (tx: Transaction, id: ObjectId, at: Date): Promise<void> => {
      await tx.execute(
        `update identity.user set email = 'deleted:' || id, email_verified = false, username = 'deleted:' || id, first_name = '', last_name = '',
           customer_id = null, permissions = '{}', educator = '{}', time_zone = null, locale = null,
           username_changes = '{}', is_active = false, updated_at = $2, deleted_at = $2, erased_by = $3
         where id = $1`,
        [id, at, ERASURE_RULES],
      );
      await eraseRecords(tx, [id]);
    },
    eraseAgain,
    /** Returns whether there is another active administrator; a lock serializes two who demote each other. */
    hasOtherAdministrator: async (tx: Transaction, id: ObjectId): Promise<boolean> => {
      await tx.lock('identity.last-administrator');
      const other = await tx.first(
        `select id from identity.user
         where deleted_at is null and is_active and permissions && array['admin'] and id <> $1 limit 1`,
        [id],
      );
      return other !== undefined;
    },
    /** Returns the user with this e-mail, and the hash of their password if they have one. */
    findWithHash: (email: string): Promise<(User & { hash: string | null }) | undefined> =>
      database.first(withHash, [email]),
    /** Replaces a hash with another one of the same password, unless the password has changed concurrently. */
    replaceHash: async (userId: ObjectId, from: string, to: string): Promise<void> => {
      await database.execute('update identity.password set hash = $3 where user_id = $1 and hash = $2', [
        userId,
        from,
        to,
      ]);
    },
    /** Notes that whoever signed up has yet to show that the address is theirs. */
    expectProof: async (tx: Transaction, userId: ObjectId): Promise<void> => {
      await tx.execute('update identity.user set email_unproven = true where id = $1', [userId]);
    },
    /**
     * Records that the reader of the mailbox has shown themselves. Returns whether nobody had since the sign-up, so that
     * whoever signed up may be somebody else; not so of administrators, and of addresses that administrators have changed.
     */
    proveEmail: async (tx: Transaction, userId: ObjectId): Promise<boolean> =>
      (await tx.first(proveEmail, [userId]))?.isFirst === true,
    /** Returns what {@link proveEmail} would. */
    expectsProof: async (userId: ObjectId): Promise<boolean> =>
      (await database.first(expectsProof, [userId])) !== undefined,
    /** Increments the version after a password change, which voids reset codes for the former password. */
    raisePasswordVersion: async (tx: Transaction, userId: ObjectId): Promise<void> =>
      void (await tx.execute(raisePasswordVersion, [userId])),
    putPassword: async (tx: Transaction, userId: ObjectId, hash: string, at: Date): Promise<void> => {
      await tx.execute(
        `insert into identity.password (user_id, hash, changed_at) values ($1, $2, $3)
         on conflict (user_id) do update set hash = excluded.hash, changed_at = excluded.changed_at`,
        [userId, hash, at],
      );
    },
  };
}

export type UserStore = ReturnType<typeof userStore>;
