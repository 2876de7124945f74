import pg from 'pg';
import { ConfigurationFault } from '../app/config.ts';
import type { Platform } from '../app/platform.ts';
import { seedAnalytics } from './seeding/analytics.ts';
import { seedContent } from './seeding/content.ts';
import { seedKeys } from './seeding/keys.ts';
import { SEED_PASSWORD, seedPeople } from './seeding/people.ts';
import { installCredentials } from './setup.ts';
import type { completeConfig } from './with-platform.ts';

const MEMBERS = 2_000;
const EDUCATORS = 20;
const DAYS = 180;

/**
 * `seed --large`: writes half a year of a community of two thousand members directly into the tables. The modules' own
 * jobs and rules derive the rest: the search index and the sums of analytics and watching. Keys are funded and given by
 * the rules of the ledger.
 */
export async function seedLarge(
  platform: Platform,
  config: ReturnType<typeof completeConfig>,
): Promise<void> {
  if (!config.credentials) throw new ConfigurationFault('seed is for development only');
  await installCredentials(platform, config);
  const client = new pg.Client({ connectionString: config.databaseUrl });
  await client.connect();
  const report = (what: string): void => console.log(what);
  try {
    const { rows } = await client.query("select 1 from identity.user where username like 'seed-%' limit 1");
    if (rows.length > 0) throw new ConfigurationFault('the half year has been seeded before');
    await client.query(`set timezone = 'UTC'`);
    await client.query('begin');
    await client.query('select setseed(0.42)');
    await seedPeople(client, { members: MEMBERS, educators: EDUCATORS, days: DAYS });
    report(`${MEMBERS.toLocaleString('en-US')} members and ${EDUCATORS} educators since ${DAYS} days ago`);
    await seedContent(client, DAYS);
    report('courses and enrolments, communities and posts, trades, rooms and watch sessions');
    const events = await seedAnalytics(client, DAYS);
    report(`${events.toLocaleString('en-US')} events`);
    await client.query('commit');
    await client.query('analyze');
    const gifts = await seedKeys(client, config, DAYS);
    report(`wallets, and ${gifts.toLocaleString('en-US')} gifts of Keys`);
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    await client.end();
  }
  await platform.runJob('analytics.add-up');
  await platform.runJob('watching.keep-sums');
  await platform.runJob('educators.rebuild');
  await platform.runJob('search.rebuild');
  report('added up, and indexed for the search');
  report(`Sign in as seed-1@example.com; the password of all of them is ${SEED_PASSWORD}`);
}
