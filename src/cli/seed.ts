import { ConfigurationFault, developmentFile } from '../app/config.ts';
import type { Platform } from '../app/platform.ts';
import type { Seeded, SeedMember } from '../modules/seed.ts';
import { saveState } from './development-credentials.ts';
import { apiClient } from './seeding/api-client.ts';
import { SEED_PASSWORD } from './seeding/password.ts';
import { installCredentials } from './setup.ts';
import type { completeConfig } from './with-platform.ts';

const MEMBERS = ['Ada', 'Benoit', 'Chiara', 'Dmitri', 'Esra'];
const emailOf = (firstName: string): string => `${firstName.toLowerCase()}@example.com`;

const report = ({ what, isNew }: Seeded): void => console.log(`${isNew ? 'made' : 'already there'}: ${what}`);

/**
 * `seed`: creates members, the first of them an educator, and adds the contributions of the modules, over HTTP as
 * clients would. Prints what it created, and what already existed.
 */
export async function seed(platform: Platform, config: ReturnType<typeof completeConfig>): Promise<void> {
  if (!config.credentials) throw new ConfigurationFault('seed is for development only');
  await installCredentials(platform, config);
  const { call, signIn, signUp } = apiClient(await platform.listen(), config.credentials.adminApiKey);
  const { accessToken: admin } = await signIn(config.adminEmail as string, config.adminPassword as string);

  const people: SeedMember[] = [];
  let isNew = false;
  for (const firstName of MEMBERS) {
    const email = emailOf(firstName);
    const draft = { email, password: SEED_PASSWORD, firstName, lastName: 'Example' };
    // Sign-up is refused for a member that exists, who signs in instead.
    const signedUp = await signUp(draft).catch(() => undefined);
    const { user, accessToken } = signedUp ?? (await signIn(email, SEED_PASSWORD));
    isNew ||= signedUp !== undefined;
    people.push({ id: user.id, token: accessToken });
  }
  report({ what: `${people.length} members`, isNew });
  const [educator, ...members] = people as [SeedMember, ...SeedMember[]];
  const permissions = { permissions: ['educator'] };
  await call('POST', `/v1/user/${educator.id}/permissions/assign`, permissions, admin);
  for (const load of platform.seeds) {
    const { small } = await load();
    if (small) report(await small({ call, admin, educator, members }));
  }
  const emails = MEMBERS.map(emailOf);
  saveState(developmentFile(config), { member: { email: emails[0] as string, password: SEED_PASSWORD } });
  console.log(
    `\nSign in as ${emails.slice(0, -1).join(', ')}\nor ${emails.at(-1)}; the password is ${SEED_PASSWORD}`,
  );
}
