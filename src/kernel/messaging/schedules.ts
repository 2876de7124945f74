import type { Database } from '../database/database.ts';

/** Returns the schedules of queues, as five cron fields in UTC, by queue. */
export async function readSchedules(database: Database): Promise<Map<string, string>> {
  const rows = await database.all<{ name: string; cron: string }>(
    `select name, cron from jobs.schedule where kind = 'cron' order by name limit 10000`,
  );
  return new Map(rows.map(({ name, cron }) => [name, cron]));
}
