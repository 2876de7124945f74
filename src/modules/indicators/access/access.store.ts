import { columnsOf } from '../../../kernel/database/chunks.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Mover } from '../contract.ts';
import type { Grant } from './access.model.ts';
import { type EntryKey, entryStore } from './entries.store.ts';

const COLUMNS = `a.id, a.indicator_id as "indicatorId", a.user_id as "userId", a.handle, a.is_wanted as "isWanted",
  a.status, a.failed_action as "failedAction", a.source, a.request_id as "requestId", a.version, a.attempts,
  a.last_error as "lastError", a.error_kind as "errorKind", a.priority, a.due_at as "dueAt",
  a.leased_until as "leasedUntil", a.grace_ends_at as "graceEndsAt", a.ended_by as "endedBy",
  a.notified_status as "notifiedStatus", a.created_at as "createdAt", a.updated_at as "updatedAt", i.pine_id as "pineId",
  coalesce((select json_agg(json_build_object('pineId', e.pine_id, 'handle', e.handle, 'isConfirmed', e.is_confirmed,
    'origin', e.origin) order by e.pine_id, e.handle_key) from indicators.entry e where e.access_id = a.id), '[]') as entries`;
const FROM = 'indicators.access a join indicators.indicator i on i.id = a.indicator_id';

const read = statement<Grant>(
  'indicators.read-access',
  `select ${COLUMNS} from ${FROM} where a.id = any($1) order by a.indicator_id`,
);
// Locks rows before reading them: a single statement that waited for a lock would still see the old entries.
const lockOfMember = statement<Locked>(
  'indicators.lock-access-of-member',
  `select id from indicators.access where user_id = $1 and ($2::text[] is null or indicator_id = any($2))
   order by indicator_id for update`,
);
const lockOne = statement<Locked>(
  'indicators.lock-access',
  'select id from indicators.access where id = $1 for update',
);
const claimDue = statement<Locked>(
  'indicators.claim-due',
  `select id from indicators.access where priority = $1 and due_at <= $2
   order by due_at limit 1 for update skip locked`,
);
const claimOne = statement<Locked>(
  'indicators.claim-one',
  `select id from indicators.access
   where id = $1 and due_at <= $2 and (leased_until is null or leased_until <= $2) for update skip locked`,
);
const whenDue = statement<{ at: Date | null }>(
  'indicators.when-due',
  `select least((select min(due_at) from indicators.access where priority = 1 and due_at is not null),
     (select min(due_at) from indicators.access where priority = 0 and due_at is not null)) as at`,
);

interface Locked {
  id: ObjectId;
}

