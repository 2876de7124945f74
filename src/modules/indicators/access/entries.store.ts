import { statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import type { Entry, Origin } from './access.model.ts';

/** The origin of an entry is the same for all grants: a new row takes that of the existing ones. */
const KNOWN_ORIGIN = `(select origin from indicators.entry o
  where o.pine_id = $2 and o.handle_key = lower($3) limit 1)`;
const putEntry = statement<{ origin: Origin }>(
  'indicators.put-entry',
  `insert into indicators.entry (access_id, pine_id, handle_key, handle, is_confirmed, origin)
   values ($1, $2, lower($3), $3, $4, coalesce(${KNOWN_ORIGIN}, $5))
   on conflict (access_id, pine_id, handle_key) do update set handle = excluded.handle,
     is_confirmed = excluded.is_confirmed
   returning origin`,
);
const setOrigin = statement<never>(
  'indicators.set-origin',
  `update indicators.entry set origin = $4
   where pine_id = $1 and handle_key = lower($2) and origin = any($3) and origin <> $4`,
);
const dropEntry = statement<never>(
  'indicators.drop-entry',
  'delete from indicators.entry where access_id = $1 and pine_id = $2 and handle_key = lower($3)',
);
/** Whether another grant's call for the same handle and script may be in progress. */
const isBusy = statement<{ busy: boolean }>(
  'indicators.is-entry-busy',
  `select exists (select from indicators.entry e join indicators.access a on a.id = e.access_id
     where e.pine_id = $2 and e.handle_key = lower($3) and e.access_id <> $1 and a.leased_until > $4) as busy`,
);
/** The grants of other members that want the same handle on the same indicator. */
const SHARERS = `from indicators.access a join indicators.indicator i on i.id = a.indicator_id
   where i.pine_id = $2 and lower(a.handle) = lower($3) and a.is_wanted and a.id <> $1`;
const isShared = statement<{ shared: boolean }>(
  'indicators.is-handle-shared',
  `select exists (select ${SHARERS}) as shared`,
);
/** Skips locked grants: their transactions may wait for the lock of the entry, which the caller holds. */
const handOver = statement<{ id: ObjectId }>(
  'indicators.hand-over-entry',
  `with sharer as (select a.id ${SHARERS} order by a.id limit 1 for update of a skip locked),
   adopted as (insert into indicators.entry (access_id, pine_id, handle_key, handle, is_confirmed, origin)
     select id, $2, lower($3), $3, false, coalesce(${KNOWN_ORIGIN}, 'unknown') from sharer on conflict do nothing)
   select id from sharer`,
);
const originOf = statement<{ origin: Origin }>(
  'indicators.entry-origin',
  'select origin from indicators.entry where access_id = $1 and pine_id = $2 and handle_key = lower($3)',
);
const doubtEntry = statement<never>(
  'indicators.doubt-entry',
  `update indicators.entry set is_confirmed = false
   where pine_id = $1 and handle_key = lower($2) and is_confirmed`,
);
export type EntryKey = Pick<Entry, 'pineId' | 'handle'>;

/** Serializes calls for handles of scripts across all grants; in a fixed order, so that callers cannot deadlock. */
async function lockEntries(tx: Transaction, entries: EntryKey[]): Promise<void> {
  const keys = entries.map(({ pineId, handle }) => `${pineId} ${handle.toLowerCase()}`);
  for (const key of [...new Set(keys)].sort()) await tx.lock('indicators.entry', key);
}

/** SQL of the entries that may exist at the charting platform. */
export const entryStore = {
  /**
   * Records an entry of a grant. Its origin is that of existing rows for the same entry, otherwise the given one.
   * @returns the entry with its origin
   */
  put: async (tx: Transaction, accessId: ObjectId, entry: Entry): Promise<Entry> => {
    const { pineId, handle, isConfirmed, origin } = entry;
    const put = await tx.all(putEntry, [accessId, pineId, handle, isConfirmed, origin]);
    return { ...entry, origin: only(put).origin };
  },
  /** Changes the origin of an entry in all grants, where it is one of `from`. */
  setOrigin: async (
    tx: Transaction,
    { pineId, handle }: EntryKey,
    from: readonly Origin[],
    to: Origin,
  ): Promise<void> => {
    await tx.execute(setOrigin, [pineId, handle, from, to]);
  },
  /** Returns the origin of an entry of a grant; exact only under the lock of the entry. */
  async originOf(tx: Transaction, accessId: ObjectId, { pineId, handle }: EntryKey): Promise<Origin> {
    return (await tx.first(originOf, [accessId, pineId, handle]))?.origin ?? 'unknown';
  },
  drop: async (tx: Transaction, accessId: ObjectId, { pineId, handle }: EntryKey): Promise<void> => {
    await tx.execute(dropEntry, [accessId, pineId, handle]);
  },
  dropAll: async (tx: Transaction, accessId: ObjectId): Promise<void> => {
    await tx.execute('delete from indicators.entry where access_id = $1', [accessId]);
  },
  lock: lockEntries,
  /** Marks the entry as unconfirmed in all grants, because a call is about to remove it. */
  doubt: async (tx: Transaction, { pineId, handle }: Entry): Promise<void> => {
    await tx.execute(doubtEntry, [pineId, handle]);
  },
  async isBusy(tx: Transaction, accessId: ObjectId, { pineId, handle }: Entry, at: Date): Promise<boolean> {
    return only(await tx.all(isBusy, [accessId, pineId, handle, at])).busy;
  },
  async isShared(tx: Transaction, accessId: ObjectId, { pineId, handle }: Entry): Promise<boolean> {
    return only(await tx.all(isShared, [accessId, pineId, handle])).shared;
  },

  /**
   * Transfers the entry to another grant that wants the same handle, so that the entry is removed with that grant.
   * Returns false if all such grants are currently locked.
   */
  async handOver(
    tx: Transaction,
    accessId: ObjectId,
    { pineId, handle }: Pick<Entry, 'pineId' | 'handle'>,
  ): Promise<boolean> {
    return (await tx.first(handOver, [accessId, pineId, handle])) !== undefined;
  },
};

export type EntryStore = typeof entryStore;
