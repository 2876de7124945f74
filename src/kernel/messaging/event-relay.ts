import type { Database } from '../database/database.ts';
import { isConflict } from '../database/faults.ts';
import { type Statement, statement, type Transaction } from '../database/queries.ts';
import { isOutage, isStatementTimeout } from '../outages.ts';
import { parseStorable } from '../text/safe-text.ts';
import { deliveryTo, EventShape, externalDeliveryTo, toDeliveries } from './event-deliveries.ts';
import type { Event, Subscription } from './events.ts';
import { type Job, type Jobs, job, jobKind } from './jobs.ts';

/** Number of outbox rows that leave in one transaction. */
export const OUTBOX_AT_ONCE = 100;

interface TakenRow {
  id: number;
  events: string;
}
const take = statement<TakenRow>(
  'kernel.take-outbox',
  `delete from kernel.outbox
   where id in (select id from kernel.outbox order by id limit $1 for update skip locked)
   returning id, events::text`,
);
const oldest = statement<{ id: number }>(
  'kernel.oldest-in-outbox',
  'select id from kernel.outbox order by id limit $1',
);
const takeOne = statement<TakenRow>(
  'kernel.take-from-outbox',
  'delete from kernel.outbox where id = $1 returning id, events::text',
);

/** Earlier programs wrote what the queues cannot store. */
const eventsIn = ({ events }: TakenRow): Event<object>[] => parseStorable(events) as Event<object>[];

/** Whether the same rows may be relayed a moment later. */
const isPassing = (error: unknown): boolean => isOutage(error) || isConflict(error);

/** The subscriptions to each kind of event, by its name. */
export type SubscriptionsOf = Map<string, Subscription[]>;

/** Makes all processes relay one after the other, until the transaction ends. */
const lockRelay = (tx: Transaction): Promise<void> => tx.lock('kernel.relay');

/** Returns a function that hands events, in this order, to those who receive them in order, and to the queues of all others. */
const deliveringTo =
  (subscriptionsOf: SubscriptionsOf, jobs: Jobs) =>
  async (tx: Transaction, published: Event<object>[]): Promise<void> => {
    await deliverInOrder(tx, subscriptionsOf, published);
    for (const [name, ofKind] of Map.groupBy(published, (event) => event.name)) {
      const byVersion = Map.groupBy(ofKind, ({ version }) => version);
      for (const subscription of subscriptionsOf.get(name) ?? [])
        for (const ofVersion of byVersion.values()) await enqueue(tx, jobs, subscription, ofVersion);
    }
  };

/** Gives events of several kinds to those who receive them in order. */
async function deliverInOrder(
  tx: Transaction,
  subscriptionsOf: SubscriptionsOf,
  published: Event<object>[],
): Promise<void> {
  const receivers = new Set(
    [...subscriptionsOf.values()].flat().flatMap(({ handleInOrder }) => handleInOrder ?? []),
  );
  for (const receive of receivers) {
    const theirs = published.filter(({ name }) =>
      subscriptionsOf.get(name)?.some(({ handleInOrder }) => handleInOrder === receive),
    );
    if (theirs.length > 0) await receive(theirs, tx);
  }
}

/** Enqueues events of one version for one subscriber. */
async function enqueue(
  tx: Transaction,
  jobs: Jobs,
  subscription: Subscription,
  published: Event<object>[],
): Promise<void> {
  const version = published[0]?.version ?? subscription.kind.version;
  if (subscription.handle)
    await jobs.enqueue(tx, { ...deliveryTo(subscription), version }, toDeliveries(published));
  else if (subscription.handleExternally)
    await jobs.enqueue(tx, { ...externalDeliveryTo(subscription), version }, published);
}

/** The queue of events that failed as they left the outbox; its jobs enqueue those of all subscribers. */
export const RELAY_QUEUE = 'kernel.relay-event';

const relayAlone = jobKind(RELAY_QUEUE, { version: 1, data: EventShape });

/** Returns the job that tries such an event again; others have gone before it meanwhile. */
export function relayJob(subscriptions: Subscription[], jobs: Jobs): Job {
  const deliver = deliveringTo(
    Map.groupBy(subscriptions, ({ kind }) => kind.name),
    jobs,
  );
  return job(relayAlone, {
    runIn: async (tx, event) => {
      await lockRelay(tx);
      await deliver(tx, [event]);
    },
  });
}

interface RelayDeps {
  database: Database;
  jobs: Jobs;
  subscriptionsOf: SubscriptionsOf;
  onError: (error: Error) => void;
  /** Ends the relay: of rows that go one by one, no further one begins. */
  end: AbortSignal;
}

/**
 * Returns a function that moves the oldest rows of the outbox, at most {@link OUTBOX_AT_ONCE}, to their subscribers' queues
 * and returns how many these were. A row that fails becomes jobs, which try again by themselves; the function throws while
 * the database is unavailable.
 */
export function relayOf({ database, jobs, subscriptionsOf, onError, end }: RelayDeps): () => Promise<number> {
  const deliver = deliveringTo(subscriptionsOf, jobs);

  /**
   * Moves the rows that a statement takes out of the outbox to their subscribers' queues, in one transaction; returns how
   * many it moved. The lock, held until the commit, makes all processes relay one after the other.
   */
  const move = (taking: Statement<TakenRow>, value: number): Promise<number> =>
    database.transaction(async (tx) => {
      const [, taken] = await Promise.all([lockRelay(tx), tx.all(taking, [value])]);
      const rows = taken.sort((a, b) => a.id - b.id);
      await deliver(tx, rows.flatMap(eventsIn));
      return rows.length;
    });

  /** Moves the oldest outbox rows, each in a transaction of its own; one that fails is set aside. */
  async function relaySingly(): Promise<number> {
    const ids = await database.all(oldest, [OUTBOX_AT_ONCE]);
    for (const { id } of ids) {
      if (end.aborted) break;
      try {
        await move(takeOne, id);
      } catch (error) {
        if (isPassing(error)) throw error;
        onError(error as Error);
        await setAside(id);
      }
    }
    return ids.length;
  }

  /** Makes each event of an outbox row a job of its own, so that it is tried again later and holds up no others. */
  async function setAside(id: number): Promise<void> {
    await database.transaction(async (tx) => {
      const rows = await tx.all(takeOne, [id]);
      await jobs.enqueue(tx, relayAlone, rows.flatMap(eventsIn));
    });
  }

  return async function relay(): Promise<number> {
    try {
      return await move(take, OUTBOX_AT_ONCE);
    } catch (error) {
      // A statement may take too long because of the number of rows, and would do so each time.
      if (isPassing(error) && !isStatementTimeout(error)) throw error;
      return relaySingly();
    }
  };
}
