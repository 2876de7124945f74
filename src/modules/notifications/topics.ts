import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { OptOut, TopicSubscription } from './contract.ts';
import type { TopicStore } from './topics.store.ts';

interface TopicDeps extends Pick<Core, 'database' | 'clock'> {
  store: TopicStore;
}

/** Subscriptions to topics. */
export function topicRules({ store, database, clock }: TopicDeps) {
  const pairs = (userId: ObjectId, topics: string[]): TopicSubscription[] =>
    [...new Set(topics)].map((topic) => ({ topic, userId }));

  return {
    /** Returns those of the topics to which a member is subscribed. */
    of: store.of,
    audiencesOf: store.audiencesOf,
    async subscribe(userId: ObjectId, topics: string[]): Promise<void> {
      await store.subscribe(database, pairs(userId, topics), clock.date());
    },
    async unsubscribe(userId: ObjectId, topics: string[]): Promise<void> {
      await database.transaction((tx) => store.unsubscribe(tx, pairs(userId, topics), { at: clock.date() }));
    },
    subscribeIn: (tx: Transaction, all: TopicSubscription[]): Promise<void> =>
      store.subscribe(tx, all, clock.date()),
    /** Subscribes to all existing topics of a kind, but those of opt-outs, which it returns. */
    async subscribeToKind(userId: ObjectId, kind: string): Promise<OptOut[]> {
      await store.subscribe(database, [{ topic: kind, userId }], clock.date(), [kind]);
      return store.optOutsOf(userId);
    },
    unsubscribeIn: (tx: Transaction, all: TopicSubscription[]): Promise<void> =>
      store.unsubscribe(tx, all, { at: clock.date() }),
    optOutIn: (tx: Transaction, all: TopicSubscription[]): Promise<void> =>
      store.unsubscribe(tx, all, { at: clock.date(), optsOut: 'own' }),
    excludeIn: (tx: Transaction, all: TopicSubscription[]): Promise<void> =>
      store.unsubscribe(tx, all, { at: clock.date(), optsOut: 'block' }),
  };
}

export type TopicRules = ReturnType<typeof topicRules>;
