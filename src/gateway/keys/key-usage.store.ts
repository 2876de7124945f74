import type { Database } from '../../kernel/database/database.ts';
import { statement } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';

/** How a key was used on one day since the last time that it was added up. */
export interface KeyUse {
  keyId: ObjectId;
  /** Its day (UTC) is the one that it counts for. */
  lastUsedAt: Date;
  requests: number;
  rejected: number;
}

const add = statement<never>(
  'gateway.add-key-use',
  `insert into gateway.api_key_use as kept (key_id, day, requests, rejected, last_used_at)
   select id, (used.at at time zone 'UTC')::date, used.requests, used.rejected, used.at
   from unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::bigint[]) as used (key_id, at, requests, rejected)
     join gateway.api_key on id = used.key_id
   order by id, used.at
   on conflict (key_id, day) do update set requests = kept.requests + excluded.requests,
     rejected = kept.rejected + excluded.rejected, last_used_at = greatest(kept.last_used_at, excluded.last_used_at)`,
);

export const keyUsageStore = (database: Database) => ({
  /** Adds uses, at most one for each key and day; those of keys that are not stored are left out. */
  async addAll(uses: KeyUse[]): Promise<void> {
    await database.execute(add, [
      uses.map(({ keyId }) => keyId),
      uses.map(({ lastUsedAt }) => lastUsedAt),
      uses.map(({ requests }) => requests),
      uses.map(({ rejected }) => rejected),
    ]);
  },
});

export type KeyUsageStore = ReturnType<typeof keyUsageStore>;