const put = statement<never>(
  'indicators.put-access',
  `insert into indicators.access (id, indicator_id, user_id, handle, is_wanted, status, failed_action, source, request_id,
     version, attempts, last_error, error_kind, priority, due_at, leased_until, grace_ends_at, ended_by, notified_status,
     moved_by, moved_why, created_at, updated_at)
   select g.*, $20, $21, $22, $23
   from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::text[], $7::text[], $8::text[],
     $9::text[], $10::integer[], $11::integer[], $12::text[], $13::text[], $14::smallint[], $15::timestamptz[],
     $16::timestamptz[], $17::timestamptz[], $18::text[], $19::text[]) as g
   order by 2
   on conflict (id) do update set handle = excluded.handle, is_wanted = excluded.is_wanted, status = excluded.status,
     failed_action = excluded.failed_action, source = excluded.source, request_id = excluded.request_id,
     version = excluded.version, attempts = excluded.attempts, last_error = excluded.last_error,
     error_kind = excluded.error_kind, priority = excluded.priority, due_at = excluded.due_at,
     leased_until = excluded.leased_until, grace_ends_at = excluded.grace_ends_at, ended_by = excluded.ended_by,
     notified_status = excluded.notified_status, moved_by = excluded.moved_by, moved_why = excluded.moved_why,
     updated_at = excluded.updated_at`,
);
/** SQL of grants. */
export function accessStore(database: Database) {
  const readLocked = async (tx: Transaction, locked: Locked[]): Promise<Grant[]> =>
    locked.length === 0 ? [] : tx.all(read, [locked.map(({ id }) => id)]);

  return {
    /** Serializes changes to several grants of a member. */
    lockMember: (tx: Transaction, userId: ObjectId): Promise<void> => tx.lock('indicators.member', userId),
    /** Locks the grants of a member, for the given indicators or all. */
    lockOfMember: async (tx: Transaction, userId: ObjectId, indicatorIds?: ObjectId[]): Promise<Grant[]> =>
      readLocked(tx, await tx.all(lockOfMember, [userId, indicatorIds ?? null])),
    /**
     * Locks a grant, its entries, the entry that it wants and the given ones. Another grant may change shared entries,
     * so they must be read under the lock.
     */
    async lock(tx: Transaction, id: ObjectId, others: EntryKey[] = []): Promise<Grant | undefined> {
      const locked = await tx.all(lockOne, [id]);
      const [grant] = await readLocked(tx, locked);
      if (!grant) return undefined;
      const wanted =
        grant.isWanted && grant.pineId !== null ? [{ pineId: grant.pineId, handle: grant.handle }] : [];
      const keys = [...grant.entries, ...wanted, ...others];
      if (keys.length === 0) return grant;
      await entryStore.lock(tx, keys);
      return (await readLocked(tx, locked))[0];
    },
    async ofRequest(
      tx: Transaction,
      requestId: ObjectId,
    ): Promise<{ id: ObjectId; userId: ObjectId } | undefined> {
      return tx.first('select id, user_id from indicators.access where request_id = $1', [requestId]);
    },
    find: (id: ObjectId, queries: Queries = database): Promise<Grant | undefined> =>
      queries.first(read, [[id]]),
    /** Claims the next due grant; grants that a member or administrator is waiting for come first. */
    async claim(tx: Transaction, at: Date): Promise<Grant | undefined> {
      const interactive = await tx.all(claimDue, [1, at]);
      const locked = interactive.length > 0 ? interactive : await tx.all(claimDue, [0, at]);
      return (await readLocked(tx, locked))[0];
    },
    claimOne: async (tx: Transaction, id: ObjectId, at: Date): Promise<Grant | undefined> =>
      (await readLocked(tx, await tx.all(claimOne, [id, at])))[0],
    /** Returns when the next grant is due; undefined if there is none. */
    async whenDue(): Promise<Date | undefined> {
      return (await database.first(whenDue))?.at ?? undefined;
    },

    /** Inserts or updates grants, in the order of their indicators, and records their transitions. */
    async put(tx: Transaction, grants: Grant[], { actor, why }: Mover, at: Date): Promise<void> {
      if (grants.length === 0) return;
      const columns = columnsOf(
        grants,
        'id',
        'indicatorId',
        'userId',
        'handle',
        'isWanted',
        'status',
        'failedAction',
        'source',
        'requestId',
        'version',
        'attempts',
        'lastError',
        'errorKind',
        'priority',
        'dueAt',
        'leasedUntil',
        'graceEndsAt',
        'endedBy',
        'notifiedStatus',
      );
      await tx.execute(put, [...columns, actor, why, at, at]);
    },
    /** Returns grants that failed because the platform was unavailable, oldest first. */
    async failedByOutage(tx: Transaction, limit: number): Promise<Grant[]> {
      const locked = await tx.all<Locked>(
        `select id from indicators.access where status = 'failed' and error_kind = 'unavailable'
         order by id limit $1 for update skip locked`,
        [limit],
      );
      return readLocked(tx, locked);
    },
    async hasFailedByOutage(): Promise<boolean> {
      const found = await database.first(
        `select id from indicators.access where status = 'failed' and error_kind = 'unavailable' limit 1`,
      );
      return found !== undefined;
    },
    delete: async (tx: Transaction, ids: ObjectId[]): Promise<void> => {
      await tx.execute('delete from indicators.access where id = any($1)', [ids]);
      await tx.execute('delete from indicators.move where access_id = any($1)', [ids]);
    },
  };
}

export type AccessStore = ReturnType<typeof accessStore>;
