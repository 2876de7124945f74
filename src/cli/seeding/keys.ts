import type pg from 'pg';
import { DAY_MS, HOUR_MS, MINUTE_MS, manualClock } from '../../kernel/time.ts';
import { GIFT_SURFACES } from '../../modules/wallet/contract.ts';
import { createPlatform } from '../../platform.ts';
import { type completeConfig, newLog } from '../with-platform.ts';

type Config = ReturnType<typeof completeConfig>;

const FUNDED_A_DAY = 4;
const GIFTS_A_DAY = 16;
const MESSAGES = ['Thank you!', 'Great session', 'For the gold idea', 'Best room there is', ''];

interface Person {
  id: string;
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

/**
 * Funds wallets and gives gifts, day by day, by the rules of the ledger: on a platform whose clock stands at the day.
 * The ledger keeps the order of time, so the days begin after its newest entry.
 */
export async function seedKeys(client: pg.Client, config: Config, days: number): Promise<number> {
  const { rows } = await client.query<{ id: string; at: Date; teaches: boolean }>(
    `select id, created_at as at, 'educator' = any(permissions) as teaches from identity.user
     where username like 'seed-%' order by id`,
  );
  const people = rows.map(
    (row): Person => ({ id: row.id, sinceMs: row.at.getTime(), teaches: row.teaches, balance: 0 }),
  );
  const last = await client.query<{ at: Date | null }>(
    'select max(created_at) as at from wallet.transaction',
  );
  const startMs = Math.max(Date.now() - days * DAY_MS, (last.rows[0]?.at?.getTime() ?? 0) + MINUTE_MS);
  const clock = manualClock(startMs);
  const platform = await createPlatform({ config, log: newLog(config), clock });
  try {
    const url = await platform.listen();
    const call = async (path: string, body: object, token?: string): Promise<{ accessToken: string }> => {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: {
          'x-api-key': config.credentials?.adminApiKey as string,
          'content-type': 'application/json',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        body: JSON.stringify(body),
      });
      const answer = (await response.json()) as { success: boolean; data: { accessToken: string } };
      if (!answer.success) throw new Error(`${path}: ${JSON.stringify(answer)}`);
      return answer.data;
    };
    const random = numbers(42);
    const any = <T>(some: readonly T[]): T => some[Math.floor(random() * some.length)] as T;
    let gifts = 0;

    const fund = async (one: Person, token: string): Promise<void> => {
      const amount = any([50, 100, 200, 500]);
      const funding = { userId: one.id, amount, description: 'Welcome Keys' };
      await call('/v1/wallets/admin/fund', funding, token);
      one.balance += amount;
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
      gifts++;
    };

    for (let dayMs = startMs; dayMs < Date.now() - HOUR_MS; dayMs += DAY_MS) {
      clock.set(dayMs);
      const here = people.filter(({ sinceMs }) => sinceMs < dayMs);
      const members = here.filter(({ teaches }) => !teaches);
      const educators = here.filter(({ teaches }) => teaches);
      if (members.length === 0 || educators.length === 0) continue;
      const credentials = { email: config.adminEmail, password: config.adminPassword };
      const { accessToken } = await call('/v1/auth/signin', {
        ...credentials,
        platform: 'web',
        device: 'seed',
      });
      for (let number = 0; number < FUNDED_A_DAY; number++) await fund(any(members), accessToken);
      for (let number = 0; number < GIFTS_A_DAY; number++) {
        clock.advance(random() * MINUTE_MS);
        // The first of them are the most popular.
        const taker = random() < 0.9 ? educators[Math.floor(random() ** 2 * educators.length)] : any(members);
        const giver = any(members.filter(({ balance, id }) => balance > 0 && id !== taker?.id));
        if (giver && taker) await give(giver, taker);
      }
    }
    return gifts;
  } finally {
    await platform.close();
  }
}
