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
  // biome-ignore lint/suspicious/noExplicitAny: as above
  join?: (event: Event<any>, tx: Transaction) => Promise<void>;
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

/**
 * Subscribes with work that belongs to the change itself: done at once, in the publisher's own transaction, so that
 * both happen or neither. For what must not be late, such as Keys that were paid for.
 */
export const onWithin = <Data extends object>(
  kind: EventKind<Data>,
  subscriber: string,
  join: (event: Event<Data>, tx: Transaction) => Promise<void>,
): Subscription => ({ event: kind.name, subscriber, join });

/** An event about to be published. */
export interface Announcement {
  kind: EventKind<object>;
  /** Made only if somebody listens. */
  data: () => object;
}

export const announcement = <Data extends object>(kind: EventKind<Data>, data: () => Data): Announcement => ({
  kind,
  data,
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
    .filter(({ join }) => !join)
    .map(({ event, subscriber, receive, deliver }) => ({
      name: queueOf({ event, subscriber }),
      runIn: receive && ((tx, event) => receive(event, tx)),
      run: deliver,
    }));

/**
 * The event backbone: one job for each event and subscriber, enqueued in the transaction of the change.
 * Subscriptions are told later, when all modules are made, for modules publish before others subscribe.
 */
export function eventBackbone({ clock, newId, jobs }: { clock: Clock; newId: NewId; jobs: Jobs }) {
  const subscriptionsOf = new Map<string, Subscription[]>();
  const events: Events = {
    publish: async (tx, kind, ...data) => {
      const subscriptions = subscriptionsOf.get(kind.name);
      if (!subscriptions) return;
      const occurredAt = new Date(clock.now()).toISOString();
      const published = data.map((one) => ({ id: newId(), name: kind.name, occurredAt, data: one }));
      for (const subscription of subscriptions) {
        if (!subscription.join) await jobs.enqueue(tx, queueOf(subscription), published);
        else for (const event of published) await subscription.join(event, tx);
      }
    },
    publishAll: async (tx, announcements) => {
      const heard = announcements.filter(({ kind }) => subscriptionsOf.has(kind.name));
      for (const [kind, ofKind] of Map.groupBy(heard, ({ kind }) => kind)) {
        await events.publish(tx, kind, ...ofKind.map(({ data }) => data()));
      }
    },
  };
  return {
    events,
    subscribe: (subscriptions: Subscription[]): void => {
      for (const subscription of subscriptions) {
        const others = subscriptionsOf.get(subscription.event) ?? [];
        subscriptionsOf.set(subscription.event, [...others, subscription]);
      }
    },
  };
}
