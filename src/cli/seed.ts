import { ConfigurationFault } from '../app/config.ts';
import type { Platform } from '../app/platform.ts';
import { seedCourses } from './seed-courses.ts';
import { seedEducator } from './seed-educators.ts';
import { installCredentials } from './setup.ts';
import type { completeConfig } from './with-platform.ts';

const MEMBERS = ['Ada', 'Benoit', 'Chiara', 'Dmitri', 'Esra'];
const PASSWORD = 'platform-seed';
const FUNDED = 1_000;

interface Answer {
  status: number;
  data: { accessToken: string; user: { id: string } };
}

/**
 * `seed`: creates members with wallets, Keys and a history, courses that they study, and an educator whom they follow,
 * over HTTP as clients would. Running it again adds history.
 */
export async function seed(platform: Platform, config: ReturnType<typeof completeConfig>): Promise<void> {
  const { credentials } = config;
  if (!credentials) throw new ConfigurationFault('seed is for development only');
  await installCredentials(platform, config);
  const url = await platform.listen();

  async function call(method: string, path: string, body?: unknown, token?: string): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      headers: {
        'x-api-key': credentials?.adminApiKey as string,
        'content-type': 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status: response.status, data: ((await response.json()) as Answer).data };
  }
  const signIn = (email: string, password: string) =>
    call('POST', '/v1/auth/signin', { email, password, platform: 'web', device: 'seed' });

  const admin = (await signIn(config.adminEmail as string, config.adminPassword as string)).data.accessToken;
  const members: { id: string; token: string }[] = [];
  for (const firstName of MEMBERS) {
    const email = `${firstName.toLowerCase()}@example.com`;
    const draft = {
      email,
      password: PASSWORD,
      firstName,
      lastName: 'Example',
      platform: 'web',
      device: 'seed',
    };
    const signedUp = await call('POST', '/v1/auth/signup', draft);
    const { data } = signedUp.status === 409 ? await signIn(email, PASSWORD) : signedUp;
    members.push({ id: data.user.id, token: data.accessToken });
    const funding = { userId: data.user.id, amount: FUNDED, description: 'Seed' };
    await call('POST', '/v1/wallets/admin/fund', funding, admin);
  }
  for (const [place, member] of members.entries()) {
    const next = members[(place + 1) % members.length] as { id: string };
    const transfer = { toUserId: next.id, amount: 10 * (place + 1), description: 'Thanks!' };
    await call('POST', '/v1/wallets/transfer', transfer, member.token);
  }
  const [educator, ...others] = members;
  if (educator) {
    const permissions = { permissions: ['educator'] };
    await call('POST', `/v1/user/${educator.id}/permissions/assign`, permissions, admin);
    const ask = async (...request: Parameters<typeof call>) => {
      const { status, data } = await call(...request);
      if (status >= 400) throw new Error(`${request[0]} ${request[1]} was answered ${status}`);
      return data;
    };
    console.log(`${await seedCourses(ask, educator, others)} courses, in which the others are enrolled`);
    await seedEducator(ask, admin, educator, others);
  }
  await seedMarketplace(call, admin, members[0] as { token: string });
  console.log(`${members.length} members, each with a wallet: ${MEMBERS[0]?.toLowerCase()}@example.com, ...`);
  console.log(`Their password is ${PASSWORD}`);
}

type Call = (method: string, path: string, body?: unknown, token?: string) => Promise<Answer>;

/** Creates an indicator, a product that grants it, and a request that awaits a decision. */
async function seedMarketplace(call: Call, admin: string, member: { token: string }): Promise<void> {
  const indicator = { name: 'Trend Pulse', description: 'Marks where a trend begins.', pineId: 'PUB;seed' };
  const made = await call('POST', '/v1/streams/scanners', indicator, admin);
  // Already seeded.
  if (made.status !== 201) return;
  const scannerId = (made.data as unknown as { id: string }).id;
  const requestFields = [{ label: 'How long have you traded?' }];
  const product = { name: 'Trend Pulse', productType: 'scanner', scannerId, requestFields };
  const offered = await call('POST', '/v1/streams/marketplace/products', product, admin);
  const request = {
    productId: (offered.data as unknown as { id: string }).id,
    fullName: 'Ada Example',
    email: 'ada@example.com',
    chartingId: 'ada_trades',
    answers: { how_long_have_you_traded: 'A year' },
  };
  await call('POST', '/v1/streams/marketplace/access-requests', request, member.token);
}
