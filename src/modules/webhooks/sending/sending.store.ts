import type { Database } from '../../../kernel/database/database.ts';
import { statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { SECOND_MS } from '../../../kernel/time/time.ts';
import type { DeliveryStatus } from '../deliveries/deliveries.model.ts';
import { MAX_ENDPOINTS } from '../endpoints/endpoints.model.ts';

/** The fields of an endpoint that the sending process needs. */
export interface Target {
  id: ObjectId;
  number: number;
  url: string;
  enabled: boolean;
  ordered: boolean;
  secret: Buffer;
  previousSecret: Buffer | null;
  previousSecretExpiresAt: Date | null;
  isHeld: boolean;
  hasWork: boolean;
  hasNews: boolean;
}

/** A delivery to be sent; its event is null if that is no longer stored. */
export interface Due {
  sequence: number;
  attempts: number;
  isReplay: boolean;
  eventId: ObjectId | null;
  type: string;
  happenedAt: Date | null;
  data: string | null;
}

/** The outcome of an attempt. */
export interface Outcome {
  sequence: number;
  status: DeliveryStatus;
  /**
   * The number of attempts before this one. If it has changed, another process or a replay has taken over the
   * delivery.
   */
  attemptsBefore: number;
  attempts: number;
  dueAt: Date | null;
  responseStatus: number | null;
  responseMs: number | null;
  lastError: string | null;
  /** The response as a JSON list; empty without a response. */
  responses: string;
  deliveredAt: Date | null;
}

/** How long an endpoint belongs to a process after its last claim. */
export const HELD_MS = 5 * SECOND_MS;
const KEPT_RESPONSES = 20;

/** Uses min() because `exists` may scan the table where the index has no match. */
const targets = statement<Target>(
  'webhooks.targets',
  `select e.id, e.number, e.url, e.enabled, e.ordered, e.secret, e.previous_secret, e.previous_secret_expires_at,
     coalesce(e.held_by = $1 and e.held_until > now(), false) as is_held,
     e.enabled and (
       (select min(sequence) from webhooks.delivery d
        where d.endpoint = e.number and d.status = 'pending' and d.due_at is null) is not null
       or coalesce((select min(due_at) from webhooks.delivery d
        where d.endpoint = e.number and d.status = 'pending' and d.due_at is not null) <= $2, false)
     ) as has_work,
     coalesce((select max(position) from webhooks.event) > (select position from webhooks.progress), false) as has_news
   from webhooks.endpoint e order by e.number limit ${MAX_ENDPOINTS}`,
);
/** Locks in the same order as the fan-out, which may be running in another process. */
const hold = statement<never>(
  'webhooks.hold',
  `update webhooks.endpoint set held_by = $1, held_until = now() + interval '${HELD_MS} milliseconds'
   where id in (
     select id from webhooks.endpoint where held_by is null or held_by = $1 or held_until < now() order by id for update)`,
);

const COLUMNS = `d.sequence, d.attempts, d.is_replay as "isReplay", e.id as "eventId", d.type,
  e.happened_at as "happenedAt", e.data::text as data`;
const JOINED = 'webhooks.delivery d left join webhooks.event e on e.position = d.position';
const fresh = statement<Due>(
  'webhooks.fresh',
  `select ${COLUMNS} from ${JOINED}
   where d.endpoint = $1 and d.status = 'pending' and d.due_at is null and d.sequence <> all($2::bigint[])
   order by d.sequence limit $3`,
);
const retries = statement<Due>(
  'webhooks.retries',
  `select ${COLUMNS} from ${JOINED}
   where d.endpoint = $1 and d.status = 'pending' and d.due_at <= $4 and d.sequence <> all($2::bigint[])
   order by d.due_at limit $3`,
);
const next = statement<Due & { isDue: boolean }>(
  'webhooks.next-in-order',
  `select ${COLUMNS}, coalesce(d.due_at <= $2, true) as "isDue" from ${JOINED}
   where d.endpoint = $1 and d.status = 'pending' order by d.sequence limit 1`,
);
const record = statement<{ sequence: number }>(
  'webhooks.record',
  `update webhooks.delivery d set status = o.status, attempts = o.attempts, due_at = o.due_at,
     response_status = o.response_status, response_ms = o.response_ms, last_error = o.last_error,
     delivered_at = o.delivered_at,
     responses = case when jsonb_array_length(d.responses || o.responses) > ${KEPT_RESPONSES}
       then d.responses - 0 else d.responses end || o.responses
   from unnest($2::bigint[], $3::text[], $4::integer[], $5::timestamptz[], $6::integer[], $7::integer[], $8::text[],
     $9::jsonb[], $10::timestamptz[], $11::integer[])
     as o (sequence, status, attempts, due_at, response_status, response_ms, last_error, responses, delivered_at,
       attempts_before)
   where d.endpoint = $1 and d.sequence = o.sequence and d.status = 'pending' and d.attempts = o.attempts_before
   returning d.sequence`,
);
/** Those that would be sent next; all of them may be millions. */
const explain = statement<never>(
  'webhooks.explain-waiting',
  `update webhooks.delivery set last_error = $2
   where endpoint = $1 and sequence in (
     select sequence from webhooks.delivery where endpoint = $1 and status = 'pending' order by sequence limit $3)`,
);

const news = statement<{ position: number; type: string; happenedAt: Date }>(
  'webhooks.news',
  `select position, type, happened_at as "happenedAt" from webhooks.event
   where position > $1 and position < coalesce(
     (select position from webhooks.event where type is null order by position limit 1), 9223372036854775807)
   order by position limit $2`,
);
const receivers = statement<{
  number: number;
  types: string[];
  lastSequence: number;
  afterPosition: number;
  createdAt: Date;
}>(
  'webhooks.receivers',
  `select number, types, last_sequence as "lastSequence", after_position as "afterPosition",
     created_at as "createdAt"
   from webhooks.endpoint order by id limit ${MAX_ENDPOINTS} for update`,
);
const formerTypes = statement<{ endpoint: number; types: string[]; until: Date }>(
  'webhooks.former-types',
  'select endpoint, types, until from webhooks.former_types where until > $1 order by endpoint, until',
);
const enter = statement<never>(
  'webhooks.enter-deliveries',
  `insert into webhooks.delivery (endpoint, sequence, position, type, created_at)
   select * from unnest($1::integer[], $2::bigint[], $3::bigint[], $4::text[], $5::timestamptz[])`,
);
const number = statement<never>(
  'webhooks.number',
  `update webhooks.endpoint e set last_sequence = n.last
   from unnest($1::integer[], $2::bigint[]) as n (number, last) where e.number = n.number`,
);

/** An event that no program can read yet is not given out, and those after it wait; so do new ones for the endpoints. */
const oldestWaiting = statement<{ at: Date | null }>(
  'webhooks.oldest-waiting-event',
  `select min(happened_at) as at from (
     (select happened_at from webhooks.event where type is null order by position limit 1)
     union all
     (select happened_at from webhooks.event
      where position > (select position from webhooks.progress) and exists (select from webhooks.endpoint)
      order by position limit 1)) as waiting`,
);

export interface Entered {
  endpoint: number;
  sequence: number;
  position: number;
  type: string;
  createdAt: Date;
}

/** SQL of sending. */
export function sendingStore(database: Database) {
  return {
    targets: (holder: string, at: Date): Promise<Target[]> => database.all(targets, [holder, at]),
    /** Claims the endpoints that no other process sends to, or renews the claim. */
    hold: (holder: string): Promise<number> => database.execute(hold, [holder]),
    release: (holder: string): Promise<number> =>
      database.execute('update webhooks.endpoint set held_by = null where held_by = $1', [holder]),
    fresh: (endpoint: number, apart: number[], limit: number): Promise<Due[]> =>
      database.all(fresh, [endpoint, apart, limit]),
    retries: (endpoint: number, apart: number[], limit: number, at: Date): Promise<Due[]> =>
      database.all(retries, [endpoint, apart, limit, at]),
    next: (endpoint: number, at: Date) => database.first(next, [endpoint, at]),
    /** Records the outcomes of attempts; returns the numbers of those that were still current. */
    record: async (tx: Transaction, endpoint: number, all: Outcome[]): Promise<number[]> => {
      const rows = await tx.all(record, [
        endpoint,
        all.map(({ sequence }) => sequence),
        all.map(({ status }) => status),
        all.map(({ attempts }) => attempts),
        all.map(({ dueAt }) => dueAt),
        all.map(({ responseStatus }) => responseStatus),
        all.map(({ responseMs }) => responseMs),
        all.map(({ lastError }) => lastError),
        all.map(({ responses }) => responses),
        all.map(({ deliveredAt }) => deliveredAt),
        all.map(({ attemptsBefore }) => attemptsBefore),
      ]);
      return rows.map(({ sequence }) => sequence);
    },
    /** Says of the first deliveries that wait for an endpoint why they are not sent. */
    explain: (tx: Transaction, endpoint: number, why: string, atMost: number): Promise<number> =>
      tx.execute(explain, [endpoint, why, atMost]),
    succeeded: (tx: Transaction, id: ObjectId, at: Date): Promise<number> =>
      tx.execute('update webhooks.endpoint set failing_since = null, last_delivered_at = $2 where id = $1', [
        id,
        at,
      ]),
    /** Records that an attempt failed; returns the time since which all attempts have failed. */
    failed: async (tx: Transaction, id: ObjectId, at: Date): Promise<Date | undefined> =>
      (
        await tx.first<{ failingSince: Date }>(
          `update webhooks.endpoint set failing_since = coalesce(failing_since, $2) where id = $1
           returning failing_since`,
          [id, at],
        )
      )?.failingSince,
    /** Disables the endpoint; returns whether it was enabled. */
    disable: async (tx: Transaction, id: ObjectId, reason: string): Promise<boolean> =>
      (await tx.execute(
        'update webhooks.endpoint set enabled = false, disabled_reason = $2 where id = $1 and enabled',
        [id, reason],
      )) > 0,
    /** Locks the position up to which deliveries exist; undefined while another process creates them. */
    lockProgress: async (tx: Transaction): Promise<number | undefined> =>
      (await tx.first<{ position: number }>('select position from webhooks.progress for update skip locked'))
        ?.position,
    news: (tx: Transaction, after: number, limit: number) => tx.all(news, [after, limit]),
    receivers: (tx: Transaction) => tx.all(receivers),
    /** Returns the types that endpoints had after this instant and before the present ones, in the order of their ends. */
    formerTypes: (tx: Transaction, since: Date) => tx.all(formerTypes, [since]),
    async enter(tx: Transaction, all: Entered[]): Promise<void> {
      await tx.execute(enter, [
        all.map(({ endpoint }) => endpoint),
        all.map(({ sequence }) => sequence),
        all.map(({ position }) => position),
        all.map(({ type }) => type),
        all.map(({ createdAt }) => createdAt),
      ]);
      const last = new Map(all.map(({ endpoint, sequence }) => [endpoint, sequence]));
      await tx.execute(number, [[...last.keys()], [...last.values()]]);
    },
    /** When the oldest event happened that is not given out yet, or not among the deliveries; null without one. */
    oldestWaiting: async (): Promise<Date | null> => (await database.first(oldestWaiting))?.at ?? null,
    proceed: (tx: Transaction, position: number): Promise<number> =>
      tx.execute('update webhooks.progress set position = $1', [position]),
  };
}

export type SendingStore = ReturnType<typeof sendingStore>;
