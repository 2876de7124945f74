import type { Database } from '../../kernel/database/database.ts';
import type { Queries } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';

export function deviceStore(_database: Database) {
  return {
    /** Of these members those who have any. */
    async reachable(queries: Queries, userIds: ObjectId[]): Promise<Set<ObjectId>> {
      const { rows } = await queries.sql(
        'select distinct user_id as "userId" from notifications.device where user_id = any($1)',
        [userIds],
      );
      return new Set(rows.map(({ userId }) => userId as ObjectId));
    },
  };
}
