import { type Generated, sql } from 'kysely';
import type { Database } from '../../kernel/database/database.ts';
import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import { OBJECT_ID, type ObjectId } from '../../kernel/ids.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/pagination.ts';

export interface User {
  id: ObjectId;
  email: string;
  username: string;
  firstName: string;
  lastName: string;
  customerId: string | null;
  permissions: string[];
  educator: Record<string, unknown>;
  isActive: boolean;
  /** Raised whenever what was verified before must not open a session any more. */
  credentialVersion: number;
  /** Raised with each new password. */
  passwordVersion: number;
  createdAt: Date;
  updatedAt: Date;
}

/** What others find a member by. */
interface Listed {
  id: ObjectId;
  firstName: string;
  lastName: string;
  username: string;
  createdAt: Date;
}

interface UserRow {
  id: string;
  email: string;
  username: string;
  first_name: string;
  last_name: string;
  customer_id: string | null;
  permissions: string[];
  educator: Record<string, unknown>;
  is_active: boolean;
  credential_version: Generated<number>;
  password_version: Generated<number>;
  created_at: Date;
  updated_at: Date;
  deleted_at: Generated<Date | null>;
  searchable: Generated<string>;
}

interface Tables {
  'identity.user': UserRow;
  'identity.password': { user_id: string; hash: string; changed_at: Date };
}

export interface UserFilter {
  /** Part of a name, e-mail or username, in whatever letter case; or a whole id. */
  search?: string;
  /** Holders of at least one of these. */
  permissions?: string[];
}

