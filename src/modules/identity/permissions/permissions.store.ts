import type { Database } from '../../../kernel/database/database.ts';
import { MOST_DISTRIBUTED } from '../users/users.model.ts';

/** Reads the counts that a trigger maintains: one row per permission, regardless of the number of users. */
export function permissionStore(database: Database) {
  return {
    /** Returns how many users hold each of the most frequent permissions, and whether there are further ones. */
    async distribution(): Promise<{ counts: Record<string, number>; hasMore: boolean }> {
      const rows = await database.all<{ permission: string; users: number }>(
        'select permission, users from identity.permission_count where users > 0 order by users desc, permission limit $1',
        [MOST_DISTRIBUTED + 1],
      );
      const shown = rows.slice(0, MOST_DISTRIBUTED);
      return {
        counts: Object.fromEntries(shown.map(({ permission, users }) => [permission, users])),
        hasMore: rows.length > shown.length,
      };
    },
    async countOf(permission: string): Promise<number> {
      return database.count('select users from identity.permission_count where permission = $1', [
        permission,
      ]);
    },
  };
}

export type PermissionStore = ReturnType<typeof permissionStore>;
