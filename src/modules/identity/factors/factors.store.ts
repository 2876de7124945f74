import type { Database } from '../../../kernel/database/database.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Authenticator, FactorState } from './factors.model.ts';

const find = statement<Authenticator>(
  'identity.authenticator',
  'select sealed, created_at, confirmed_at, used_steps from identity.authenticator where user_id = $1',
);

export const factorStore = (database: Database) => ({
  findAuthenticator: (userId: ObjectId, queries: Queries = database): Promise<Authenticator | undefined> =>
    queries.first(find, [userId]),
  /** Inserts an unconfirmed authenticator in place of an earlier one. The member must be locked. */
  putAuthenticator: async (tx: Transaction, userId: ObjectId, sealed: Buffer, at: Date): Promise<void> => {
    await tx.execute('delete from identity.authenticator where user_id = $1', [userId]);
    await tx.insert('identity.authenticator', { userId, sealed, createdAt: at });
  },
  confirm: async (tx: Transaction, userId: ObjectId, at: Date): Promise<void> => {
    await tx.execute('update identity.authenticator set confirmed_at = $2 where user_id = $1', [userId, at]);
  },
  setUsedSteps: async (tx: Transaction, userId: ObjectId, steps: number[]): Promise<void> => {
    await tx.execute('update identity.authenticator set used_steps = $2 where user_id = $1', [userId, steps]);
  },
  deleteAuthenticator: async (tx: Transaction, userId: ObjectId): Promise<void> => {
    await tx.execute('delete from identity.authenticator where user_id = $1', [userId]);
  },
  putRecoveryCodes: async (tx: Transaction, userId: ObjectId, digests: Buffer[]): Promise<void> => {
    await tx.execute('delete from identity.recovery_code where user_id = $1', [userId]);
    await tx.execute('insert into identity.recovery_code (user_id, digest) select $1, unnest($2::bytea[])', [
      userId,
      digests,
    ]);
  },
  /** Spends a recovery code; returns whether it existed. */
  spendRecoveryCode: async (tx: Transaction, userId: ObjectId, digest: Buffer): Promise<boolean> =>
    (await tx.execute('delete from identity.recovery_code where user_id = $1 and digest = $2 returning 1', [
      userId,
      digest,
    ])) > 0,
  stateOf: async (userId: ObjectId, queries: Queries = database): Promise<FactorState> =>
    (await queries.first<FactorState>(
      `select
         exists (select from identity.authenticator where user_id = $1 and confirmed_at is not null) as totp,
         (select count(*) from identity.passkey where user_id = $1) as passkeys,
         (select count(*) from identity.recovery_code where user_id = $1) as recovery_codes_left`,
      [userId],
    )) as FactorState,
  /** Stores whether the member has a second factor, in the column that each request reads; returns it. */
  noteFactors: async (tx: Transaction, userId: ObjectId): Promise<boolean> =>
    (
      await tx.first<{ hasFactor: boolean }>(
        `update identity.user set has_factor =
           exists (select from identity.authenticator where user_id = $1 and confirmed_at is not null)
           or exists (select from identity.passkey where user_id = $1)
         where id = $1 returning has_factor`,
        [userId],
      )
    )?.hasFactor === true,
  /** Deletes every factor of a member. */
  deleteAll: async (tx: Transaction, userId: ObjectId): Promise<void> => {
    await tx.execute('delete from identity.authenticator where user_id = $1', [userId]);
    await tx.execute('delete from identity.recovery_code where user_id = $1', [userId]);
    await tx.execute('delete from identity.passkey where user_id = $1', [userId]);
  },
  /** Returns the factors of a member, and since when they have had each. */
  listOf: (userId: ObjectId): Promise<{ kind: 'totp' | 'passkey'; since: Date }[]> =>
    database.all(
      `select 'totp' as kind, confirmed_at as since from identity.authenticator
       where user_id = $1 and confirmed_at is not null
       union all
       select 'passkey', created_at from identity.passkey where user_id = $1
       order by since`,
      [userId],
    ),
});

export type FactorStore = ReturnType<typeof factorStore>;
