import pg from 'pg';
import { pino } from 'pino';
import { readConfig } from '../../src/app/config.ts';
import { createPlatform } from '../../src/app/platform.ts';
import { migratePlatform } from '../../src/app/schema.ts';
import { sandboxSettings } from '../../src/sandbox/settings.ts';

/** Where nothing listens: modules make their queues when a system is configured, whether it answers or not. */
const NOWHERE = { url: 'http://127.0.0.1:1', smtpUrl: 'smtp://127.0.0.1:1' };

/**
 * Migrates the template, and makes the queues in it, as the first start of a platform does: some 600 statements. The
 * queues are those of a platform with every external system.
 */
export async function prepareTemplate(databaseUrl: string): Promise<void> {
  await migratePlatform(databaseUrl);
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    SECRET_KEY: 'only to prepare the template of databases',
  });
  const secretKey = config.secretKey as string;
  const platform = await createPlatform({
    config: {
      ...config,
      databaseUrl,
      secretKey,
      ...sandboxSettings(NOWHERE, config, { paymentWebhookSecret: secretKey }),
    },
    log: pino({ level: 'silent' }),
  });
  await platform.close();
  await leaveToTests(databaseUrl);
}

/**
 * Leaves to the tests what a first start makes: the lasting key, since they have other secret keys, and the start of
 * scheduled jobs: otherwise a digest could be sent in the midst of a test because the
 * hour is full, or was full since the template was made. A queue looks at its schedules a minute after the last look.
 */
async function leaveToTests(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`update jobs.version set cron_on = now() + interval '1 day'`);
  await client.query('delete from kernel.lasting_key');
  await client.end();
}
