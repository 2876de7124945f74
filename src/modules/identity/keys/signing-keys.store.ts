import type { Database } from '../../../kernel/database/database.ts';
import type { Queries, Transaction } from '../../../kernel/database/queries.ts';
import type { SealedKey } from './signing-keys.model.ts';

export function signingKeyStore(database: Database) {
  return {
    /** Returns the keys that are not retired, newest first. */
    active: (queries: Queries = database): Promise<SealedKey[]> =>
      queries.all(
        'select kid, sealed, created_at from identity.signing_key where retired_at is null order by created_at desc, kid desc',
      ),
    /** Returns the ids of all keys that are retired. */
    async retired(): Promise<string[]> {
      const rows = await database.all<{ kid: string }>(
        'select kid from identity.signing_key where retired_at is not null',
      );
      return rows.map(({ kid }) => kid);
    },
    /** Locks key creation until the transaction ends. */
    lock: (tx: Transaction): Promise<void> => tx.lock('identity.signing-keys'),
    async insert(tx: Transaction, { kid, sealed, createdAt }: SealedKey): Promise<void> {
      await tx.insert('identity.signing_key', { kid, sealed, createdAt });
    },
    /** Retires all keys but these. */
    async retire(tx: Transaction, except: string[], at: Date): Promise<void> {
      await tx.execute(
        'update identity.signing_key set retired_at = $1 where retired_at is null and kid <> all($2)',
        [at, except],
      );
    },
  };
}

export type SigningKeyStore = ReturnType<typeof signingKeyStore>;
