import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  fundWalletAsAdmin,
  listTransactions,
  setExchangeRate,
  settleWithdrawal,
  transferKeys,
  withdrawKeys,
} from '../../../sdk/src/index.ts';
import { inLanes } from '../../../test/support/client.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { type Event, on } from '../../kernel/messaging/events.ts';
import {
  exchangeRateChanged,
  walletFunded,
  walletRefunded,
  walletTransferred,
  walletWithdrawn,
  withdrawalRequested,
  withdrawalReturned,
} from './contract.ts';

const heard: { name: string; data: Record<string, unknown> }[] = [];
const listen = async ({ name, data }: Event<object>): Promise<void> => {
  heard.push({ name, data: data as Record<string, unknown> });
};
const kinds = [
  walletFunded,
  walletTransferred,
  withdrawalRequested,
  walletWithdrawn,
  withdrawalReturned,
  walletRefunded,
  exchangeRateChanged,
];
const platform = await startPlatform({}, [
  { name: 'listener', service: undefined, subscriptions: kinds.map((kind) => on(kind, 'listener', listen)) },
]);
const { admin } = platform;
await platform.standIn('payments', { payouts: 'hold', webhookPause: 50 });

/** What was told since, once so many have come, and that no more come. */
async function told(count: number): Promise<typeof heard> {
  for (const deadline = Date.now() + 120_000; heard.length < count && Date.now() < deadline; )
    await sleep(20);
  await sleep(150);
  return heard.splice(0);
}

test('every movement publishes one event, and refused ones none', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const { id: session, link } = await platform.checkout(ada, 50);
  await platform.pay(link);
  const ofAda = (await ada.client.call(listTransactions)).data[0];
  assert.deepEqual(await told(1), [
    {
      name: 'wallet.funded',
      data: {
        transactionId: ofAda?.transactionId,
        userId: ada.id,
        amount: 50,
        balance: 50,
        source: 'checkout',
      },
    },
  ]);

  const funding = (await admin.call(fundWalletAsAdmin, { body: { userId: ben.id, amount: 7 } })).data
    .transaction;
  const metadata = { gift: true, surface: 'livestream', other: 'x' };
  const gift = { toUserId: ben.id, amount: 5, description: 'For you', metadata };
  const { transactionId } = (await ada.client.post('/v1/wallets/transfer', gift)).data.transaction;
  await ada.client.post('/v1/wallets/transfer', { ...gift, amount: 1000 });
  const both = await told(2);
  assert.deepEqual(both.find(({ name }) => name === 'wallet.funded')?.data, {
    transactionId: funding.transactionId,
    userId: ben.id,
    amount: 7,
    balance: 7,
    source: 'administrator',
  });
  assert.deepEqual(both.find(({ name }) => name === 'wallet.transferred')?.data, {
    transactionId,
    fromUserId: ada.id,
    toUserId: ben.id,
    amount: 5,
    description: 'For you',
    gift: true,
    surface: 'livestream',
  });
  assert.equal(both.length, 2);

  const withdraw = async (outcome: 'failed' | 'cancelled' | 'completed') => {
    const { data } = await ada.client.call(withdrawKeys, { body: { amount: 10 } });
    const id = data.transaction.transactionId;
    await admin.call(settleWithdrawal, { params: { transactionId: id }, body: { outcome, reason: 'why' } });
    return { data: { transactionId: id, userId: ada.id, amount: 10 }, heard: await told(2) };
  };
  const paid = await withdraw('completed');
  const request = (data: object) => ({
    name: 'wallet.withdrawal-requested',
    data: { ...data, usdAmount: 10 },
  });
  assert.deepEqual(
    new Set(paid.heard),
    new Set([request(paid.data), { name: 'wallet.withdrawn', data: paid.data }]),
  );
  const failed = await withdraw('failed');
  assert.deepEqual(
    new Set(failed.heard),
    new Set([
      request(failed.data),
      { name: 'wallet.withdrawal-returned', data: { ...failed.data, outcome: 'failed', reason: 'why' } },
    ]),
  );

  await fetch(`${platform.sandboxUrl}/control/payments/${session}/refund`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ cents: 5000 }),
  });
  const [refund] = await told(1);
  assert.deepEqual([refund?.name, refund?.data.amount, refund?.data.short], ['wallet.refunded', 35, 15]);
  await admin.call(setExchangeRate, { body: { rate: 0.5 } });
  assert.deepEqual(await told(1), [
    { name: 'wallet.exchange-rate-changed', data: { currency: 'USD', rate: 0.5 } },
  ]);
});

test('a thousand transfers, a hundred at a time, publish a thousand events', async () => {
  const [ada, ben] = [await platform.newMemberWith(1000), await platform.newMemberWith(0)];
  await told(1);
  const transfer = { toUserId: ben.id, amount: 1 };
  const answers = await inLanes(1000, 100, () => ada.client.call(transferKeys, { body: transfer }));
  const events = await told(1000);
  assert.deepEqual(
    events.map(({ data }) => data.transactionId).sort(),
    answers.map(({ data }) => data.transaction.transactionId).sort(),
  );
});
