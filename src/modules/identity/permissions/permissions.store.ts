import type { Database } from '../../../kernel/database/database.ts';

/** Reads the counts that a trigger maintains: one row per permission, regardless of the number of users. */
export function permissionStore(database: Database) {
  return {
    async distribution(): Promise<Record<string, number>> {
      const rows = await database.all<{ permission: string; users: number }>(
        'select permission, users from identity.permission_count where users > 0 order by users desc, permission limit 1000',
      );
      return Object.fromEntries(rows.map(({ permission, users }) => [permission, users]));
    },
    async countOf(permission: string): Promise<number> {
      return database.count('select users from identity.permission_count where permission = $1', [
        permission,
      ]);
    },
  };
}

export type PermissionStore = ReturnType<typeof permissionStore>;
