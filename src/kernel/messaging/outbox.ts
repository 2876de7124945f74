import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { type Queries, statement, type Transaction } from '../database/queries.ts';
import type { NewId } from '../ids.ts';
import { storableJson } from '../text/safe-text.ts';
import type { Clock } from '../time/time.ts';
import { currentTraceparent } from '../trace.ts';
import { type BackOff, neverBackOff } from './back-off.ts';
import { OUTBOX_AT_ONCE, relayOf, type SubscriptionsOf } from './event-relay.ts';
import type { Announcement, Event, EventKind, Events, Subscription } from './events.ts';
import type { Jobs } from './jobs.ts';
import { type MessageCheck, noMessageCheck } from './message-check.ts';

/** The first line of a statement that writes outbox rows. */
export const WRITE_OUTBOX = 'insert into kernel.outbox (event, events)';

/** The data of an event that is being published, and the trace of its cause. */
interface PendingEvent {
  data: object;
  traceparent: string | undefined;
}

/** Polling intervals: for a while after any process published an event, and otherwise. */
const OUTBOX_POLL_MS = 50;
const QUIET_POLL_MS = 250;
const BUSY_FOR_MS = 2_000;
const OUTBOX_PAUSE_MS = 1000;

const write = statement<never>('kernel.write-outbox', `${WRITE_OUTBOX} values ($1, $2)`);

/** The relay's backlog over all processes. Counting ends at {@link MAX_COUNTED}. */
const lag = statement<{ rows: number; oldestSeconds: number }>(
  'kernel.outbox-lag',
  `select (select count(*)::integer from (select 1 from kernel.outbox limit $1) as counted) as rows,
     coalesce((select extract(epoch from now() - created_at) from kernel.outbox order by id limit 1), 0)::float8
       as "oldestSeconds"`,
);
const MAX_COUNTED = 10_000;

interface BackboneDeps {
  database: Database;
  clock: Clock;
  newId: NewId;
  jobs: Jobs;
  onError: (error: Error) => void;
  /** Checks published data against the shape of its kind. */
  check?: MessageCheck;
  /** How the relay backs off while requests keep the process busy. */
  backOff?: BackOff;
}

/**
 * The event backbone. Publishing writes events to an outbox in the transaction of the change, without waiting for the
 * write. A relay moves each event once from the outbox to the queues of its subscribers. Subscriptions are added after
 * all modules are created, because a module may publish before another one subscribes.
 */
export function eventBackbone({
  database,
  clock,
  newId,
  jobs,
  onError,
  check = noMessageCheck,
  backOff = neverBackOff,
}: BackboneDeps) {
  const subscriptionsOf: SubscriptionsOf = new Map();
  let relaying: Promise<void> | undefined;
  let lastEventAtMs = Number.NEGATIVE_INFINITY;
  const end = new AbortController();

  /** Makes events of one kind, each with the `traceparent` of its cause. */
  function eventsOf({ name, version, shape }: EventKind<object>, happened: PendingEvent[]): Event<object>[] {
    for (const { data } of happened) check(`an event ${name}`, shape, data);
    lastEventAtMs = performance.now();
    const occurredAt = new Date(clock.now()).toISOString();
    return happened.map((one) => ({ id: newId(), name, version, occurredAt, ...one }));
  }

  /** Groups the announcements by kind, leaving out kinds without subscribers. */
  function groupByKind(announcements: Announcement[]): [EventKind<object>, PendingEvent[]][] {
    const all = announcements.filter(({ kind }) => subscriptionsOf.has(kind.name));
    return [...Map.groupBy(all, ({ kind }) => kind)].map(([kind, ofKind]) => [
      kind,
      ofKind.map(({ data, traceparent }) => ({ data: data(), traceparent })),
    ]);
  }

  async function publish(tx: Transaction, kind: EventKind<object>, happened: PendingEvent[]): Promise<void> {
    const { name } = kind;
    const published = eventsOf(kind, happened);
    const subscriptions = subscriptionsOf.get(name);
    if (!subscriptions || happened.length === 0) return;
    for (const { handleInTransaction } of subscriptions) {
      if (handleInTransaction) await handleInTransaction(published, tx);
    }
    if (subscriptions.some(({ handleInTransaction }) => !handleInTransaction))
      tx.send(write, [name, storableJson(published)]);
  }

  const events: Events = {
    publish: (tx, kind, ...data) => {
      const traceparent = currentTraceparent();
      return publish(
        tx,
        kind,
        data.map((one) => ({ data: one, traceparent })),
      );
    },
    publishAll: async (tx, announcements) => {
      for (const [kind, happened] of groupByKind(announcements)) await publish(tx, kind, happened);
    },
    outboxRows: (announcements) => {
      const isInTransaction = ({ kind }: Announcement) =>
        subscriptionsOf.get(kind.name)?.some(({ handleInTransaction }) => handleInTransaction);
      if (announcements.some(isInTransaction)) return undefined;
      return groupByKind(announcements).map(([kind, happened]) => ({
        event: kind.name,
        events: storableJson(eventsOf(kind, happened)),
      }));
    },
  };
  const relay = relayOf({ database, jobs, onError, subscriptionsOf, end: end.signal });

  /** Waits for the next poll of the outbox; an event published by this process shortens the wait. */
  async function waitForPoll(): Promise<void> {
    for (const startedMs = performance.now(); performance.now() - startedMs < QUIET_POLL_MS; ) {
      await sleep(OUTBOX_POLL_MS);
      if (end.signal.aborted || performance.now() - lastEventAtMs < BUSY_FOR_MS) return;
    }
  }

  async function relayOn(): Promise<void> {
    const turn = backOff(end.signal);
    while (!end.signal.aborted) {
      const startedMs = performance.now();
      try {
        const moved = await relay();
        const tookMs = performance.now() - startedMs;
        if (moved > 0) lastEventAtMs = performance.now();
        if (moved < OUTBOX_AT_ONCE) await waitForPoll();
        await turn(tookMs);
      } catch (error) {
        onError(error as Error);
        await sleep(OUTBOX_PAUSE_MS);
      }
    }
  }

  return {
    events,
    subscribe: (subscriptions: Subscription[]): void => {
      for (const subscription of subscriptions) {
        const others = subscriptionsOf.get(subscription.kind.name) ?? [];
        subscriptionsOf.set(subscription.kind.name, [...others, subscription]);
      }
    },
    /** Returns the number of outbox rows not yet relayed to their subscribers' queues, and the age of the oldest. */
    lag: async (queries: Pick<Queries, 'first'> = database) =>
      (await queries.first(lag, [MAX_COUNTED])) ?? { rows: 0, oldestSeconds: 0 },
    /** Starts relaying; for worker processes. */
    start(): void {
      relaying ??= relayOn();
    },
    async stop(): Promise<void> {
      end.abort();
      await relaying;
    },
  };
}
