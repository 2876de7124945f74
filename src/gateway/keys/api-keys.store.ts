import type { Database } from '../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/database/pagination.ts';
import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { StoredKey, UsedKey } from './api-keys.model.ts';

const findByDigest = statement<StoredKey & { digest: Buffer }>(
  'gateway.key-by-digest',
  `select id, name, tier, environment, created_at as "createdAt", revoked_at as "revokedAt",
     expires_at as "expiresAt", replaced_by as "replacedBy", digest
   from gateway.api_key where digest = any($1)`,
);

const COLUMNS = 'id, name, tier, environment, created_at, revoked_at, expires_at, replaced_by';

/** Keys with their use on the day `$1`. */
const USED = `(
  select k.*, coalesce(today.requests, 0) as requests_today, coalesce(today.rejected, 0) as rejected_today,
    (select u.last_used_at from gateway.api_key_use u where u.key_id = k.id order by u.day desc limit 1) as last_used_at
  from gateway.api_key k left join gateway.api_key_use today on today.key_id = k.id and today.day = $1::date) keys`;

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
    /** Returns keys newest first, with their use on a day. */
    pageOf: (page: PageRequest, day: Date): Promise<Page<UsedKey>> => {
      const columns = `${COLUMNS}, last_used_at, requests_today, rejected_today`;
      return readPage(database, { columns, from: USED, orderBy: 'id desc' }, [day], page);
    },
    lock: (tx: Transaction, id: ObjectId): Promise<StoredKey | undefined> =>
      tx.first(`select ${COLUMNS} from gateway.api_key where id = $1 for update`, [id]),
    async rename(tx: Transaction, id: ObjectId, name: string): Promise<void> {
      await tx.execute('update gateway.api_key set name = $2 where id = $1', [id, name]);
    },
    /** Has a key expire, since another one replaces it. */
    async replace(tx: Transaction, id: ObjectId, by: ObjectId, expiresAt: Date): Promise<void> {
      await tx.execute('update gateway.api_key set replaced_by = $2, expires_at = $3 where id = $1', [
        id,
        by,
        expiresAt,
      ]);
    },
    async revoke(tx: Transaction, id: ObjectId, at: Date): Promise<void> {
      await tx.execute('update gateway.api_key set revoked_at = $2 where id = $1', [id, at]);
    },
  };
}
