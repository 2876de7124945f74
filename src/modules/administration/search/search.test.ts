import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  buyKeys,
  createProduct,
  createUser,
  deleteUser,
  getErrorAsAdmin,
  getTransactionAsAdmin,
  getUser,
  listSessionsOfUser,
  listTransactions,
  searchRecords,
  submitAccessRequest,
  transferKeys,
  updateUser,
  withdrawKeys,
} from '../../../../sdk/src/index.ts';
import { newRoom, say } from '../../../../test/support/chatrooms.ts';
import { newEmail } from '../../../../test/support/client.ts';
import { newCourse } from '../../../../test/support/courses.ts';
import { ANSWERED, indicatorTools } from '../../../../test/support/indicators.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';

const platform = await startPlatform(ANSWERED);
const { admin } = platform;
const { newIndicator, grant } = indicatorTools(platform);
const search = async (q: string) => (await admin.call(searchRecords, { query: { q } })).data;
const idsFor = async (q: string) => (await search(q)).map(({ type, id }) => `${type} ${id}`);

const named = async (firstName: string, lastName: string, more: object = {}) =>
  (await admin.call(createUser, { body: { email: newEmail(), firstName, lastName, ...more } })).data;

test('a user is found by id, e-mail, customer id and username, and by the beginnings of names', async () => {
  const email = `Grace.${Date.now()}@Example.com`;
  const grace = await named('Grace', 'Brewster Hopper', { email, username: 'amazing', customerId: 'C-77_1' });
  for (const q of [
    grace.id,
    grace.id.toUpperCase(),
    email,
    email.slice(0, 12),
    'C-77_1',
    'amazing',
    'AMAZ',
    'grace brew',
    'Brewster',
    '  Grace  ',
  ])
    assert.deepEqual(
      await search(q),
      [
        {
          type: 'user',
          id: grace.id,
          title: `Grace Brewster Hopper (${email.toLowerCase()})`,
          userId: grace.id,
        },
      ],
      q,
    );
  for (const q of ['C-77%1', 'C-77', 'ma_ing', 'opper', 'grace%', '\\', '%', '_', 'f'.repeat(24)])
    assert.deepEqual(await search(q), [], q);
  await admin.call(deleteUser, { params: { userId: grace.id } });
  for (const q of [grace.id, email, 'amazing', 'deleted:']) assert.deepEqual(await search(q), [], q);
});

test('transactions, withdrawals and checkouts are found by the identifiers that members see', async () => {
  const [ada, ben] = [await platform.newMemberWith(1_000), await platform.newMemberWith(0)];
  await ada.client.call(transferKeys, { body: { toUserId: ben.id, amount: 25 } });
  await ada.client.call(withdrawKeys, { body: { amount: 100 } });
  const { data: history } = await ada.client.call(listTransactions);
  const idOf = (type: string) => history.find((one) => one.type === type)?.transactionId ?? '';
  const [transfer] = await search(idOf('transfer'));
  assert.deepEqual(transfer, {
    type: 'transaction',
    id: idOf('transfer'),
    title: 'transfer of 25 Keys, completed',
    userId: ada.id,
  });
  assert.deepEqual(await idsFor(idOf('transfer').toLowerCase()), [`transaction ${idOf('transfer')}`]);
  assert.deepEqual(await idsFor(idOf('withdrawal')), [`withdrawal ${idOf('withdrawal')}`]);
  assert.deepEqual(await search(`${idOf('transfer').slice(0, -1)}!`), []);
  const withdrawal = { params: { transactionId: idOf('withdrawal') } };
  const payout = async () => (await admin.call(getTransactionAsAdmin, withdrawal)).data.payout;
  await until(async () => Boolean((await payout())?.providerId), 'the payout is submitted');
  const { id = '', providerId } = (await payout()) ?? {};
  for (const q of [id, id.toUpperCase(), providerId ?? ''])
    assert.deepEqual(await idsFor(q), [`withdrawal ${idOf('withdrawal')}`], q);

  const { data: bought } = await ada.client.call(buyKeys, { body: { amount: 10 } });
  const [checkout] = await search(bought.checkoutSessionId);
  assert.deepEqual([checkout?.type, checkout?.userId], ['checkout', ada.id]);
  assert.deepEqual(await idsFor(checkout?.id ?? ''), [`checkout ${checkout?.id}`]);
});

