import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  blockMember,
  getBalance,
  getReceivedTipTotals,
  getSentTipTotals,
  listNotifications,
  listReceivedTips,
  listSentTips,
  listTransactions,
  tipEducator,
  unassignPermissions,
  updateUser,
} from '../../../../sdk/src/index.ts';
import { newEducator } from '../../../../test/support/courses.ts';
import { until } from '../../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { keyReused } from '../../../kernel/records/idempotency.ts';
import { notEducator } from '../../identity/contract.ts';
import { blocked } from '../../moderation/contract.ts';
import { educatorNotFound } from '../contract.ts';
import { tipOneself } from '../failures.ts';

const platform = await startPlatform();
const { newMemberWith } = platform;
const balanceOf = async ({ client }: Member): Promise<number> => (await client.call(getBalance)).data.balance;
const tip = ({ client }: Pick<Member, 'client'>, { id }: Member, amount: number) =>
  client.attempt(tipEducator, { params: { educatorId: id }, body: { amount } });

test('a tip is transferred once under its key', async () => {
  const [giver, ada, eve] = [
    await newMemberWith(100),
    await newEducator(platform),
    await newEducator(platform),
  ];
  const params = { educatorId: ada.id };
  const body = { amount: 30, message: 'Thank you!' };
  const keyed = giver.client.with({ 'idempotency-key': 'tip-1' });
  const { status, data } = await keyed.call(tipEducator, { params, body });
  assert.deepEqual([status, data.amount, data.educatorId, data.message], [201, 30, ada.id, 'Thank you!']);
  const replayed = await keyed.call(tipEducator, { params, body });
  assert.deepEqual([replayed.headers.get('idempotent-replayed'), replayed.data], ['true', data]);
  assertRefused(await keyed.attempt(tipEducator, { params: { educatorId: eve.id }, body }), keyReused);
  assert.equal(await balanceOf(giver), 70);
  const heard = async () =>
    (await ada.client.call(listNotifications)).data.filter(({ title }) => title === 'A gift of 30 Keys');
  await until(async () => (await heard()).length > 0, 'the notification of the educator');
  assert.equal((await heard()).length, 1);
});

test('concurrent tips spend no more than there is', async () => {
  const [giver, ada] = [await newMemberWith(70), await newEducator(platform)];
  const answers = await Promise.all(Array.from({ length: 10 }, () => tip(giver, ada, 20)));
  const statuses = answers.map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [201, 201, 201, ...Array.from({ length: 7 }, () => 400)]);
  assert.equal(await balanceOf(giver), 10);
  assert.deepEqual((await platform.platform.wallet.verify()).faults, []);
});

test('tips appear in the histories of both, in their lists and totals', async () => {
  const [giver, ada] = [await newMemberWith(100), await newEducator(platform)];
  const first = await tip(giver, ada, 30);
  await tip(giver, ada, 20);
  for (const { client } of [giver, ada]) {
    const { data } = await client.call(listTransactions, { query: { type: 'transfer' } });
    assert.equal(data.length, 2);
    assert.deepEqual(data.at(-1)?.metadata, { gift: true, surface: 'educator' });
  }
  const sent = await giver.client.call(listSentTips);
  assert.deepEqual(
    [sent.body.pagination.total, sent.data.at(-1)?.transactionId],
    [2, first.data?.transactionId],
  );
  const params = { educatorId: ada.id };
  const received = await ada.client.call(listReceivedTips, { params });
  assert.deepEqual(
    received.data.map(({ amount, userId, other }) => [amount, userId, other.id]),
    [20, 30].map((amount) => [amount, giver.id, giver.id]),
  );
  const totals = { tips: 2, keys: 50 };
  assert.deepEqual((await ada.client.call(getReceivedTipTotals, { params })).data, totals);
  assert.deepEqual((await giver.client.call(getSentTipTotals)).data, totals);
});

