import { hash } from '@node-rs/argon2';
import { ConfigurationFault, developmentFile } from '../app/config.ts';
import type { Platform } from '../app/platform.ts';
import { saveState } from './development-credentials.ts';
import { loadSeeds, seedHistory } from './seeding/history.ts';
import { SEED_PASSWORD } from './seeding/password.ts';
import { seedRows } from './seeding/rows.ts';
import { installCredentials } from './setup.ts';
import type { completeConfig } from './with-platform.ts';

const SIZE = { members: 2_000, educators: 20, days: 180 };

/**
 * `seed --large`: half a year of a community of two thousand members. Modules write rows directly into their tables,
 * and use their rules for records that rows alone cannot represent. Their own jobs derive the rest: the search index
 * and the sums of analytics and watching.
 */
export async function seedLarge(
  platform: Platform,
  config: ReturnType<typeof completeConfig>,
): Promise<void> {
  if (!config.credentials) throw new ConfigurationFault('seed is for development only');
  await installCredentials(platform, config);
  const report = (what: string): void => console.log(what);
  const seeds = await loadSeeds(platform);
  const passwordHash = await hash(SEED_PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  const people = await seedRows(url, { seeds, plan: { ...SIZE, passwordHash }, report });
  await seedHistory(config, { seeds, people, days: SIZE.days }, report);
  await platform.runJob('analytics.add-up');
  await platform.runJob('watching.keep-sums');
  await platform.runJob('educators.rebuild');
  await platform.runJob('search.rebuild');
  report('sums and search index built');
  const member = { email: 'seed-1@example.com', password: SEED_PASSWORD };
  saveState(developmentFile(config), { member });
  report(`Sign in as seed-1@example.com; all members have the password ${SEED_PASSWORD}`);
}
