import type { Database } from '../../kernel/database/database.ts';
import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Preferences } from './preferences.model.ts';

export function preferenceStore(database: Database) {
  return {
    /** Returns the preferences of the members who have set any. */
    async ofAll(userIds: ObjectId[], queries: Queries = database): Promise<Map<ObjectId, Preferences>> {
      const rows = await queries.all<{ userId: ObjectId; preferences: Preferences }>(
        'select user_id, preferences from notifications.preference where user_id = any($1)',
        [userIds],
      );
      return new Map(rows.map(({ userId, preferences }) => [userId, preferences]));
    },
    /** Locks and returns a member's preferences, inserting the default if they have none. */
    async lock(tx: Transaction, userId: ObjectId, byDefault: Preferences, at: Date): Promise<Preferences> {
      const row = await tx.first<{ preferences: Preferences }>(
        `insert into notifications.preference (user_id, preferences, updated_at) values ($1, $2, $3)
         on conflict (user_id) do update set updated_at = excluded.updated_at returning preferences`,
        [userId, JSON.stringify(byDefault), at],
      );
      return row?.preferences ?? byDefault;
    },
    async update(tx: Transaction, userId: ObjectId, preferences: Preferences): Promise<void> {
      await tx.execute('update notifications.preference set preferences = $2 where user_id = $1', [
        userId,
        JSON.stringify(preferences),
      ]);
    },
  };
}

export type PreferenceStore = ReturnType<typeof preferenceStore>;
