import { setTimeout as sleep } from 'node:timers/promises';
import type { Static, TObject, TSchema } from 'typebox';
import { backOff } from './back-off.ts';
import type { Database } from './database/database.ts';
import { statement, type Transaction } from './database/queries.ts';
import type { NewId, ObjectId } from './ids.ts';
import type { Job, Jobs } from './jobs.ts';
import type { Clock } from './time.ts';
import { currentTrace, currentTraceparent, newTrace, type Trace, traceFrom, withTrace } from './trace.ts';

/** A kind of event: something that happened in one module and that others may care about. */
export interface EventKind<Data extends object> {
  /** The module, then what happened: `wallet.transferred`. */
  name: string;
  /** Grows when the shape changes in a way that old subscribers cannot read. */
  version: number;
  shape: TSchema;
  /** Carries the type of the data; never set. */
  readonly data?: Data;
}

/** Declares a kind of event with the shape of its data. */
export const eventKind = <Shape extends TObject>(
  name: string,
  { version, data }: { version: number; data: Shape },
): EventKind<Static<Shape> & object> => ({ name, version, shape: data });

/** An event as subscribers receive it. */
export interface Event<Data extends object> {
  /** The same at every delivery; what subscribers are idempotent by. */
  id: ObjectId;
  name: string;
  version: number;
  /** ISO 8601. */
  occurredAt: string;
  data: Data;
  /** Of what caused it, where that had a trace. */
  traceparent?: string;
}

/** Somebody's interest in a kind of event. */
export interface Subscription {
  event: string;
  /** Names the subscriber among those of the event. */
  subscriber: string;
  // biome-ignore lint/suspicious/noExplicitAny: the event's kind says what its data is
  handle?: (events: Event<any>[], tx: Transaction) => Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  handleExternally?: (event: Event<any>) => Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  handleInTransaction?: (event: Event<any>, tx: Transaction) => Promise<void>;
}

/**
 * Subscribes to a kind of event. Delivery is a durable job; what `receive` writes through `tx` commits with the job's
 * completion, so that within the database an event takes effect exactly once.
 */
export const on = <Data extends object>(
  kind: EventKind<Data>,
  subscriber: string,
  receive: (event: Event<Data>, tx: Transaction) => Promise<void>,
): Subscription =>
  onMany(kind, subscriber, async (events, tx) => {
    for (const event of events) await withTrace(traceOf([event]), () => receive(event, tx));
  });

/** The trace of these events when they share one; else a new one, since no single request caused them. */
function traceOf(events: Event<object>[]): Trace {
  const first = traceFrom(events[0]?.traceparent);
  const isShared = events.every(({ traceparent }) => traceFrom(traceparent)?.traceId === first?.traceId);
  return { ...((isShared && first) || newTrace()), job: currentTrace()?.job };
}

/**
 * The same with those that were published together, a few at a time: for kinds that come by the thousand. Where one of
 * them fails, each is tried by itself.
 */
export const onMany = <Data extends object>(
  kind: EventKind<Data>,
  subscriber: string,
  handle: (events: Event<Data>[], tx: Transaction) => Promise<void>,
): Subscription => ({ event: kind.name, subscriber, handle });

/**
 * Subscribes with work that reaches outside: no transaction waits for it, and it must bear being done twice, which
 * the event's id tells.
 */
export const onExternal = <Data extends object>(
  kind: EventKind<Data>,
  subscriber: string,
  handleExternally: (event: Event<Data>) => Promise<void>,
): Subscription => ({ event: kind.name, subscriber, handleExternally });

/**
 * Subscribes with work that belongs to the change itself: done at once, in the publisher's own transaction, so that
 * both happen or neither. For what must not be late, such as Keys that were paid for.
 */
export const onInTransaction = <Data extends object>(
  kind: EventKind<Data>,
  subscriber: string,
  handleInTransaction: (event: Event<Data>, tx: Transaction) => Promise<void>,
): Subscription => ({ event: kind.name, subscriber, handleInTransaction });

/** An event about to be published. */
export interface Announcement {
  kind: EventKind<object>;
  /** Made only if somebody listens. */
  data: () => object;
  traceparent: string | undefined;
}

export const announcement = <Data extends object>(kind: EventKind<Data>, data: () => Data): Announcement => ({
  kind,
  data,
  traceparent: currentTraceparent(),
});

export interface Events {
  /** Publishes within the transaction: every subscriber gets each event if and only if it commits. */
  publish<Data extends object>(tx: Transaction, kind: EventKind<Data>, ...data: Data[]): Promise<void>;
  /** The same for events of several kinds, those of one kind together. */
  publishAll(tx: Transaction, announcements: Announcement[]): Promise<void>;
}

const queueOf = ({ event, subscriber }: Pick<Subscription, 'event' | 'subscriber'>): string =>
  `on.${event}.${subscriber}`;

