import type { Config } from '../app/config.ts';
import { type Database, openDatabase } from '../kernel/database/database.ts';
import { holdDatabase } from './hold-database.ts';
import { newLog } from './log.ts';

/** Runs work on the database alone, without a pooler in between, whatever its schema is. */
export async function onDirectDatabase<T>(
  config: Config,
  work: (database: Database, url: string) => Promise<T>,
): Promise<T> {
  const hold = await holdDatabase(config, newLog(config), true);
  const url = config.databaseDirectUrl ?? hold.url;
  const database = openDatabase({ url, connections: 1, onBackgroundError: () => undefined });
  try {
    return await work(database, url);
  } finally {
    await database.close();
    await hold.release();
  }
}
