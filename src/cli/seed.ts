import { ConfigurationFault } from '../app/config.ts';
import type { Platform } from '../app/platform.ts';
import type { SeedMember } from '../modules/seed.ts';
import { apiClient } from './seeding/api-client.ts';
import { SEED_PASSWORD } from './seeding/password.ts';
import { installCredentials } from './setup.ts';
import type { completeConfig } from './with-platform.ts';

const MEMBERS = ['Ada', 'Benoit', 'Chiara', 'Dmitri', 'Esra'];

/**
 * `seed`: creates members, the first of them an educator, and adds what the modules contribute, over HTTP as clients
 * would. Running it again adds history.
 */
export async function seed(platform: Platform, config: ReturnType<typeof completeConfig>): Promise<void> {
  if (!config.credentials) throw new ConfigurationFault('seed is for development only');
  await installCredentials(platform, config);
  const { call, signIn, signUp } = apiClient(await platform.listen(), config.credentials.adminApiKey);
  const { accessToken: admin } = await signIn(config.adminEmail as string, config.adminPassword as string);

  const people: SeedMember[] = [];
  for (const firstName of MEMBERS) {
    const email = `${firstName.toLowerCase()}@example.com`;
    const draft = { email, password: SEED_PASSWORD, firstName, lastName: 'Example' };
    // Who has signed up before is refused, and signs in.
    const { user, accessToken } = await signUp(draft).catch(() => signIn(email, SEED_PASSWORD));
    people.push({ id: user.id, token: accessToken });
  }
  const [educator, ...members] = people as [SeedMember, ...SeedMember[]];
  const permissions = { permissions: ['educator'] };
  await call('POST', `/v1/user/${educator.id}/permissions/assign`, permissions, admin);
  for (const load of platform.seeds) {
    const { small } = await load();
    if (small) console.log(await small({ call, admin, educator, members }));
  }
  console.log(`${people.length} members: ${MEMBERS[0]?.toLowerCase()}@example.com, ...`);
  console.log(`Their password is ${SEED_PASSWORD}`);
}