test('failures are found by their id, their request and their trace', async () => {
  const ada = await platform.newMember();
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const refused = await ada.client
    .with({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` })
    .attempt(getUser, { params: { userId: ada.id } });
  assertRefused(refused, insufficientPermissions);
  const { errorId = '' } = refused.body;
  await until(async () => (await search(errorId)).length === 1, 'the failure is stored');
  const found = [
    {
      type: 'error',
      id: errorId,
      title: 'FORBIDDEN of getUser: Insufficient permissions',
      userId: ada.id,
    },
  ];
  const { request } = (await admin.call(getErrorAsAdmin, { params: { errorId } })).data;
  for (const q of [errorId, errorId.toUpperCase(), request.requestId, traceId])
    assert.deepEqual(await search(q), found, q);
  assert.deepEqual(await search('00000000-0000-0000-0000-000000000000'), []);
});

test('sessions, courses, messages, grants and requests are found by id, and some by name', async () => {
  const ada = await platform.newMember();
  const [session] = (await admin.call(listSessionsOfUser, { params: { userId: ada.id } })).data;
  assert.deepEqual(await idsFor(session?.id ?? ''), [`session ${session?.id}`]);

  const { course, owner } = await newCourse(platform, { course: { title: 'Zinc for beginners' } });
  assert.deepEqual(await search('ZINC for'), [
    { type: 'course', id: course.id, title: 'Zinc for beginners, published', userId: owner.id },
  ]);
  assert.deepEqual(await idsFor(course.id), [`course ${course.id}`]);

  const message = await say(ada, await newRoom(ada), `Hello${'!'.repeat(500)}`);
  const [hit] = await search(message.id);
  assert.deepEqual([hit?.type, hit?.userId, hit?.title.length], ['message', ada.id, 200]);
  const secret = await say(ada, await newRoom(ada, 'private'), 'Between us');
  assert.equal((await search(secret.id))[0]?.title, 'A message in a chatroom that is not public');

  const scanner = await newIndicator({ name: 'Trend' });
  const access = (await grant(scanner, ada, 'Zoe_Trades')).data;
  const product = (await admin.call(createProduct, { body: { name: 'A year', productType: 'misc' } })).data;
  const { data: request } = await ada.client.call(submitAccessRequest, {
    body: { productId: product.id, fullName: 'Ada L', email: 'other@example.org', chartingId: 'zoe_other' },
  });
  assert.deepEqual((await idsFor('@zoe_')).sort(), [`grant ${access.id}`, `request ${request.id}`]);
  assert.deepEqual(await idsFor(access.id), [`grant ${access.id}`]);
  assert.deepEqual(await idsFor('Other@Example.org'), [`request ${request.id}`]);
  assert.deepEqual(await idsFor(request.id), [`request ${request.id}`]);
});

test('there are at most twenty results: identifiers, then whole names, then beginnings', async () => {
  for (let number = 10; number < 35; number++) await named('Yves', `Klein${number}`);
  const exact = await named('Other', 'Yves');
  const first = await search('yves');
  assert.equal(first.length, 20);
  assert.equal(first[0]?.id, exact.id, 'the whole name comes first');
  const renamed = await named('Other', 'Name');
  await admin.call(updateUser, { params: { userId: renamed.id }, body: { customerId: 'yves' } });
  assert.deepEqual(
    (await search('yves')).slice(0, 2).map(({ id }) => id),
    [renamed.id, exact.id],
  );
});

test('only administrators search, and the text is limited', async () => {
  const ada = await platform.newMember();
  assertRefused(await ada.client.attempt(searchRecords, { query: { q: 'ada' } }), insufficientPermissions);
  for (const query of ['', '?q=', '?q=%20', `?q=${'x'.repeat(201)}`, '?q=a&q=b', '?q=a&type=user'])
    assertInvalid(await admin.raw('GET', `/v1/admin/search${query}`), query);
  assert.equal((await admin.raw('GET', '/v1/admin/search?q=%00')).status, 400);
  assert.deepEqual(await search('x'.repeat(200)), []);
});
