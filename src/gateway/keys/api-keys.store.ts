import type { Database } from '../../kernel/database/database.ts';
import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/pagination.ts';
import type { Tier } from '../limits/tiers.ts';

export interface StoredKey {
  id: ObjectId;
  name: string;
  tier: Tier;
  environment: 'development' | 'production';
  createdAt: Date;
  revokedAt: Date | null;
}

interface Tables {
  'gateway.api_key': {
    id: string;
    name: string;
    tier: Tier;
    environment: 'development' | 'production';
    digest: Buffer;
    created_at: Date;
    revoked_at: Date | null;
  };
}

const findByDigest = statement<StoredKey & { digest: Buffer }>(
  'gateway.key-by-digest',
  `select id, name, tier, environment, created_at as "createdAt", revoked_at as "revokedAt", digest
   from gateway.api_key where digest = any($1)`,
);

const COLUMNS = [
  'id',
  'name',
  'tier',
  'environment',
  'created_at as createdAt',
  'revoked_at as revokedAt',
] as const;

export function apiKeyStore(database: Database) {
  return {
    /** One answer for each digest, in order. */
    async findAll(digests: Buffer[]): Promise<(StoredKey | undefined)[]> {
      const rows = await database.run(findByDigest, [digests]);
      const byDigest = new Map(rows.map((row) => [row.digest.toString('latin1'), row]));
      return digests.map((digest) => byDigest.get(digest.toString('latin1')));
    },
    async insert(tx: Transaction, key: StoredKey & { digest: Buffer }): Promise<void> {
      const { createdAt, revokedAt, ...same } = key;
      await tx
        .tables<Tables>()
        .insertInto('gateway.api_key')
        .values({ ...same, created_at: createdAt, revoked_at: revokedAt })
        .execute();
    },
    pageOf: (page: PageRequest): Promise<Page<StoredKey>> =>
      readPage(
        database.tables<Tables>().selectFrom('gateway.api_key').select(COLUMNS).orderBy('id', 'desc'),
        page,
      ),
    revoke: (tx: Transaction, id: ObjectId, at: Date): Promise<StoredKey | undefined> =>
      tx
        .tables<Tables>()
        .updateTable('gateway.api_key')
        .set(({ fn, val }) => ({ revoked_at: fn.coalesce('revoked_at', val(at)) }))
        .where('id', '=', id)
        .returning(COLUMNS)
        .executeTakeFirst(),
  };
}
