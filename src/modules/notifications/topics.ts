import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Job, Jobs } from '../../kernel/jobs.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Contact } from '../identity/contract.ts';
import type { Topic, TopicMessage } from './contract.ts';
import { TOPICS } from './contract.ts';
import type { Notify } from './sending.ts';

const FAN_OUT = 'notifications.fan-out-to-topic';
/** Members of one job: its transaction takes some tens of milliseconds. */
const CHUNK = 500;

interface TopicDeps {
  database: Database;
  jobs: Pick<Jobs, 'enqueue'>;
  contactsOf: (userIds: ObjectId[]) => Promise<Contact[]>;
  notify: Notify;
  clock: Clock;
}

interface Part {
  topic: string;
  message: TopicMessage;
  /** The last member who was told. */
  after: string;
}

/** Which topics a member wants to hear of, and telling those who do. */
export function topicRules({ database, jobs, contactsOf, notify, clock }: TopicDeps) {
  async function of(userId: ObjectId): Promise<Topic[]> {
    const rows = await database.all(
      'select topic from notifications.topic_subscription where user_id = $1 and topic = any($2) order by topic',
      [userId, TOPICS],
    );
    return rows.map(({ topic }) => topic as Topic);
  }

  /** So many at a time, in the order of ids; each part orders the next. */
  const fanOut: Job = {
    name: FAN_OUT,
    concurrency: 2,
    runIn: async (tx, { topic, message, after }: Part) => {
      const rows = await tx.all(
        `select user_id as "userId" from notifications.topic_subscription
         where topic = $1 and user_id > $2 order by user_id limit ${CHUNK}`,
        [topic, after],
      );
      const userIds = rows.map(({ userId }) => userId as ObjectId);
      const known = await contactsOf(userIds);
      await notify(
        tx,
        known.map(({ userId }) => ({ ...message, userId })),
      );
      if (userIds.length === CHUNK)
        await jobs.enqueue(tx, FAN_OUT, [{ topic, message, after: userIds.at(-1) }]);
    },
  };

  return {
    of,
    /** Tells everybody who subscribed, in jobs of a few hundred, once the transaction commits. */
    async notify(tx: Transaction, topic: string, message: TopicMessage): Promise<void> {
      await jobs.enqueue(tx, FAN_OUT, [{ topic, message, after: '' }]);
    },
    jobs: [fanOut],
    async subscribe(userId: ObjectId, topics: string[]): Promise<Topic[]> {
      await database.execute(
        `insert into notifications.topic_subscription (topic, user_id, created_at)
         select topic, $2, $3 from unnest($1::text[]) as asked (topic) order by topic on conflict do nothing`,
        [[...new Set(topics)], userId, new Date(clock.now())],
      );
      return of(userId);
    },
    async unsubscribe(userId: ObjectId, topics: string[]): Promise<Topic[]> {
      await database.execute(
        'delete from notifications.topic_subscription where user_id = $1 and topic = any($2)',
        [userId, topics],
      );
      return of(userId);
    },
  };
}

export type TopicRules = ReturnType<typeof topicRules>;
