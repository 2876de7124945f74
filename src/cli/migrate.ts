import type { Config } from '../app/config.ts';
import { migratePlatform } from '../app/schema.ts';
import { holdDatabase } from './hold-database.ts';
import { newLog } from './log.ts';
import { waitLogger } from './schema.ts';

/** `migrate`: migrates the database to the newest schema and prints what it applied. */
export async function migrateCommand(config: Config): Promise<void> {
  const log = newLog(config);
  const hold = await holdDatabase(config, log, true);
  const url = config.databaseDirectUrl ?? hold.url;
  const applied = await migratePlatform(url, { onWait: waitLogger(log) }).finally(hold.release);
  console.log(applied.length > 0 ? applied.map((name) => `applied ${name}`).join('\n') : 'nothing to apply');
}
