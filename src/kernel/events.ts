import { setTimeout as sleep } from 'node:timers/promises';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { backOff } from './back-off.ts';
import type { Database } from './database/database.ts';
import { statement, type Transaction } from './database/queries.ts';
import type { NewId, ObjectId } from './ids.ts';
import { type Job, type Jobs, job, jobKind } from './jobs.ts';
import { type MessageCheck, noMessageCheck } from './message-check.ts';
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

/** Somebody's interest in a kind of event. The functions that make one see that it is handed events of that kind. */
export interface Subscription {
  event: string;
  /** Names the subscriber among those of the event. */
  subscriber: string;
  handle?(events: Event<object>[], tx: Transaction): Promise<void>;
  handleExternally?(event: Event<object>): Promise<void>;
  handleInTransaction?(events: Event<object>[], tx: Transaction): Promise<void>;
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
): Subscription =>
  onManyInTransaction(kind, subscriber, async (events, tx) => {
    for (const event of events) await handleInTransaction(event, tx);
  });

/** The same with those that were published together, for kinds that come by the hundred. */
export const onManyInTransaction = <Data extends object>(
  kind: EventKind<Data>,
  subscriber: string,
  handleInTransaction: (events: Event<Data>[], tx: Transaction) => Promise<void>,
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

const EventShape = Type.Object({
  id: Type.String(),
  name: Type.String(),
  version: Type.Integer(),
  occurredAt: Type.String(),
  data: Type.Unsafe<object>({ type: 'object' }),
  traceparent: Type.Optional(Type.String()),
});
const DeliveryShape = Type.Object({ events: Type.Array(EventShape) });

const queueOf = ({ event, subscriber }: Subscription): string => `on.${event}.${subscriber}`;
/** The job of a subscriber in the database: some events at once. */
const deliveryTo = (subscription: Subscription) => jobKind(queueOf(subscription), DeliveryShape);
/** The job of a subscriber that reaches outside: one event. */
const externalDeliveryTo = (subscription: Subscription) => jobKind(queueOf(subscription), EventShape);

/** The jobs by which subscribers receive their events. */
export const subscriptionJobs = (subscriptions: Subscription[]): Job[] =>
  subscriptions.flatMap((subscription) => {
    const { handle, handleExternally } = subscription;
    if (handle)
      return job(deliveryTo(subscription), {
        runIn: (tx, { events }) => withTrace(traceOf(events), () => handle(events, tx)),
        split: ({ events }) => events.map((one) => ({ events: [one] })),
        lowPriority: true,
      });
    return handleExternally ? job(externalDeliveryTo(subscription), { run: handleExternally }) : [];
  });

const MAX_PER_JOB = 50;

function inParts(events: Event<object>[]): Static<typeof DeliveryShape>[] {
  const parts: Static<typeof DeliveryShape>[] = [];
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
  /** Checks what is published against the shape of its kind. */
  check?: MessageCheck;
}

/**
 * The event backbone: events are written to an outbox in the transaction of the change, without waiting for it; a relay
 * takes them from there, each once, to the queues of their subscribers. Subscriptions are told later, when all modules
 * are made, for modules publish before others subscribe.
 */
export function eventBackbone({
  database,
  clock,
  newId,
  jobs,
  onError,
  check = noMessageCheck,
}: BackboneDeps) {
  const subscriptionsOf = new Map<string, Subscription[]>();
  let relaying: Promise<void> | undefined;
  const end = new AbortController();

  /** Publishes events of one kind, each with the `traceparent` of what caused it. */
  async function publish(
    tx: Transaction,
    { name, version, shape }: EventKind<object>,
    happened: { data: object; traceparent: string | undefined }[],
  ): Promise<void> {
    for (const { data } of happened) check(`an event ${name}`, shape, data);
    const subscriptions = subscriptionsOf.get(name);
    if (!subscriptions || happened.length === 0) return;
    const occurredAt = new Date(clock.now()).toISOString();
    const published = happened.map((one) => ({ id: newId(), name, version, occurredAt, ...one }));
    for (const { handleInTransaction } of subscriptions) {
      if (handleInTransaction) await handleInTransaction(published, tx);
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
          if (subscription.handle) await jobs.enqueue(tx, deliveryTo(subscription), inParts(published));
          else await jobs.enqueue(tx, externalDeliveryTo(subscription), published);
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
