import type { Database } from '../../kernel/database/database.ts';
import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';

export interface User {
  id: ObjectId;
  email: string;
  username: string;
  firstName: string;
  lastName: string;
  customerId: string | null;
  permissions: string[];
  isActive: boolean;
  createdAt: Date;
  updatedAt: Date;
}

interface Tables {
  'identity.user': {
    id: string;
    email: string;
    username: string;
    first_name: string;
    last_name: string;
    customer_id: string | null;
    permissions: string[];
    is_active: boolean;
    created_at: Date;
    updated_at: Date;
  };
  'identity.password': { user_id: string; hash: string; changed_at: Date };
}

const COLUMNS = [
  'id',
  'email',
  'username',
  'first_name as firstName',
  'last_name as lastName',
  'customer_id as customerId',
  'permissions',
  'is_active as isActive',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

export function userStore(database: Database) {
  const users = (queries: Queries = database) => queries.tables<Tables>().selectFrom('identity.user');
  return {
    find: (id: ObjectId): Promise<User | undefined> =>
      users().select(COLUMNS).where('id', '=', id).executeTakeFirst(),
    findByEmail: (email: string): Promise<User | undefined> =>
      users().select(COLUMNS).where('email', '=', email).executeTakeFirst(),
    /** Which of these users exist. */
    existing: async (ids: ObjectId[]): Promise<ObjectId[]> =>
      (await users().select('id').where('id', 'in', ids).execute()).map(({ id }) => id),
    isUsernameTaken: async (username: string): Promise<boolean> =>
      (await users().select('id').where('username', '=', username).executeTakeFirst()) !== undefined,
    insert: async (tx: Transaction, user: User): Promise<void> => {
      const { firstName, lastName, customerId, isActive, createdAt, updatedAt, ...same } = user;
      await tx
        .tables<Tables>()
        .insertInto('identity.user')
        .values({
          ...same,
          first_name: firstName,
          last_name: lastName,
          customer_id: customerId,
          is_active: isActive,
          created_at: createdAt,
          updated_at: updatedAt,
        })
        .execute();
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
    insertPassword: async (tx: Transaction, userId: ObjectId, hash: string, at: Date): Promise<void> => {
      await tx
        .tables<Tables>()
        .insertInto('identity.password')
        .values({ user_id: userId, hash, changed_at: at })
        .execute();
    },
  };
}

export type UserStore = ReturnType<typeof userStore>;
