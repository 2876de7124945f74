import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decideAccessRequest,
  decideAccessRequests,
  deleteIndicator,
  deleteProduct,
  getAccessRequestStatus,
  listAccessRequests,
  listAudit,
  listOwnAccessRequests,
} from '../../../sdk/src/index.ts';
import type { TypesOf } from '../../../sdk/src/operation.ts';
import { untilAvailable } from '../../../test/support/holding.ts';
import { ANSWERED, indicatorTools } from '../../../test/support/indicators.ts';
import { until } from '../../../test/support/live.ts';
import { marketplaceTools } from '../../../test/support/marketplace.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { requestNotFound } from './contract.ts';
import { chartingIdRequired } from './requests.schemas.ts';
import { ALREADY } from './reviewing.ts';

const platform = await startPlatform({ ...ANSWERED, LOG_LEVEL: 'silent' });
const { admin, newMember } = platform;
const { newProduct, ask, tryToAsk } = marketplaceTools(platform);
const { newIndicator, holders, tell, untilStatus, grant } = indicatorTools(platform);

type Status = TypesOf<typeof decideAccessRequest>['body']['status'];

const decide = ({ id }: { id: string }, status: Status, reason?: string) =>
  admin.call(decideAccessRequest, { params: { id }, body: { status, reason } });

test('an approved request grants access at the charting platform until it is withdrawn', async () => {
  const [ada, scanner] = [await newMember(), await newIndicator()];
  const product = await newProduct({ productType: 'scanner' as const, scannerId: scanner.id });
  assertRefused(await tryToAsk(ada, product), chartingIdRequired);
  const request = await ask(ada, product, { chartingId: '@ada_m', email: ada.email.toUpperCase() });
  assert.deepEqual(
    [request.status, request.data.status, request.data.email, request.data.fullName, request.data.chartingId],
    [201, 'pending', ada.email, 'Ada L', 'ada_m'],
  );
  const again = await ask(ada, product, { chartingId: 'ada_corrected' });
  assert.deepEqual([again.status, again.data.id, again.data.submissions], [200, request.data.id, 2]);
  assert.equal(again.body.message, 'Request updated');
  const approved = await decide(request.data, 'approved');
  assert.deepEqual(
    [approved.status, approved.data.status, approved.data.entitlementWarning],
    [200, 'approved', undefined],
  );
  assert.deepEqual(await holders(scanner.pineId), ['ada_corrected']);
  const row = await untilStatus(ada, scanner, 'active');
  assert.deepEqual([row.source, row.requestId], ['marketplace', request.data.id]);
  const untouched = await ask(ada, product, { chartingId: 'other' });
  assert.deepEqual([untouched.status, untouched.data.chartingId], [200, 'ada_corrected']);
  assert.equal(untouched.body.message, 'The request is already approved');
  const { data: status } = await ada.client.call(getAccessRequestStatus, { query: { email: ada.email } });
  assert.deepEqual(status, { [product.id]: 'approved' });
  const refused = await admin.attempt(deleteIndicator, { params: { id: scanner.id } });
  assert.match(refused.body.message, /1 member still holds this indicator and 1 product points at it/);

  const { data: log } = await admin.call(listAudit, { query: { target: request.data.id } });
  assert.deepEqual(
    log.map(({ targetName, changes }) => [targetName, changes]),
    [[product.name, { status: ['pending', 'approved'] }]],
    'the log has no name that a member has typed',
  );
  await decide(request.data, 'denied', 'Not a customer');
  await untilStatus(ada, scanner, 'revoked');
  assert.deepEqual(await holders(scanner.pineId), []);
  assert.equal((await admin.call(deleteProduct, { params: { id: product.id } })).status, 200);
  assert.equal((await admin.call(deleteIndicator, { params: { id: scanner.id } })).status, 200);
});

test('of two approved requests for an indicator, one that is withdrawn leaves the access to the other', async () => {
  const [ada, scanner] = [await newMember(), await newIndicator()];
  const product = () => newProduct({ productType: 'scanner' as const, scannerId: scanner.id });
  const first = await ask(ada, await product(), { chartingId: 'ada_one' });
  const second = await ask(ada, await product(), { chartingId: 'ada_two' });
  await decide(second.data, 'approved');
  await decide(first.data, 'approved');
  await untilStatus(ada, scanner, 'active');
  assert.deepEqual(await holders(scanner.pineId), ['ada_one']);

  await decide(second.data, 'denied', 'Twice');
  const row = await untilStatus(ada, scanner, 'active');
  assert.deepEqual([row.requestId, await holders(scanner.pineId)], [first.data.id, ['ada_one']]);
  await decide(second.data, 'approved');
  const untilHeld = (handle: string) =>
    until(async () => (await holders(scanner.pineId)).join() === handle, `the access of ${handle}`);
  await untilHeld('ada_two');
  await decide(second.data, 'denied', 'The name of a friend');
  await untilHeld('ada_one');
  await decide(second.data, 'approved');
  await untilHeld('ada_two');

  // Both at once: whichever is first hands over to the other, which then ends the access.
  await Promise.all([decide(first.data, 'pending'), decide(second.data, 'denied')]);
  await untilStatus(ada, scanner, 'revoked');
  assert.deepEqual(await holders(scanner.pineId), []);
});