const COLUMNS = [
  'id',
  'email',
  'username',
  'first_name as firstName',
  'last_name as lastName',
  'customer_id as customerId',
  'permissions',
  'educator',
  'is_active as isActive',
  'credential_version as credentialVersion',
  'password_version as passwordVersion',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

/** Without the versions, which only ever rise. */
const rowOf = (
  user: User,
): Omit<UserRow, 'deleted_at' | 'searchable' | 'credential_version' | 'password_version'> => ({
  id: user.id,
  email: user.email,
  username: user.username,
  first_name: user.firstName,
  last_name: user.lastName,
  customer_id: user.customerId,
  permissions: user.permissions,
  educator: user.educator,
  is_active: user.isActive,
  created_at: user.createdAt,
  updated_at: user.updatedAt,
});

export function userStore(database: Database) {
  const users = (queries: Queries = database) =>
    queries.tables<Tables>().selectFrom('identity.user').where('deleted_at', 'is', null);
  const one = (column: 'id' | 'email' | 'customer_id', value: string, queries: Queries = database) =>
    users(queries).select(COLUMNS).where(column, '=', value).executeTakeFirst();

  return {
    find: (id: ObjectId, queries?: Queries): Promise<User | undefined> => one('id', id, queries),
    /** Those of these who are members, in no order. */
    contactsOf: (ids: ObjectId[]) =>
      users()
        .select(['id as userId', 'email', 'first_name as firstName', 'last_name as lastName'])
        .select('is_active as isActive')
        .where('id', 'in', ids.length > 0 ? ids : [''])
        .execute(),
    profilesOf: (ids: ObjectId[]) =>
      users()
        .select(['id as userId', 'first_name as firstName', 'last_name as lastName'])
        .select([
          sql<string | null>`educator ->> 'profileImage'`.as('avatar'),
          sql<string | null>`educator ->> 'rankBadgeUrl'`.as('rankBadgeUrl'),
        ])
        .where('id', 'in', ids.length > 0 ? ids : [''])
        .execute(),
    /** Of active members with a permission, some that come after an id, in the order of ids. */
    async withPermission(permission: string, after: ObjectId, most: number): Promise<ObjectId[]> {
      const rows = await users()
        .select('id')
        .where('is_active', '=', true)
        .where(sql<boolean>`permissions && array[${permission}]`)
        .where('id', '>', after)
        .orderBy('id')
        .limit(most)
        .execute();
      return rows.map(({ id }) => id);
    },
    /** Those of these who are active members, as others find them. */
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
    /** Members at the end of a period, and those who came within it; the end is excluded. */
    countBetween: async (from: Date, to: Date): Promise<{ totalUsers: number; newUsers: number }> =>
      (await database.first<{ totalUsers: number; newUsers: number }>(
        `select count(*) as total_users, count(*) filter (where created_at >= $1) as new_users
         from identity.user where created_at < $2 and (deleted_at is null or deleted_at >= $2)`,
        [from, to],
      )) ?? { totalUsers: 0, newUsers: 0 },
    findByEmail: (email: string): Promise<User | undefined> => one('email', email),
    findByCustomerId: (customerId: string): Promise<User | undefined> => one('customer_id', customerId),
    /** The user, locked against other changes until the transaction ends. */
    lock: (tx: Transaction, id: ObjectId): Promise<User | undefined> =>
      users(tx).select(COLUMNS).where('id', '=', id).forNoKeyUpdate().executeTakeFirst(),
    /** Whether the user is there; if so, nobody erases them until the transaction ends. */
    async keep(tx: Transaction, id: ObjectId): Promise<boolean> {
      const found = await users(tx).select('id').where('id', '=', id).forKeyShare().executeTakeFirst();
      return found !== undefined;
    },
    pageOf: ({ search, permissions }: UserFilter, page: PageRequest): Promise<Page<User>> =>
      readPage(
        users()
          .select(COLUMNS)
          .$if(search !== undefined, (query) =>
            query.where((where) => {
              const text = (search as string).toLowerCase();
              const like = where('searchable', 'like', `%${text.replace(/[\\%_]/g, '\\$&')}%`);
              return OBJECT_ID.test(text) ? where.or([like, where('id', '=', text)]) : like;
            }),
          )
          .$if(permissions !== undefined, (query) =>
            query.where(sql<boolean>`permissions && ${permissions}::text[]`),
          )
          .orderBy('id', 'desc'),
        page,
      ),
    /** Answers whether the username was free; nothing is written otherwise. */
    insert: async (tx: Transaction, user: User): Promise<boolean> => {
      const inserted = await tx
        .tables<Tables>()
        .insertInto('identity.user')
        .values(rowOf(user))
        .onConflict((conflict) => conflict.column('username').doNothing())
        .returning('id')
        .executeTakeFirst();
      return inserted !== undefined;
    },
    update: async (tx: Transaction, user: User): Promise<void> => {
      const { id, created_at: _, ...changed } = rowOf(user);
      await tx.tables<Tables>().updateTable('identity.user').set(changed).where('id', '=', id).execute();
    },
    /** Keeps the id and forgets the rest: e-mail and username are free again. */
    erase: async (tx: Transaction, id: ObjectId, at: Date): Promise<void> => {
      await tx
        .tables<Tables>()
        .updateTable('identity.user')
        .set({
          // What nobody can have: neither an e-mail nor a username has a colon.
          email: `deleted:${id}`,
          username: `deleted:${id}`,
          first_name: '',
          last_name: '',
          customer_id: null,
          permissions: [],
          educator: {},
          is_active: false,
          updated_at: at,
          deleted_at: at,
        })
        .where('id', '=', id)
        .execute();
      for (const table of ['password', 'purchase', 'funding_key', 'session', 'password_reset']) {
        await tx.sql(`delete from identity.${table} where user_id = $1`, [id]);
      }
    },
    /**
     * Whether an active administrator is left besides this one. Takes a lock, so that two who demote one another
     * follow one another.
     */
    hasOtherAdministrator: async (tx: Transaction, id: ObjectId): Promise<boolean> => {
      await tx.sql("select pg_advisory_xact_lock(hashtext('identity.last-administrator'))");
      const other = await users(tx)
        .select('id')
        .where('is_active', '=', true)
        .where(sql<boolean>`permissions && array['admin']`)
        .where('id', '<>', id)
        .limit(1)
        .executeTakeFirst();
      return other !== undefined;
    },
    passwordHash: async (userId: ObjectId): Promise<string | undefined> =>
      (
        await database
          .tables<Tables>()
          .selectFrom('identity.password')
          .select('hash')
          .where('user_id', '=', userId)
          .executeTakeFirst()
      )?.hash,
    /** Puts another hash of the same password in the place of one, unless the password has changed meanwhile. */
    replaceHash: async (userId: ObjectId, from: string, to: string): Promise<void> => {
      await database.sql('update identity.password set hash = $3 where user_id = $1 and hash = $2', [
        userId,
        from,
        to,
      ]);
    },
    /** The password is another one: reset codes for the one before are void. */
    raisePasswordVersion: async (tx: Transaction, userId: ObjectId): Promise<void> => {
      await tx.sql('update identity.user set password_version = password_version + 1 where id = $1', [
        userId,
      ]);
    },
    putPassword: async (tx: Transaction, userId: ObjectId, hash: string, at: Date): Promise<void> => {
      await tx
        .tables<Tables>()
        .insertInto('identity.password')
        .values({ user_id: userId, hash, changed_at: at })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ hash, changed_at: at }))
        .execute();
    },
  };
}

export type UserStore = ReturnType<typeof userStore>;
