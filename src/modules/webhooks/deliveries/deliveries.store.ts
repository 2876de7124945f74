import type { Database } from '../../../kernel/database/database.ts';
import {
  boundedTotal,
  MOST_COUNTED,
  offsetOf,
  type Page,
  type PageRequest,
} from '../../../kernel/database/pagination.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { DeliveryDetail, DeliveryRow, DeliveryStatus } from './deliveries.model.ts';

const COLUMNS = `d.endpoint, d.sequence, e.id as "eventId", d.type, d.status, d.attempts,
  d.response_status as "responseStatus", d.response_ms as "responseMs", d.last_error as "lastError",
  d.due_at as "nextAttemptAt", d.created_at as "createdAt", d.delivered_at as "deliveredAt"`;
const JOINED = 'webhooks.delivery d left join webhooks.event e on e.position = d.position';

export interface DeliveryFilter {
  status?: DeliveryStatus;
  type?: string;
}

/** The condition that selects the deliveries to send again. */
export interface Replayed {
  fromSequence?: number | undefined;
  /** The number of the newest delivery to send again. */
  toSequence: number;
  since?: Date | undefined;
  until?: Date | undefined;
}

/** SQL of deliveries as administrators see them. */
export function deliveryStore(database: Database) {
  return {
    /** Returns the deliveries of an endpoint before a number, newest first. */
    async pageOf(
      endpoint: number,
      { status, type }: DeliveryFilter,
      { page, limit }: PageRequest,
      before: number | undefined,
    ): Promise<Page<DeliveryRow>> {
      const where = `d.endpoint = $1 ${status ? `and d.status = '${status}'` : ''} ${type ? 'and d.type = $2' : 'and $2::text is null'}`;
      const values = [endpoint, type ?? null];
      const [counted, items] = await Promise.all([
        database.count(
          `select count(*) from (select from webhooks.delivery d where ${where} limit ${MOST_COUNTED + 1}) counted`,
          values,
        ),
        database.all<DeliveryRow>(
          `select ${COLUMNS} from ${JOINED} where ${where} and ($3::bigint is null or d.sequence < $3)
           order by d.sequence desc limit $4 offset $5`,
          [...values, before ?? null, limit, offsetOf({ page, limit })],
        ),
      ]);
      return { page, limit, items, ...boundedTotal(counted) };
    },
    find: (endpoint: number, sequence: number): Promise<DeliveryDetail | undefined> =>
      database.first<DeliveryDetail>(
        `select ${COLUMNS}, d.responses, e.happened_at as "happenedAt", e.data::text as data from ${JOINED}
         where d.endpoint = $1 and d.sequence = $2`,
        [endpoint, sequence],
      ),
    /** Returns how many deliveries are pending and how many have failed for good, each up to {@link MOST_COUNTED}. */
    counts: async (endpoint: number): Promise<{ pending: number; failed: number }> =>
      (await database.first<{ pending: number; failed: number }>(
        `select
           (select count(*) from (
             (select from webhooks.delivery where endpoint = $1 and status = 'pending' and due_at is null
              limit ${MOST_COUNTED})
             union all
             (select from webhooks.delivery where endpoint = $1 and status = 'pending' and due_at is not null
              limit ${MOST_COUNTED})
             limit ${MOST_COUNTED}) counted) as pending,
           (select count(*) from (
             select from webhooks.delivery where endpoint = $1 and status = 'failed' limit ${MOST_COUNTED}) counted
           ) as failed`,
        [endpoint],
      )) as { pending: number; failed: number },
    /**
     * Marks at most `limit` deliveries that were attempted before to be sent again; returns their numbers, in
     * order.
     */
    replay: async (
      tx: Transaction,
      endpoint: number,
      { fromSequence, toSequence, since, until }: Replayed,
      limit: number,
    ): Promise<number[]> => {
      const rows = await tx.all<{ sequence: number }>(
        `update webhooks.delivery set status = 'pending', attempts = 0, due_at = null, is_replay = true,
           last_error = null, delivered_at = null
         where endpoint = $1 and sequence in (
           select d.sequence from webhooks.delivery d join webhooks.event e on e.position = d.position
           where d.endpoint = $1 and d.sequence >= $2 and ($3::timestamptz is null or d.created_at >= $3)
             and ($4::timestamptz is null or d.created_at <= $4) and (d.status <> 'pending' or d.due_at is not null)
           and d.sequence <= $6
           order by d.sequence limit $5)
         returning sequence`,
        [endpoint, fromSequence ?? 0, since ?? null, until ?? null, limit, toSequence],
      );
      return rows.map(({ sequence }) => sequence).sort((a, b) => a - b);
    },
    /** Deletes deliveries of an endpoint; returns how many. */
    delete: (endpoint: number, limit: number): Promise<number> =>
      database.execute(
        `delete from webhooks.delivery where endpoint = $1 and sequence in (
           select sequence from webhooks.delivery where endpoint = $1 order by sequence limit $2)`,
        [endpoint, limit],
      ),
    /** Counts the deliveries that {@link replay} would take, up to {@link MOST_COUNTED}. */
    countReplayed: (
      tx: Transaction,
      endpoint: number,
      { fromSequence, toSequence, since, until }: Replayed,
    ): Promise<number> =>
      tx.count(
        `select count(*) from (
           select from webhooks.delivery d join webhooks.event e on e.position = d.position
           where d.endpoint = $1 and d.sequence >= $2 and ($3::timestamptz is null or d.created_at >= $3)
             and ($4::timestamptz is null or d.created_at <= $4) and (d.status <> 'pending' or d.due_at is not null)
             and d.sequence <= $5
           limit ${MOST_COUNTED}) counted`,
        [endpoint, fromSequence ?? 0, since ?? null, until ?? null, toSequence],
      ),
  };
}

export type DeliveryStore = ReturnType<typeof deliveryStore>;