test('several requests are decided alike, with a result for each', async () => {
  const [ada, ben, scanner] = [await newMember(), await newMember(), await newIndicator()];
  const granting = await newProduct({ productType: 'scanner' as const, scannerId: scanner.id });
  const other = await newProduct({});
  const [one, two, three] = [
    (await ask(ada, granting, { chartingId: 'ada_bulk' })).data.id,
    (await ask(ben, granting, { chartingId: 'ben_bulk' })).data.id,
    (await ask(ben, other)).data.id,
  ];
  const unknown = 'f'.repeat(24);
  const decideAll = async (status: Status, ...ids: string[]) =>
    (await admin.call(decideAccessRequests, { body: { ids, status, reason: 'Paid by invoice' } })).data;
  const done = (id: string, status: Status) => ({
    ...{ id, status, entitlementWarning: null, error: null, message: null },
  });
  assert.deepEqual(await decideAll('approved', one, two, three, one, unknown), [
    ...[one, two, three].map((id) => done(id, 'approved')),
    { ...done(unknown, 'denied'), status: null, error: 'NOT_FOUND', message: requestNotFound().message },
  ]);
  assert.deepEqual((await holders(scanner.pineId)).sort(), ['ada_bulk', 'ben_bulk']);
  const { data: queue } = await admin.call(listAccessRequests, { query: { productId: other.id } });
  assert.deepEqual([queue[0]?.status, queue[0]?.reason], ['approved', 'Paid by invoice']);
  assert.deepEqual(await decideAll('denied', one, two), [done(one, 'denied'), done(two, 'denied')]);
  await until(async () => (await holders(scanner.pineId)).length === 0, 'the removals');

  await platform.standIn('charting', { mode: 'unknown-user' });
  const [warned] = await decideAll('approved', one);
  assert.deepEqual([warned?.status, warned?.error], ['approved', null]);
  assert.ok(warned?.entitlementWarning);
  await platform.standIn('charting', { mode: 'ok' });
  const path = '/v1/streams/marketplace/access-requests';
  assertInvalid(await admin.raw('PATCH', path, { ids: [], status: 'approved' }));
  assertInvalid(await admin.raw('PATCH', path, { ids: [one], status: 'done' }));
});

test('of two concurrent decisions about a pending request one succeeds, and the failure of the other states the new status', async () => {
  const [ada, product] = [await newMember(), await newProduct({})];
  const requests = await Promise.all([ask(ada, product), ask(ada, product, { email: 'ada@other.example' })]);
  const ids = requests.map(({ data }) => data.id);
  const expecting = (status: Status) => ({ status, expectedStatus: 'pending' as const });
  const [id = ''] = ids;
  const [approved, denied] = await Promise.all(
    (['approved', 'denied'] as const).map((status) =>
      untilAvailable(() => admin.attempt(decideAccessRequest, { params: { id }, body: expecting(status) })),
    ),
  );
  const [made, refused] = approved?.status === 200 ? [approved, denied] : [denied, approved];
  assert.equal(made?.status, 200);
  const { data: queue } = await admin.call(listAccessRequests, { query: { productId: product.id } });
  const status = queue.find((one) => one.id === id)?.status as 'approved' | 'denied';
  assert.equal(status, made === approved ? 'approved' : 'denied');
  assertRefused(refused as NonNullable<typeof refused>, ALREADY[status]);
  const { data: log } = await admin.call(listAudit, { query: { target: id } });
  assert.equal(log.length, 1, 'one decision is in the log');

  const { data: results } = await admin.call(decideAccessRequests, { body: { ids, ...expecting('denied') } });
  assert.deepEqual(
    results.map(({ status: now, error }) => [now, error]),
    [
      [null, 'ACCESS_REQUEST_CHANGED'],
      ['denied', null],
    ],
  );
  const { data } = await decide({ id }, 'pending');
  assert.equal(data.status, 'pending', 'without an expectation, the last one decides');
});

