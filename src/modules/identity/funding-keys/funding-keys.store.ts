import type { Database } from '../../../kernel/database/database.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';

interface NewFundingKey {
  digest: Buffer;
  userId: ObjectId;
  issuedBy: ObjectId;
  createdAt: Date;
  expiresAt: Date;
}

export function fundingKeyStore(database: Database) {
  return {
    /** Inserts a key and deletes the user's earlier ones. */
    async replace(tx: Transaction, key: NewFundingKey): Promise<void> {
      await tx.execute('delete from identity.funding_key where user_id = $1', [key.userId]);
      await tx.insert('identity.funding_key', key, [
        'digest',
        'userId',
        'issuedBy',
        'createdAt',
        'expiresAt',
      ]);
    },
    /** Marks an unused, unexpired key of this user as used; returns whether there was one. */
    spend: async (digest: Buffer, userId: ObjectId, at: Date): Promise<boolean> =>
      (await database.execute(
        `update identity.funding_key set used_at = $3
         where digest = $1 and user_id = $2 and used_at is null and expires_at > $3`,
        [digest, userId, at],
      )) > 0,
  };
}

export type FundingKeyStore = ReturnType<typeof fundingKeyStore>;
