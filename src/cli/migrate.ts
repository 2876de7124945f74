import type { Config } from '../config.ts';
import { migratePlatform } from '../platform.ts';
import { holdDatabase, newLog } from './with-platform.ts';

/** `migrate`: migrates the database to the newest schema and prints what it applied. */
export async function migrateCommand(config: Config): Promise<void> {
  const hold = await holdDatabase(config, newLog(config), true);
  const applied = await migratePlatform(hold.url).finally(hold.release);
  console.log(applied.length > 0 ? applied.map((name) => `applied ${name}`).join('\n') : 'nothing to apply');
}
