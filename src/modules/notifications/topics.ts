import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Jobs, job } from '../../kernel/jobs.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Contact } from '../identity/contract.ts';
import type { Topic, TopicMessage } from './contract.ts';
import { TOPICS } from './contract.ts';
import { notifySubscribers } from './notifications.jobs.ts';
import type { Notify } from './sending.ts';
import type { TopicStore } from './topics.store.ts';

/** Members of one job: its transaction takes some tens of milliseconds. */
const CHUNK = 500;

interface TopicDeps {
  store: TopicStore;
  jobs: Pick<Jobs, 'enqueue'>;
  contactsOf: (userIds: ObjectId[]) => Promise<Contact[]>;
  notify: Notify;
  clock: Clock;
}

/** Which topics a member wants to hear of, and telling those who do. */
export function topicRules({ store, jobs, contactsOf, notify, clock }: TopicDeps) {
  const of = async (userId: ObjectId): Promise<Topic[]> => (await store.of(userId, TOPICS)) as Topic[];

  /** So many at a time, in the order of ids; each part orders the next. */
  const fanOut = job(notifySubscribers, {
    concurrency: 2,
    runIn: async (tx, { topic, message, after }) => {
      const userIds = await store.subscribers(tx, topic, { after, limit: CHUNK });
      const known = await contactsOf(userIds);
      await notify(
        tx,
        known.map(({ userId }) => ({ ...message, userId })),
      );
      const last = userIds.at(-1);
      if (last !== undefined && userIds.length === CHUNK)
        await jobs.enqueue(tx, notifySubscribers, [{ topic, message, after: last }]);
    },
  });

  return {
    of,
    /** Tells everybody who subscribed, in jobs of a few hundred, once the transaction commits. */
    async notify(tx: Transaction, topic: string, message: TopicMessage): Promise<void> {
      await jobs.enqueue(tx, notifySubscribers, [{ topic, message, after: '' }]);
    },
    jobs: [fanOut],
    async subscribe(userId: ObjectId, topics: string[]): Promise<Topic[]> {
      await store.subscribe(userId, topics, clock.date());
      return of(userId);
    },
    async unsubscribe(userId: ObjectId, topics: string[]): Promise<Topic[]> {
      await store.unsubscribe(userId, topics);
      return of(userId);
    },
  };
}

export type TopicRules = ReturnType<typeof topicRules>;
