import type pg from 'pg';
import { createPlatform, type Platform } from '../../app/platform.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, manualClock } from '../../kernel/time/time.ts';
import { GIFT_SURFACES } from '../../modules/wallet/contract.ts';
import { loadSandbox } from '../load-sandbox.ts';
import { type completeConfig, newLog } from '../with-platform.ts';
import { SEED_PASSWORD } from './people.ts';

type Config = ReturnType<typeof completeConfig>;

const FUNDED_A_DAY = 2;
const BOUGHT_A_DAY = 2;
const GIFTS_A_DAY = 16;
const MESSAGES = ['Thank you!', 'Great session', 'For the gold idea', 'Best room there is', ''];

/** What is read of the answers. */
interface Answer {
  accessToken: string;
  paymentLink: string;
}

interface Person {
  id: string;
  email: string;
  sinceMs: number;
  teaches: boolean;
  balance: number;
}

/** Returns numbers between 0 and 1 that are the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Stage {
  platform: Platform;
  url: string;
  config: Config;
  clock: ReturnType<typeof manualClock>;
  /** Picks one of some. */
  any: <T>(some: readonly T[]) => T;
}

/** Returns what administrators and members do, at the time that the clock shows. */
function actionsOf({ platform, url, config, clock, any }: Stage) {
  const call = async (path: string, body: object, token?: string): Promise<Answer> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        'x-api-key': config.credentials?.adminApiKey as string,
        'content-type': 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { success: boolean; data: Answer };
    if (!answer.success) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const signIn = async (email: string, password: string): Promise<string> =>
    (await call('/v1/auth/signin', { email, password, platform: 'web', device: 'seed' })).accessToken;
  const fund = async (one: Person, token: string): Promise<void> => {
    const amount = any([50, 100, 200, 500]);
    const funding = { userId: one.id, amount, description: 'Welcome Keys' };
    await call('/v1/wallets/admin/fund', funding, token);
    one.balance += amount;
  };
  /** Pays the provider, whose webhooks bear another time than the platform's clock shows: {@link settle} asks it. */
  const buy = async (one: Person): Promise<void> => {
    const amount = any([20, 50, 100, 250]);
    const { paymentLink } = await call(
      '/v1/wallets/fund',
      { amount },
      await signIn(one.email, SEED_PASSWORD),
    );
    await fetch(paymentLink, {
      method: 'POST',
      body: new URLSearchParams({ outcome: 'pay' }),
      redirect: 'manual',
    });
    one.balance += amount;
  };
  const settle = async (): Promise<void> => {
    clock.advance(HOUR_MS);
    await platform.runJob('merchant.reconcile');
  };
  const give = async (giver: Person, taker: Person): Promise<void> => {
    const amount = Math.min(giver.balance, any([1, 2, 5, 5, 10, 20, 50]));
    giver.balance -= amount;
    const surface = taker.teaches ? any(GIFT_SURFACES) : 'meeting';
    await platform.wallet.transfer({
      fromUserId: giver.id,
      toUserId: taker.id,
      amount,
      description: any(MESSAGES),
      metadata: { gift: true, surface },
    });
    taker.balance += amount;
  };

  return {
    signInAdmin: () => signIn(config.adminEmail as string, config.adminPassword as string),
    fund,
    buy,
    settle,
    give,
  };
}

/**
 * Funds wallets, buys Keys and gives gifts, day by day, by the rules of the ledger: on a platform whose clock stands at
 * the day. The ledger keeps the order of time, so the days begin after its newest entry.
 */
export async function seedKeys(client: pg.Client, config: Config, days: number): Promise<number> {
  const { rows } = await client.query<{ id: string; email: string; at: Date; teaches: boolean }>(
    `select id, email, created_at as at, 'educator' = any(permissions) as teaches from identity.user
     where username like 'seed-%' order by id`,
  );
  const people = rows.map(
    ({ id, email, at, teaches }): Person => ({ id, email, sinceMs: at.getTime(), teaches, balance: 0 }),
  );
  const last = await client.query<{ at: Date | null }>(
    'select max(created_at) as at from wallet.transaction',
  );
  const startMs = Math.max(Date.now() - days * DAY_MS, (last.rows[0]?.at?.getTime() ?? 0) + MINUTE_MS);
  const clock = manualClock(startMs);
  const { sandbox, settings } = await paymentsOf(config);
  const platform = await createPlatform({ config: { ...config, ...settings }, log: newLog(config), clock });
  try {
    const url = await platform.listen();
    const random = numbers(42);
    const any = <T>(some: readonly T[]): T => some[Math.floor(random() * some.length)] as T;
    const deeds = actionsOf({ platform, url, config, clock, any });
    let gifts = 0;
    for (let dayMs = startMs; dayMs < Date.now() - 2 * HOUR_MS; dayMs += DAY_MS) {
      clock.set(dayMs);
      const here = people.filter(({ sinceMs }) => sinceMs < dayMs);
      const members = here.filter(({ teaches }) => !teaches);
      const educators = here.filter(({ teaches }) => teaches);
      if (members.length === 0 || educators.length === 0) continue;
      const token = await deeds.signInAdmin();
      for (let number = 0; number < FUNDED_A_DAY; number++) await deeds.fund(any(members), token);
      for (let number = 0; number < BOUGHT_A_DAY; number++) await deeds.buy(any(members));
      await deeds.settle();
      for (let number = 0; number < GIFTS_A_DAY; number++) {
        clock.advance(random() * MINUTE_MS);
        // The first of them are the most popular.
        const taker = random() < 0.9 ? educators[Math.floor(random() ** 2 * educators.length)] : any(members);
        const giver = any(members.filter(({ balance, id }) => balance > 0 && id !== taker?.id));
        if (!giver || !taker) continue;
        await deeds.give(giver, taker);
        gifts++;
      }
    }
    return gifts;
  } finally {
    await platform.close();
    await sandbox.close();
  }
}

/** Starts a sandbox, so that no real provider is asked for payments that nobody makes. */
async function paymentsOf(config: Config) {
  const { startSandbox, sandboxSettings } = await loadSandbox();
  const paymentWebhookSecret = config.credentials?.paymentWebhookSecret as string;
  const sandbox = await startSandbox({ port: 0, paymentWebhookSecret, payoutDelay: 0 });
  return {
    sandbox,
    settings: sandboxSettings(
      sandbox,
      { ...config, payment: { ...config.payment, provider: 'sandbox' } },
      { paymentWebhookSecret },
    ),
  };
}
