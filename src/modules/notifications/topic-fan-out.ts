import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { job } from '../../kernel/messaging/jobs.ts';
import type { Audience, Message } from './contract.ts';
import { notifyPart, notifySubscribers } from './notifications.jobs.ts';
import type { Notify } from './sending.ts';
import type { TopicStore } from './topics.store.ts';

/** Members per job; keeps its transaction to some tens of milliseconds. */
const CHUNK = 500;

interface FanOutDeps extends Pick<Core, 'jobs'> {
  store: TopicStore;
  notify: Notify;
}

/** A notification for the subscribers of a topic. */
type TopicMessage = Message & { topic: string | Audience; subject: string };

/** An audience in the data of a job, where dates are text. */
interface Carried {
  topic: string;
  kind?: { topic: string; since: string };
}

const audienceOf = ({ topic, kind }: Carried): Audience => ({
  topic,
  kind: kind && { topic: kind.topic, since: new Date(kind.since) },
});

/** Notifies the subscribers of topics. */
export function topicFanOut({ store, jobs, notify }: FanOutDeps) {
  /** Splits the audience and enqueues all parts at once, so that they run concurrently. */
  const fanOut = job(notifySubscribers, {
    concurrency: 2,
    runIn: async (tx, { topic, kind, from, message }) => {
      const stretches = await store.rangesOf(tx, audienceOf({ topic, kind }), CHUNK);
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
      const userIds = await store.members(tx, audienceOf(whom), { after, upTo });
      await notify(
        tx,
        userIds.map((userId) => ({ ...message, from, userId })),
      );
    },
  });

  return {
    /** Notifies all subscribers once the transaction commits, in jobs of a few hundred. */
    notify: (tx: Transaction, messages: TopicMessage[]): Promise<void> =>
      jobs.enqueue(
        tx,
        notifySubscribers,
        messages.map(({ topic: whom, from, ...message }) => {
          const { topic, kind }: Audience = typeof whom === 'string' ? { topic: whom } : whom;
          const carried = kind && { topic: kind.topic, since: kind.since.toISOString() };
          return { topic, kind: carried, from, message };
        }),
      ),
    jobs: [fanOut, fanOutPart],
  };
}

export type NotifyTopics = ReturnType<typeof topicFanOut>['notify'];
