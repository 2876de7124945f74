import type { Config } from '../app/config.ts';
import { migratePlatform } from '../app/schema.ts';
import { keepEnvironment, refuseOtherEnvironment } from '../kernel/database/environment.ts';
import { onDirectDatabase } from './direct-database.ts';
import { newLog } from './log.ts';
import { waitLogger } from './schema.ts';

/**
 * `migrate`: migrates the database to the newest schema and prints what it applied. Refuses the database of another
 * environment.
 */
export async function migrateCommand(config: Config): Promise<void> {
  const onWait = waitLogger(newLog(config));
  const applied = await onDirectDatabase(config, async (database, url) => {
    await refuseOtherEnvironment(database, config.environment);
    const names = await migratePlatform(url, { onWait });
    await keepEnvironment(database, config.environment);
    return names;
  });
  console.log(applied.length > 0 ? applied.map((name) => `applied ${name}`).join('\n') : 'nothing to apply');
}