/** The jobs by which subscribers receive their events. */
export const subscriptionJobs = (subscriptions: Subscription[]): Job[] =>
  subscriptions
    .filter(({ handleInTransaction }) => !handleInTransaction)
    .map(({ event, subscriber, handle, handleExternally }) => ({
      name: queueOf({ event, subscriber }),
      ...(handle
        ? {
            runIn: (tx: Transaction, { events }: Delivery) =>
              withTrace(traceOf(events), () => handle(events, tx)),
            divide: ({ events }: Delivery) => events.map((one) => ({ events: [one] })),
            yields: true,
          }
        : { run: handleExternally }),
    }));

/** What a job of a subscriber in the database carries. */
interface Delivery {
  events: Event<object>[];
}

const MAX_PER_JOB = 50;

function inParts(events: Event<object>[]): Delivery[] {
  const parts: Delivery[] = [];
  for (let at = 0; at < events.length; at += MAX_PER_JOB)
    parts.push({ events: events.slice(at, at + MAX_PER_JOB) });
  return parts;
}

const OUTBOX_AT_ONCE = 100;
const OUTBOX_POLL_MS = 50;
const OUTBOX_PAUSE_MS = 1000;

const write = statement<never>(
  'kernel.write-outbox',
  'insert into kernel.outbox (event, events) values ($1, $2)',
);
const take = statement<{ id: number; event: string; events: Event<object>[] }>(
  'kernel.take-outbox',
  `delete from kernel.outbox
   where id in (select id from kernel.outbox order by id limit $1 for update skip locked)
   returning id, event, events`,
);

/** How far the relay is behind, over all processes. Counting ends at {@link MAX_COUNTED}. */
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
}

/**
 * The event backbone: events are written to an outbox in the transaction of the change, without waiting for it; a relay
 * takes them from there, each once, to the queues of their subscribers. Subscriptions are told later, when all modules
 * are made, for modules publish before others subscribe.
 */
export function eventBackbone({ database, clock, newId, jobs, onError }: BackboneDeps) {
  const subscriptionsOf = new Map<string, Subscription[]>();
  let relaying: Promise<void> | undefined;
  const end = new AbortController();

  /** Publishes events of one kind, each with the `traceparent` of what caused it. */
  async function publish(
    tx: Transaction,
    { name, version }: EventKind<object>,
    happened: { data: object; traceparent: string | undefined }[],
  ): Promise<void> {
    const subscriptions = subscriptionsOf.get(name);
    if (!subscriptions || happened.length === 0) return;
    const occurredAt = new Date(clock.now()).toISOString();
    const published = happened.map((one) => ({ id: newId(), name, version, occurredAt, ...one }));
    for (const { handleInTransaction } of subscriptions) {
      if (handleInTransaction) for (const event of published) await handleInTransaction(event, tx);
    }
    if (subscriptions.some(({ handleInTransaction }) => !handleInTransaction))
      tx.send(write, [name, JSON.stringify(published)]);
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
      const heard = announcements.filter(({ kind }) => subscriptionsOf.has(kind.name));
      for (const [kind, ofKind] of Map.groupBy(heard, ({ kind }) => kind)) {
        const happened = ofKind.map(({ data, traceparent }) => ({ data: data(), traceparent }));
        await publish(tx, kind, happened);
      }
    },
  };
  /** Takes the oldest from the outbox to their queues, in one transaction; answers how many it took. */
  async function relay(): Promise<number> {
    return database.transaction(async (tx) => {
      const rows = (await tx.all(take, [OUTBOX_AT_ONCE])).sort((a, b) => a.id - b.id);
      for (const [event, ofKind] of Map.groupBy(rows, (row) => row.event)) {
        const published = ofKind.flatMap((row) => row.events);
        for (const subscription of subscriptionsOf.get(event) ?? []) {
          if (subscription.handleInTransaction) continue;
          const carried = subscription.handle ? inParts(published) : published;
          await jobs.enqueue(tx, queueOf(subscription), carried);
        }
      }
      return rows.length;
    });
  }

  async function relayOn(): Promise<void> {
    const turn = backOff(end.signal);
    while (!end.signal.aborted) {
      const startedMs = performance.now();
      try {
        if ((await relay()) < OUTBOX_AT_ONCE) await sleep(OUTBOX_POLL_MS);
        await turn(Math.max(1, performance.now() - startedMs - OUTBOX_POLL_MS));
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
        const others = subscriptionsOf.get(subscription.event) ?? [];
        subscriptionsOf.set(subscription.event, [...others, subscription]);
      }
    },
    /** Events that are written and not yet in the queues of their subscribers, and how long the oldest has waited. */
    lag: async () => (await database.first(lag, [MAX_COUNTED])) ?? { rows: 0, oldestSeconds: 0 },
    /** Begins to relay; for processes that work. */
    start(): void {
      relaying ??= relayOn();
    },
    async stop(): Promise<void> {
      end.abort();
      await relaying;
    },
  };
}
