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
import { assertRefused } from '../../../test/support/refused.ts';
import { type Event, on } from '../../kernel/messaging/events.ts';
import {
  exchangeRateChanged,
  insufficientBalance,
  walletFunded,
  walletRefunded,
  walletTransferred,
  walletWithdrawn,
  withdrawalRequested,
  withdrawalReturned,
} from './contract.ts';

const publishedEvents: { name: string; data: Record<string, unknown> }[] = [];
const listen = async ({ name, data }: Event<object>): Promise<void> => {
  publishedEvents.push({ name, data: data as Record<string, unknown> });
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

/** Waits for so many events, and returns them with any that follow. */
async function published(count: number): Promise<typeof publishedEvents> {
  for (const deadline = Date.now() + 120_000; publishedEvents.length < count && Date.now() < deadline; )
    await sleep(20);
  await sleep(150);
  return publishedEvents.splice(0);
}

test('a purchase and its refund publish one event each', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMemberWith(0)];
  const { id: session, link } = await platform.checkout(ada, 50);
  await platform.pay(link);
  const [funding] = (await ada.client.call(listTransactions)).data;
  const data = { transactionId: funding?.transactionId, userId: ada.id, amount: 50, balance: 50 };
  assert.deepEqual(await published(1), [{ name: 'wallet.funded', data: { ...data, source: 'checkout' } }]);
  await ada.client.call(transferKeys, { body: { toUserId: ben.id, amount: 15 } });
  await published(1);
  await fetch(`${platform.sandboxUrl}/control/payments/${session}/refund`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ cents: 5000 }),
  });
  const [refund, ...others] = await published(1);
  assert.deepEqual([refund?.name, refund?.data.amount, refund?.data.short], ['wallet.refunded', 35, 15]);
  assert.deepEqual(others, []);
});

test('a funding and a transfer publish one event each, and a refused transfer none', async () => {
  const [ada, ben] = [await platform.newMemberWith(50), await platform.newMember()];
  await published(1);
  const funding = (await admin.call(fundWalletAsAdmin, { body: { userId: ben.id, amount: 7 } })).data
    .transaction;
  const metadata = { gift: true, surface: 'livestream' as const, other: 'x' };
  const gift = { toUserId: ben.id, amount: 5, description: 'For you', metadata };
  const { transactionId } = (await ada.client.call(transferKeys, { body: gift })).data.transaction;
  assertRefused(
    await ada.client.attempt(transferKeys, { body: { ...gift, amount: 1000 } }),
    insufficientBalance,
  );
  const both = await published(2);
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
});

test('a withdrawal publishes an event when it is requested and one when it ends', async () => {
  const ada = await platform.newMemberWith(20);
  await published(1);
  const withdraw = async (outcome: 'failed' | 'cancelled' | 'completed') => {
    const { data } = await ada.client.call(withdrawKeys, { body: { amount: 10 } });
    const id = data.transaction.transactionId;
    await admin.call(settleWithdrawal, { params: { transactionId: id }, body: { outcome, reason: 'why' } });
    const withdrawal = { transactionId: id, userId: ada.id, amount: 10 };
    const request = { name: 'wallet.withdrawal-requested', data: { ...withdrawal, usdAmount: 10 } };
    return { withdrawal, request, heard: await published(2) };
  };
  const paid = await withdraw('completed');
  assert.deepEqual(
    new Set(paid.heard),
    new Set([paid.request, { name: 'wallet.withdrawn', data: paid.withdrawal }]),
  );
  const failed = await withdraw('failed');
  const returned = { ...failed.withdrawal, outcome: 'failed', reason: 'why' };
  assert.deepEqual(
    new Set(failed.heard),
    new Set([failed.request, { name: 'wallet.withdrawal-returned', data: returned }]),
  );
});

test('a new exchange rate publishes an event', async () => {
  await admin.call(setExchangeRate, { body: { rate: 0.5 } });
  assert.deepEqual(await published(1), [
    { name: 'wallet.exchange-rate-changed', data: { currency: 'USD', rate: 0.5 } },
  ]);
});

test('a thousand transfers, a hundred at a time, publish a thousand events', async () => {
  const [ada, ben] = [await platform.newMemberWith(1000), await platform.newMemberWith(0)];
  await published(1);
  const transfer = { toUserId: ben.id, amount: 1 };
  const answers = await inLanes(1000, 100, () => ada.client.call(transferKeys, { body: transfer }));
  const events = await published(1000);
  assert.deepEqual(
    events.map(({ data }) => data.transactionId).sort(),
    answers.map(({ data }) => data.transaction.transactionId).sort(),
  );
});
