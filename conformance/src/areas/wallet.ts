import type { Area, Case } from '../cases.ts';
import type { Member } from '../installation.ts';
import type { Trial } from '../trial.ts';
import { movements } from './wallet-movements.ts';

const AMOUNT = 'Amount must be a positive whole number';
const WRONG_AMOUNTS = [0, -1, 1.5, '5', null, true, [], 9007199254740992];

const balanceOf = async (trial: Trial, member: Member): Promise<number> =>
  trial.accepted(await trial.get(member, '/v1/wallets/balance'), 200).balance;

/** The operations that move an amount, with the rest of their bodies. */
const MOVING: { name: string; path: (to: Member) => string; body: (to: Member) => object }[] = [
  { name: 'fund', path: () => '/v1/wallets/fund', body: () => ({}) },
  { name: 'transfer', path: () => '/v1/wallets/transfer', body: (to) => ({ toUserId: to.id }) },
  { name: 'withdraw', path: () => '/v1/wallets/withdraw', body: () => ({}) },
  { name: 'tip', path: (to) => `/v1/educators/${to.id}/tip`, body: () => ({}) },
];

const amounts: Case[] = MOVING.map(({ name, path, body }) => ({
  title: `${name} takes positive whole numbers alone`,
  section: 'decisions, "Wallet"; part 1, "Wallet", rules 1 and 2',
  needs: ['administrator'],
  run: async (trial) => {
    const [ada, ben] = [await trial.at.newMemberWith(10), await trial.at.educator()];
    for (const amount of WRONG_AMOUNTS) {
      const answer = await trial.post(ada, path(ben), { ...body(ben), amount });
      trial.refused(trial.orSkipUnverified(answer), 400, undefined, AMOUNT);
    }
    trial.refused(await trial.post(ada, path(ben), body(ben)), 400, undefined, AMOUNT);
    trial.equal(await balanceOf(trial, ada), 10, 'the balance');
  },
}));

export const wallet: Area = {
  name: 'wallet',
  cases: [
    {
      title: 'a wallet is created once, and returned from then on',
      section: 'part 1, "Wallet"; decisions, "Wallet"',
      run: async (trial) => {
        const member = await trial.at.newMember();
        for (const path of ['/v1/wallets/balance'])
          trial.refused(await trial.get(member, path), 404, undefined, 'Wallet not found');
        const { body } = await trial.get(member, '/v1/wallets/transactions');
        trial.equal([body.data, body.pagination.total], [[], 0], 'the transactions without a wallet');
        const none = trial.accepted(await trial.get(member, '/v1/wallets/statistics'), 200);
        trial.equal(
          [none.totalIn, none.totalOut, none.netBalance],
          [0, 0, 0],
          'the statistics without a wallet',
        );
        const created = trial.accepted(await trial.post(member, '/v1/wallets'), 201);
        trial.shape(created, { _id: 'id', createdAt: 'instant', updatedAt: 'instant' });
        const { userId, balance, currency, isActive, locked } = created;
        trial.equal(
          [userId, balance, currency, isActive, locked],
          [member.id, 0, 'Keys', true, false],
          'the wallet',
        );
        const again = trial.accepted(await trial.post(member, '/v1/wallets'), 200);
        trial.equal(again._id, created._id, '"_id"');
        const shown = trial.accepted(await trial.get(member, '/v1/wallets/balance'), 200);
        trial.shape(shown, {
          balance: 'integer',
          balanceUSD: 'number',
          locked: 'boolean',
          isActive: 'boolean',
        });
        trial.equal([shown.balance, shown.currency], [0, 'Keys'], 'the balance');
      },
    },
    ...amounts,
    ...movements,
    {
      title: 'a checkout is opened by a link, and gives no Keys before it is paid',
      section: 'part 1, "Checkout session"',
      run: async (trial) => {
        const member = await trial.at.newMember();
        await trial.post(member, '/v1/wallets');
        const answer = await trial.post(member, '/v1/wallets/fund', { amount: 7 });
        trial.orSkipUnverified(answer);
        if (answer.status === 503) trial.skip('no payment provider is configured');
        const session = trial.accepted(answer, 201);
        trial.shape(session, { checkoutSessionId: 'string', expiresAt: 'instant', usdAmount: 'number' });
        trial.matches(session.paymentLink, /^https?:\/\//, '"paymentLink"');
        trial.equal([session.keysAmount, session.currency], [7, 'USD'], 'the session');
        trial.equal(await balanceOf(trial, member), 0, 'the balance');
        for (const successUrl of ['/relative', 'javascript:alert(1)', 'x'])
          trial.refused(await trial.post(member, '/v1/wallets/fund', { amount: 7, successUrl }), 422);
      },
    },
    {
      title: 'Keys and dollars are converted at the current rate, down to whole Keys',
      section: 'part 1, "Exchange rates"; decisions, "Identifiers, numbers, time"',
      run: async (trial) => {
        const ada = await trial.at.member('ada');
        const rate = trial.accepted(await trial.get(ada, '/v1/exchange-rates/current'), 200);
        trial.shape(rate, {
          rate: 'number',
          currency: 'string',
          isActive: 'boolean',
          effectiveFrom: 'instant',
        });
        trial.equal([rate.currency, rate.isActive], ['USD', true], 'the rate');
        const toUsd = (keys: number) => trial.post(ada, '/v1/exchange-rates/convert/keys-to-usd', { keys });
        const toKeys = (usd: number) => trial.post(ada, '/v1/exchange-rates/convert/usd-to-keys', { usd });
        for (const keys of [0, 1, 3, 999, 1_000_000]) {
          const { usd } = trial.accepted(await toUsd(keys), 200);
          trial.ok(Math.abs(usd - keys * rate.rate) <= 0.0051, `${keys} Keys are ${usd} USD at ${rate.rate}`);
        }
        for (const keys of [1, 3, 7, 10, 33, 1000]) {
          const exact = Number((keys * rate.rate).toFixed(8));
          trial.equal(trial.accepted(await toKeys(exact), 200).keys, keys, `the Keys for ${exact} USD`);
          const less = Number((exact - rate.rate / 2).toFixed(8));
          trial.equal(trial.accepted(await toKeys(less), 200).keys, keys - 1, `the Keys for ${less} USD`);
        }
        trial.refused(await toUsd(1.5), 422);
        trial.refused(await toKeys(-1), 422);
        trial.refused(await trial.get(ada, '/v1/exchange-rates/current?currency=XXX'), 422);
        trial.ok(
          Array.isArray(trial.accepted(await trial.get(ada, '/v1/exchange-rates/active'), 200)),
          'no list',
        );
        trial.ok(
          Array.isArray(trial.accepted(await trial.get(ada, '/v1/exchange-rates/history'), 200)),
          'no list',
        );
        trial.refused(await trial.post(ada, '/v1/exchange-rates', { rate: 2, currency: 'USD' }), 403);
      },
    },
  ],
};
