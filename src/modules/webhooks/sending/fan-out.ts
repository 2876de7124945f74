import type { Core } from '../../../kernel/core.ts';
import { TEST_TYPE } from '../events/events.model.ts';
import { selects } from '../events/types.ts';
import type { Entered, SendingStore } from './sending.store.ts';

/** Maximum number of events per transaction, each for at most twenty endpoints. */
const EVENTS_AT_ONCE = 250;

interface News {
  position: number;
  type: string;
  happenedAt: Date;
}
interface Receiver {
  number: number;
  types: string[];
  lastSequence: number;
  afterPosition: number;
  createdAt: Date;
}
/** The types of an endpoint until they were changed. */
interface Former {
  endpoint: number;
  types: string[];
  until: Date;
}

/** Returns the deliveries of those of the events whose types an endpoint subscribed to when they happened, with its next numbers. */
const numbered = (
  events: News[],
  { number, types, lastSequence, afterPosition, createdAt }: Receiver,
  allFormer: Former[],
): Entered[] => {
  const former = allFormer.filter(({ endpoint }) => endpoint === number);
  const typesAt = (at: Date): string[] => former.find(({ until }) => at < until)?.types ?? types;
  return events
    .filter(({ position, happenedAt }) => position > afterPosition && happenedAt >= createdAt)
    .filter(({ type, happenedAt }) => type !== TEST_TYPE && selects(typesAt(happenedAt), type))
    .map(({ position, type, happenedAt }, place) => ({
      endpoint: number,
      sequence: lastSequence + place + 1,
      position,
      type,
      createdAt: happenedAt,
    }));
};

interface FanOutDeps extends Pick<Core, 'database'> {
  store: SendingStore;
}

/**
 * Returns the function that numbers new events of the log for each endpoint that subscribes to their types, in one
 * transaction and in one process at a time. It returns whether there may be more.
 */
export const fanOut =
  ({ store, database }: FanOutDeps) =>
  (): Promise<boolean> =>
    database.transaction(async (tx) => {
      const after = await store.lockProgress(tx);
      if (after === undefined) return false;
      const events = await store.news(tx, after, EVENTS_AT_ONCE);
      const last = events.at(-1);
      if (!last) return false;
      const receivers = await store.receivers(tx);
      const oldestMs = Math.min(...events.map(({ happenedAt }) => happenedAt.getTime()));
      const former = await store.formerTypes(tx, new Date(oldestMs));
      const entered = receivers.flatMap((receiver) => numbered(events, receiver, former));
      if (entered.length > 0) await store.enter(tx, entered);
      await store.proceed(tx, last.position);
      return events.length === EVENTS_AT_ONCE;
    });

export type FanOut = ReturnType<typeof fanOut>;
