import type { Database } from '../../kernel/database/database.ts';
import type { Queries } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';

export function topicStore(database: Database) {
  return {
    /** Returns which of these topics a member subscribed to. */
    async of(userId: ObjectId, topics: readonly string[]): Promise<string[]> {
      const rows = await database.all<{ topic: string }>(
        'select topic from notifications.topic_subscription where user_id = $1 and topic = any($2) order by topic',
        [userId, topics],
      );
      return rows.map(({ topic }) => topic);
    },
    /** Returns subscribers of a topic, at most so many, that come after an id, in the order of ids. */
    async subscribers(
      queries: Queries,
      topic: string,
      { after, limit }: { after: string; limit: number },
    ): Promise<ObjectId[]> {
      const rows = await queries.all<{ userId: ObjectId }>(
        `select user_id from notifications.topic_subscription
         where topic = $1 and user_id > $2 order by user_id limit $3`,
        [topic, after, limit],
      );
      return rows.map(({ userId }) => userId);
    },
    async subscribe(userId: ObjectId, topics: string[], at: Date): Promise<void> {
      await database.execute(
        `insert into notifications.topic_subscription (topic, user_id, created_at)
         select topic, $2, $3 from unnest($1::text[]) as asked (topic) order by topic on conflict do nothing`,
        [[...new Set(topics)], userId, at],
      );
    },
    async unsubscribe(userId: ObjectId, topics: string[]): Promise<void> {
      await database.execute(
        'delete from notifications.topic_subscription where user_id = $1 and topic = any($2)',
        [userId, topics],
      );
    },
  };
}

export type TopicStore = ReturnType<typeof topicStore>;
