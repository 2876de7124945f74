import { pino } from 'pino';
import { readConfig } from '../../src/app/config.ts';
import { createPlatform } from '../../src/app/platform.ts';
import { migratePlatform } from '../../src/app/schema.ts';

/** Migrates the template, and makes the queues in it, as the first start of a platform does: some 600 statements. */
export async function prepareTemplate(databaseUrl: string): Promise<void> {
  await migratePlatform(databaseUrl);
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    SECRET_KEY: 'only to prepare the template of databases',
  });
  const secretKey = config.secretKey as string;
  const platform = await createPlatform({
    config: { ...config, databaseUrl, secretKey },
    log: pino({ level: 'silent' }),
  });
  await platform.close();
}
