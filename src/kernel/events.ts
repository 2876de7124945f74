import type { Transaction } from './database/queries.ts';
import type { NewId, ObjectId } from './ids.ts';
import type { Job, Jobs } from './jobs.ts';
import type { Clock } from './time.ts';

/** A kind of event: something that happened in one module and that others may care about. */
export interface EventKind<Data extends object> {
  /** `wallet.transferred`: the module, then what happened. */
  name: string;
  readonly data?: Data;
}

export const eventKind = <Data extends object>(name: string): EventKind<Data> => ({ name });

/** An event as subscribers receive it. */
export interface Event<Data extends object> {
  /** The same at every delivery; what subscribers are idempotent by. */
  id: ObjectId;
  name: string;
  /** ISO 8601. */
  occurredAt: string;
  data: Data;
}

/** Somebody's interest in a kind of event. */
export interface Subscription {
  event: string;
  /** Names the subscriber among those of the event. */
  subscriber: string;
  // biome-ignore lint/suspicious/noExplicitAny: the event's kind says what its data is
  receive?: (event: Event<any>, tx: Transaction) => Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  deliver?: (event: Event<any>) => Promise<void>;
}

/**
 * Subscribes to a kind of event. Each delivery is one durable job; what `receive` writes through `tx` commits
 * with the job's completion, so that within the database an event takes effect exactly once.
 */
export const on = <Data extends object>(
  kind: EventKind<Data>,
  subscriber: string,
  receive: (event: Event<Data>, tx: Transaction) => Promise<void>,
): Subscription => ({ event: kind.name, subscriber, receive });

/**
 * Subscribes with work that reaches outside: no transaction waits for it, and it must bear being done twice, which
 * the event's id tells.
 */
export const onOutside = <Data extends object>(
  kind: EventKind<Data>,
  subscriber: string,
  deliver: (event: Event<Data>) => Promise<void>,
): Subscription => ({ event: kind.name, subscriber, deliver });

export interface Events {
  /** Publishes within the transaction: every subscriber gets each event if and only if it commits. */
  publish<Data extends object>(tx: Transaction, kind: EventKind<Data>, ...data: Data[]): Promise<void>;
}

const queueOf = ({ event, subscriber }: Pick<Subscription, 'event' | 'subscriber'>): string =>
  `on.${event}.${subscriber}`;

/** The jobs by which subscribers receive their events. */
export const subscriptionJobs = (subscriptions: Subscription[]): Job[] =>
  subscriptions.map(({ event, subscriber, receive, deliver }) => ({
    name: queueOf({ event, subscriber }),
    runIn: receive && ((tx, event) => receive(event, tx)),
    run: deliver,
  }));

/**
 * The event backbone: one job for each event and subscriber, enqueued in the transaction of the change.
 * Subscriptions are told later, when all modules are made, for modules publish before others subscribe.
 */
export function eventBackbone({ clock, newId, jobs }: { clock: Clock; newId: NewId; jobs: Jobs }) {
  const queuesOf = new Map<string, string[]>();
  const events: Events = {
    publish: async (tx, kind, ...data) => {
      const queues = queuesOf.get(kind.name);
      if (!queues) return;
      const occurredAt = new Date(clock.now()).toISOString();
      const published = data.map((one) => ({ id: newId(), name: kind.name, occurredAt, data: one }));
      for (const queue of queues) await jobs.enqueue(tx, queue, published);
    },
  };
  return {
    events,
    subscribe: (subscriptions: Subscription[]): void => {
      for (const subscription of subscriptions) {
        const queues = queuesOf.get(subscription.event) ?? [];
        queuesOf.set(subscription.event, [...queues, queueOf(subscription)]);
      }
    },
  };
}
