import type { Database } from '../../kernel/database/database.ts';
import { MINUTE_MS } from '../../kernel/time/time.ts';
import type { Seed, SeedDay, Seeded, SeedStage } from '../seed.ts';
import { GIFT_SURFACES, type Wallet } from './contract.ts';

const FUNDED = 1_000;
const FUNDED_A_DAY = 2;
const BOUGHT_A_DAY = 2;
const GIFTS_A_DAY = 16;
const MESSAGES = ['Thank you!', 'Great session', 'For the gold idea', 'Best room there is', ''];

type Person = SeedDay['members'][number];

interface WalletSeedDeps {
  database: Database;
  transfer: Wallet['transfer'];
}

/** Seeds wallets with Keys that are funded, bought and given by the rules of the ledger. */
export const walletSeed = ({ database, transfer }: WalletSeedDeps): Seed => ({
  small: fundAndTransfer,
  history: {
    newest: async () => {
      const newest = await database.first<{ at: Date | null }>(
        'select max(created_at) as at from wallet.transaction',
      );
      return newest?.at ?? undefined;
    },
    ...giving(transfer),
  },
});

async function fundAndTransfer({ call, admin, educator, members }: SeedStage): Promise<Seeded> {
  const what = 'wallets with Keys, of which everyone gave some to the next';
  await call('POST', '/v1/wallets', undefined, educator.token);
  const { balance } = (await call('GET', '/v1/wallets/balance', undefined, educator.token)) as {
    balance: number;
  };
  if (balance > 0) return { what, isNew: false };
  const all = [educator, ...members];
  for (const { id } of all)
    await call('POST', '/v1/wallets/admin/fund', { userId: id, amount: FUNDED, description: 'Seed' }, admin);
  for (const [place, { token }] of all.entries()) {
    const next = all[(place + 1) % all.length]?.id;
    const draft = { toUserId: next, amount: 10 * (place + 1), description: 'Thanks!' };
    await call('POST', '/v1/wallets/transfer', draft, token);
  }
  return { what, isNew: true };
}

/** Tracks the balances, so that no member gives more than they have. */
function giving(transfer: Wallet['transfer']): Pick<NonNullable<Seed['history']>, 'live' | 'summary'> {
  const balances = new Map<string, number>();
  const balanceOf = ({ id }: Person): number => balances.get(id) ?? 0;
  const add = (person: Person, amount: number) => balances.set(person.id, balanceOf(person) + amount);
  let gifts = 0;

  async function fund({ call, admin, any }: SeedDay, person: Person): Promise<void> {
    const amount = any([50, 100, 200, 500]);
    const funding = { userId: person.id, amount, description: 'Welcome Keys' };
    await call('POST', '/v1/wallets/admin/fund', funding, admin);
    add(person, amount);
  }
  async function buy({ call, signIn, pay, any }: SeedDay, person: Person): Promise<void> {
    const amount = any([20, 50, 100, 250]);
    const checkout = await call('POST', '/v1/wallets/fund', { amount }, await signIn(person));
    await pay((checkout as { paymentLink: string }).paymentLink);
    add(person, amount);
  }
  async function give({ any, educators }: SeedDay, giver: Person, taker: Person): Promise<void> {
    const amount = Math.min(balanceOf(giver), any([1, 2, 5, 5, 10, 20, 50]));
    add(giver, -amount);
    const surface = educators.includes(taker) ? any(GIFT_SURFACES) : 'meeting';
    await transfer({
      fromUserId: giver.id,
      sender: undefined,
      toUserId: taker.id,
      amount,
      description: any(MESSAGES),
      metadata: { gift: true, surface },
    });
    add(taker, amount);
    gifts++;
  }

  return {
    async live(day) {
      const { members, educators, random, any } = day;
      for (let number = 0; number < FUNDED_A_DAY; number++) await fund(day, any(members));
      for (let number = 0; number < BOUGHT_A_DAY; number++) await buy(day, any(members));
      await day.settlePayments();
      for (let number = 0; number < GIFTS_A_DAY; number++) {
        day.advanceClock(random() * MINUTE_MS);
        // The first educators are the most popular.
        const taker = random() < 0.9 ? educators[Math.floor(random() ** 2 * educators.length)] : any(members);
        const giver = any(members.filter((one) => balanceOf(one) > 0 && one.id !== taker?.id));
        if (giver && taker) await give(day, giver, taker);
      }
    },
    summary: () => `wallets, and ${gifts.toLocaleString('en-US')} gifts of Keys`,
  };
}
