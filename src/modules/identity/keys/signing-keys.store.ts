import type { Database } from '../../../kernel/database/database.ts';
import type { Queries, Transaction } from '../../../kernel/database/queries.ts';
import type { SealedKey } from './signing-keys.model.ts';

export function signingKeyStore(database: Database) {
  return {
    /** Returns the keys that are not retired, newest first. */
    active: (queries: Queries = database): Promise<SealedKey[]> =>
      queries.all(
        'select kid, sealed from identity.signing_key where retired_at is null order by created_at desc, kid desc',
      ),
    /** Locks key creation until the transaction ends. */
    lock: (tx: Transaction): Promise<void> => tx.lock('identity.signing-keys'),
    async insert(tx: Transaction, { kid, sealed }: SealedKey, at: Date): Promise<void> {
      await tx.insert('identity.signing_key', { kid, sealed, createdAt: at });
    },
    /** Retires the keys created before an instant, except the given ones. */
    async retire(tx: Transaction, createdBefore: Date, except: string[], at: Date): Promise<void> {
      await tx.execute(
        'update identity.signing_key set retired_at = $1 where retired_at is null and created_at < $2 and kid <> all($3)',
        [at, createdBefore, except],
      );
    },
  };
}

export type SigningKeyStore = ReturnType<typeof signingKeyStore>;