test('received tips are listed for their educator alone', async () => {
  const [giver, ada, eve] = [
    await newMemberWith(0),
    await newEducator(platform),
    await newEducator(platform),
  ];
  const params = { educatorId: ada.id };
  assertRefused(await eve.client.attempt(listReceivedTips, { params }), insufficientPermissions);
  assertRefused(await giver.client.attempt(listReceivedTips, { params }), notEducator);
});

test('the wallet sums gifts of a period, and ranks who receives and sends most', async () => {
  const { gifts } = platform.platform.wallet;
  const [giver, ada] = [await newMemberWith(100), await newEducator(platform)];
  platform.clock.advance(1000);
  const from = platform.clock.date();
  for (const amount of [30, 20, 20, 20]) await tip(giver, ada, amount);
  const period = { from, to: new Date(platform.clock.now() + 1000) };
  assert.deepEqual(await gifts.sums(period), { giftedKeys: 90, gifts: 4, gifters: 1, giftRecipients: 1 });
  const [best] = await gifts.topRecipients(period, { limit: 5 });
  assert.deepEqual([best?.userId, best?.keys, best?.gifts, best?.counterparties], [ada.id, 90, 4, 1]);
  assert.deepEqual(await gifts.topSenders(period, { limit: 5, except: [giver.id] }), []);
});

test('the amount of a tip is a positive whole number', async () => {
  const [giver, ada] = [await newMemberWith(10), await newEducator(platform)];
  for (const amount of [0, -1, 1.5, '5', undefined]) {
    const { status, body } = await giver.client.raw('POST', `/v1/educators/${ada.id}/tip`, { amount });
    assert.deepEqual([status, body.message], [400, 'Amount must be a positive whole number']);
  }
});

test('educators cannot tip themselves', async () => {
  const ada = await newEducator(platform);
  assertRefused(await tip(ada, ada, 1), tipOneself);
});

test('repeating a tip with its key returns the same answer, even after the educator lost the permission', async () => {
  const [giver, former] = [await newMemberWith(100), await newEducator(platform)];
  const keyed = { client: giver.client.with({ 'idempotency-key': 'tip-to-a-former-educator' }) };
  const first = await tip(keyed, former, 30);
  assert.equal(first.status, 201, JSON.stringify(first.body));
  await platform.admin.call(unassignPermissions, {
    params: { userId: former.id },
    body: { permissions: ['educator'] },
  });
  assertRefused(await tip(giver, former, 30), notEducator);
  const again = await tip(keyed, former, 30);
  assert.deepEqual(
    [again.status, again.headers.get('idempotent-replayed'), again.data],
    [201, 'true', first.data],
  );
  assertRefused(await tip(keyed, former, 31), keyReused);
  assert.equal((await tip(keyed, former, 0.5)).status, 400);
  assert.equal(await balanceOf(giver), 70);
});

test('a blocked member cannot tip the educator and keeps the Keys', async () => {
  const [giver, ada, eve] = [
    await newMemberWith(10),
    await newEducator(platform),
    await newEducator(platform),
  ];
  await ada.client.call(blockMember, { params: { userId: giver.id } });
  const refused = await giver.client.attempt(tipEducator, {
    params: { educatorId: ada.id },
    body: { amount: 5, message: 'Read this' },
  });
  assertRefused(refused, blocked);
  assert.equal(await balanceOf(giver), 10);
  assert.equal((await tip(giver, eve, 5)).status, 201);
});

test('a deactivated educator takes no tips until the account is active again', async () => {
  const [giver, ada] = [await newMemberWith(100), await newEducator(platform)];
  const activate = (isActive: boolean) =>
    platform.admin.call(updateUser, { params: { userId: ada.id }, body: { isActive } });
  await activate(false);
  assertRefused(await tip(giver, ada, 30), educatorNotFound);
  assert.equal(await balanceOf(giver), 100);
  await activate(true);
  assert.equal((await tip(giver, ada, 30)).status, 201);
});
