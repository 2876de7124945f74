import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Jobs, job } from '../../kernel/messaging/jobs.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { Audience, TopicMessage, TopicSubscription } from './contract.ts';
import { notifyPart, notifySubscribers } from './notifications.jobs.ts';
import type { Notify } from './sending.ts';
import type { TopicStore } from './topics.store.ts';

/** Members per job; keeps its transaction to some tens of milliseconds. */
const CHUNK = 500;

interface TopicDeps {
  store: TopicStore;
  database: Database;
  jobs: Pick<Jobs, 'enqueue'>;
  notify: Notify;
  moderation: Pick<Moderation, 'blocksAmong'>;
  clock: Clock;
}

/** An audience in job data, where dates are text. */
interface Carried {
  topic: string;
  kind?: { topic: string; since: string };
}

const audienceOf = ({ topic, kind }: Carried): Audience => ({
  topic,
  kind: kind && { topic: kind.topic, since: new Date(kind.since) },
});

/** Subscriptions to topics, and notification of their subscribers. */
export function topicRules({ store, database, jobs, notify, moderation, clock }: TopicDeps) {
  /** Returns the members who have not blocked the one whose doing it is. */
  async function willing(tx: Transaction, userIds: ObjectId[], from?: ObjectId): Promise<ObjectId[]> {
    if (from === undefined) return userIds;
    const pairs = userIds.map((blockerId) => ({ blockerId, blockedId: from }));
    const blockers = new Set((await moderation.blocksAmong(pairs, tx)).map(({ blockerId }) => blockerId));
    return userIds.filter((userId) => !blockers.has(userId));
  }

  /** Splits the audience and enqueues all parts at once, so that they run concurrently. */
  const fanOut = job(notifySubscribers, {
    concurrency: 2,
    runIn: async (tx, { topic, kind, from, message }) => {
      const stretches = await store.stretches(tx, audienceOf({ topic, kind }), CHUNK);
      await jobs.enqueue(
        tx,
        notifyPart,
        stretches.map((stretch) => ({ ...stretch, topic, kind, from, message })),
      );
    },
  });

  const fanOutPart = job(notifyPart, {
    concurrency: 2,
    separately: true,
    runIn: async (tx, { message, after, upTo, from, ...whom }) => {
      const userIds = await willing(tx, await store.members(tx, audienceOf(whom), { after, upTo }), from);
      await notify(
        tx,
        userIds.map((userId) => ({ ...message, userId })),
      );
    },
  });

  const pairs = (userId: ObjectId, topics: string[]): TopicSubscription[] =>
    [...new Set(topics)].map((topic) => ({ topic, userId }));

  return {
    /** Returns those of the topics to which a member is subscribed. */
    of: store.of,
    /** Notifies all subscribers once the transaction commits, in jobs of a few hundred. */
    async notify(tx: Transaction, whom: string | Audience, message: TopicMessage): Promise<void> {
      const { topic, kind, from }: Audience = typeof whom === 'string' ? { topic: whom } : whom;
      const carried = kind && { topic: kind.topic, since: kind.since.toISOString() };
      await jobs.enqueue(tx, notifySubscribers, [{ topic, kind: carried, from, message }]);
    },
    jobs: [fanOut, fanOutPart],
    async subscribe(userId: ObjectId, topics: string[]): Promise<void> {
      await store.subscribe(database, pairs(userId, topics), clock.date());
    },
    async unsubscribe(userId: ObjectId, topics: string[]): Promise<void> {
      await database.transaction((tx) =>
        store.unsubscribe(tx, pairs(userId, topics), { at: clock.date(), optsOut: false }),
      );
    },
    subscribeIn: (tx: Transaction, all: TopicSubscription[]): Promise<void> =>
      store.subscribe(tx, all, clock.date()),
    /** Subscribes to all existing topics of a kind. */
    subscribeToKind: (userId: ObjectId, kind: string): Promise<void> =>
      store.subscribe(database, [{ topic: kind, userId }], clock.date(), [kind]),
    unsubscribeIn: (tx: Transaction, all: TopicSubscription[]): Promise<void> =>
      store.unsubscribe(tx, all, { at: clock.date(), optsOut: false }),
    optOutIn: (tx: Transaction, all: TopicSubscription[]): Promise<void> =>
      store.unsubscribe(tx, all, { at: clock.date(), optsOut: true }),
  };
}

export type TopicRules = ReturnType<typeof topicRules>;
