import type { Database } from '../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/database/pagination.ts';
import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { StoredKey } from './api-keys.model.ts';

const findByDigest = statement<StoredKey & { digest: Buffer }>(
  'gateway.key-by-digest',
  `select id, name, tier, environment, created_at as "createdAt", revoked_at as "revokedAt", digest
   from gateway.api_key where digest = any($1)`,
);

const COLUMNS = 'id, name, tier, environment, created_at, revoked_at';

export function apiKeyStore(database: Database) {
  return {
    /** Returns one entry for each digest, in order; undefined where there is no key. */
    async findAll(digests: Buffer[]): Promise<(StoredKey | undefined)[]> {
      const rows = await database.all(findByDigest, [digests]);
      const byDigest = new Map(rows.map((row) => [row.digest.toString('latin1'), row]));
      return digests.map((digest) => byDigest.get(digest.toString('latin1')));
    },
    async insert(tx: Transaction, key: StoredKey & { digest: Buffer }): Promise<void> {
      await tx.insert('gateway.api_key', key, [
        'id',
        'name',
        'tier',
        'environment',
        'createdAt',
        'revokedAt',
        'digest',
      ]);
    },
    /** Returns keys newest first. */
    pageOf: (page: PageRequest): Promise<Page<StoredKey>> =>
      readPage(database, { columns: COLUMNS, from: 'gateway.api_key', orderBy: 'id desc' }, [], page),
    /** Revokes a key and returns it; a key that is already revoked keeps its original time of revocation. */
    revoke: (tx: Transaction, id: ObjectId, at: Date): Promise<StoredKey | undefined> =>
      tx.first(
        `update gateway.api_key set revoked_at = coalesce(revoked_at, $2) where id = $1 returning ${COLUMNS}`,
        [id, at],
      ),
  };
}