test('a decision is saved with a warning while the charting platform fails, and repeating it retries', async () => {
  const [ada, scanner] = [await newMember(), await newIndicator()];
  const product = await newProduct({ productType: 'scanner' as const, scannerId: scanner.id });
  const { data } = await ask(ada, product, { chartingId: 'ada_w' });
  await tell('fail');
  const approved = await decide(data, 'approved');
  assert.deepEqual([approved.status, approved.data.status], [200, 'approved']);
  assert.equal(approved.data.entitlementWarning, 'The charting platform answered 503');
  await untilStatus(ada, scanner, 'failed');
  await tell('ok');
  assert.equal((await decide(data, 'approved')).data.entitlementWarning, undefined);
  await untilStatus(ada, scanner, 'active');
});

test('approving a request for a scanner product that was deleted says that nothing was granted', async () => {
  const ada = await newMember();
  for (const [productType, isWarned] of [
    ['scanner', true],
    ['misc', false],
  ] as const) {
    const scannerId = productType === 'scanner' ? (await newIndicator()).id : undefined;
    const product = await newProduct({ productType, scannerId });
    const { data } = await ask(ada, product, { chartingId: 'ada_d' });
    await admin.call(deleteProduct, { params: { id: product.id } });
    const { entitlementWarning } = (await decide(data, 'approved')).data;
    assert.equal(entitlementWarning !== undefined, isWarned, productType);
  }
});

test('withdrawing a request removes only the access that it created', async () => {
  const [ada, scanner] = [await newMember(), await newIndicator()];
  const product = await newProduct({ productType: 'scanner' as const, scannerId: scanner.id });
  const { data } = await ask(ada, product, { chartingId: 'ada_x' });
  await decide(data, 'approved');
  await untilStatus(ada, scanner, 'active');
  await grant(scanner, ada, 'ada_x');
  await decide(data, 'pending');
  assert.equal((await untilStatus(ada, scanner, 'active')).source, 'manual');
});

test('requests belong to the account that submits them', async () => {
  const [ada, eve] = [await newMember(), await newMember()];
  const product = await newProduct({});
  await ask(ada, product);
  const forged = await ask(eve, product, { email: ada.email, chartingId: 'eve' });
  assert.equal(forged.status, 201, 'a request of its own');
  const seen = await eve.client.call(getAccessRequestStatus, { query: { email: ada.email } });
  assert.deepEqual(seen.data, { [product.id]: 'pending' });
  const { data: all } = await admin.call(listAccessRequests, { query: { search: ada.email } });
  assert.deepEqual(all.map(({ userId }: { userId: string }) => userId).sort(), [ada.id, eve.id].sort());
  const stranger = await newMember();
  assert.deepEqual(
    (await stranger.client.call(getAccessRequestStatus, { query: { email: ada.email } })).data,
    {},
  );
});

test("a member reads their own requests with answers and the reason of a denial, and nobody else's", async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  const requestFields = [{ key: 'why', label: 'Why?', type: 'text' as const }];
  const [product, other] = [await newProduct({ requestFields }), await newProduct({})];
  const first = await ask(ada, product, { chartingId: '@ada_m', answers: { why: 'To learn' } });
  const second = await ask(ada, other);
  await ask(ben, product);
  await decide(first.data, 'denied', 'Not yet');
  const mine = async (query: object = {}) => (await ada.client.call(listOwnAccessRequests, { query })).data;
  const [newest, oldest] = await mine();
  assert.equal((await mine()).length, 2);
  assert.deepEqual([newest?.id, newest?.status, newest?.reason], [second.data.id, 'pending', null]);
  assert.deepEqual(
    [oldest?.id, oldest?.productName, oldest?.chartingId, oldest?.status, oldest?.reason],
    [first.data.id, product.name, 'ada_m', 'denied', 'Not yet'],
  );
  assert.deepEqual(oldest?.answers, [{ key: 'why', label: 'Why?', value: 'To learn' }]);
  assert.ok(!('decidedBy' in (oldest ?? {})));
  const { data: queue } = await admin.call(listAccessRequests, { query: { productId: product.id } });
  const row = queue.find(({ id }) => id === first.data.id);
  assert.deepEqual([row?.user.id, row?.decider?.id], [ada.id, platform.adminId]);
  assert.deepEqual(await mine({ before: newest?.id }), [oldest]);
  assert.deepEqual(await mine({ productId: other.id }), [newest]);
  const again = await ask(ada, product, { chartingId: '@ada_m', answers: { why: 'To earn' } });
  assert.ok(!('decidedBy' in again.data), 'nor do they learn it from the answer');
});

test('concurrent submissions create one request', async () => {
  const ada = await newMember();
  const product = await newProduct({});
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(ada, product)));
  assert.equal(new Set(answers.map(({ data }) => data.id)).size, 1);
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
});
