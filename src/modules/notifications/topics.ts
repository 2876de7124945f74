import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/time.ts';

/** Part 1, Events. */
export const TOPICS = [
  ...(['GENERAL', 'TRADE_IDEAS', 'EDUCATION', 'COMMUNITIES', 'SESSIONS', 'CHATROOM'] as const),
] as const;
export type Topic = (typeof TOPICS)[number];

/** Which topics a member wants to hear of. */
export function topicRules({ database, clock }: { database: Database; clock: Clock }) {
  async function of(userId: ObjectId): Promise<Topic[]> {
    const { rows } = await database.sql(
      'select topic from notifications.topic_subscription where user_id = $1 order by topic',
      [userId],
    );
    return rows.map(({ topic }) => topic as Topic);
  }
  return {
    of,
    async subscribe(userId: ObjectId, topics: Topic[]): Promise<Topic[]> {
      await database.sql(
        `insert into notifications.topic_subscription (topic, user_id, created_at)
         select topic, $2, $3 from unnest($1::text[]) as asked (topic) order by topic on conflict do nothing`,
        [[...new Set(topics)], userId, new Date(clock.now())],
      );
      return of(userId);
    },
    async unsubscribe(userId: ObjectId, topics: Topic[]): Promise<Topic[]> {
      await database.sql(
        'delete from notifications.topic_subscription where user_id = $1 and topic = any($2)',
        [userId, topics],
      );
      return of(userId);
    },
  };
}

export type TopicRules = ReturnType<typeof topicRules>;
