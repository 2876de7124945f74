import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteIndicator, setChartingUsername, updateIndicator } from '../../../../sdk/src/index.ts';
import type { Answer } from '../../../../test/support/client.ts';
import { ANSWERED, indicatorTools } from '../../../../test/support/indicators.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';

const platform = await startPlatform({ ...ANSWERED, LOG_LEVEL: 'silent' });
const { admin, clock } = platform;
const tools = indicatorTools(platform);
const { access, activity, newCustomer, newIndicator, rowsOf, untilStatus, holders } = tools;
const scanners = [await newIndicator({ sortOrder: 1 }), await newIndicator({ sortOrder: 2 })];
const [first] = scanners as [Scanner, Scanner];
type Scanner = Awaited<ReturnType<typeof newIndicator>>;

test('more concurrent webhooks than database connections are all answered', async () => {
  const customers = await Promise.all(Array.from({ length: 16 }, () => newCustomer()));
  const revoked = await Promise.all(
    customers.map(({ customerId }) => access({ customerId, action: 'revoke' })),
  );
  assert.deepEqual([...new Set(revoked.map(({ status }) => status))], [200]);
});

const codeOf = async (answer: Promise<Answer>): Promise<string> => {
  const { status, body } = await answer;
  return `${status} ${body.error}`;
};

test('the secret is checked before the body, and each fault has its own code', async () => {
  const ada = await newCustomer();
  assert.equal(await codeOf(access({}, 'wrong')), '401 UNAUTHORIZED');
  assert.equal(await codeOf(access({}, '')), '401 UNAUTHORIZED');
  const broken = await fetch(`${platform.url}/v1/streams/webhooks/indicator-access`, {
    method: 'POST',
    body: '{',
  });
  assert.equal(broken.status, 401);
  for (const body of [{}, { customer_id: '  ' }, { customer_id: 'a', customerId: 'b' }])
    assert.equal(await codeOf(access(body)), '400 INVALID_PAYLOAD');
  for (const wrong of [
    { charting_username: 'not a handle!' },
    { occurredAt: 'yesterday' },
    { customerId: 5 },
  ]) {
    const { status, body } = await access({ customerId: ada.customerId, action: 'grant', ...wrong });
    assert.deepEqual([status, body.errors?.map(({ field }) => field)], [422, Object.keys(wrong)]);
  }
  assert.equal(await codeOf(access({ customer_id: 'nobody', action: 'ban' })), '400 INVALID_ACTION');
  assert.equal(await codeOf(access({ customer_id: 'nobody', action: 'grant' })), '404 CUSTOMER_NOT_FOUND');
  assert.equal(
    await codeOf(access({ customerId: ada.customerId, action: 'grant' })),
    '422 CHARTING_USERNAME_REQUIRED',
  );
  assert.deepEqual(await rowsOf(ada), [], 'nothing was written');
  assert.equal((await access({ customer_id: ada.customerId, action: 'revoke' })).status, 200);
});

test('a revocation takes effect even with a handle that no grant accepts', async () => {
  const ada = await newCustomer();
  const { customerId } = ada;
  const long = 'a'.repeat(321);
  for (const name of [
    { charting_username: 'Ada (revoked)!' },
    { charting_username: 5 },
    { chartingUsername: { name: 'ada' } },
    { charting_username: 'ada_revoked', chartingUsername: 5 },
    { charting_username: ' ada_revoked', chartingUsername: 'ada_revoked' },
    { charting_username: long },
  ]) {
    await access({ customerId, action: 'grant', charting_username: 'ada_revoked' });
    await untilStatus(ada, first, 'active');
    const answer = await access({ customerId, action: 'revoke', ...name });
    assert.equal(answer.status, 200, JSON.stringify([name, answer.body]));
    await untilStatus(ada, first, 'revoked');
    const granted = await access({ customerId, action: 'grant', ...name });
    if (!('chartingUsername' in name)) assert.equal(granted.status, 422, JSON.stringify(name));
  }
  const contradictory = { charting_username: 'ada', chartingUsername: 'ben' };
  assert.equal(
    await codeOf(access({ customerId, action: 'revoke', ...contradictory })),
    '400 INVALID_PAYLOAD',
  );
  await access({ customerId, action: 'revoke' });
});

test('a report of activity that names two members is refused, and changes neither', async () => {
  const [ada, ben] = [await newCustomer(), await newCustomer()];
  for (const { customerId } of [ada, ben])
    await access({ customerId, action: 'grant', charting_username: `h_${customerId}`.slice(0, 20) });
  for (const active of [false, true])
    assert.equal(await codeOf(activity({ userId: ada.id, email: ben.email, active })), '400 INVALID_PAYLOAD');
  for (const member of [ada, ben])
    assert.ok((await rowsOf(member)).every(({ graceEndsAt }) => graceEndsAt === null));
  for (const email of [ada.email.toUpperCase(), 'formerly@example.com', null])
    assert.equal((await activity({ userId: ada.id, email, active: true })).data.userId, ada.id);
  const unknown = { userId: 'f'.repeat(24), email: ben.email, active: true };
  assert.equal((await activity(unknown)).data.userId, ben.id);
  for (const { customerId } of [ada, ben]) await access({ customerId, action: 'revoke' });
  for (const member of [ada, ben])
    for (const scanner of scanners) await untilStatus(member, scanner, 'revoked');
});

test('a report of activity names a known member and a status', async () => {
  const ada = await newCustomer();
  for (const body of [{}, { userId: ada.id }, { active: true }, { userId: ada.id, active: 'yes' }])
    assert.equal(await codeOf(activity(body)), '400 INVALID_PAYLOAD');
  assert.equal(
    await codeOf(activity({ userId: ada.id, active: true, status: 'expired' })),
    '400 INVALID_PAYLOAD',
  );
  for (const status of ['Active', 'paused', '', 7, 'constructor'])
    assert.equal(await codeOf(activity({ userId: ada.id, status })), '400 UNKNOWN_STATUS');
  assert.equal(await codeOf(activity({ userId: 'x', active: true })), '400 INVALID_ID');
  const email = `${'a'.repeat(320 - '@example.com'.length)}@example.com`;
  assert.equal(await codeOf(activity({ email: `a${email}`, active: true })), '422 VALIDATION_FAILED');
  for (const one of [email, 'nobody@example.com'])
    assert.equal(await codeOf(activity({ email: one, active: true })), '404 NOT_FOUND');
  assert.equal((await activity({ email: ada.email.toUpperCase(), status: 'enabled' })).status, 200);
});

test('each status means active or inactive, and a flag beside it must say the same', async () => {
  const ada = await newCustomer();
  const meanings = {
    active: ['active', 'enabled'],
    inactive: ['inactive', 'cancelled', 'canceled', 'expired', 'suspended', 'disabled'],
  };
  for (const [meaning, statuses] of Object.entries(meanings)) {
    const active = meaning === 'active';
    for (const status of statuses) {
      assert.equal((await activity({ userId: ada.id, active, status })).status, 200, status);
      const other = activity({ userId: ada.id, active: !active, status });
      assert.equal(await codeOf(other), '400 INVALID_PAYLOAD', status);
    }
  }
});

test('a webhook grants every offered indicator, and revokes every held one including retired ones', async () => {
  const ada = await newCustomer();
  const retired = await newIndicator({ sortOrder: 3 });
  const granted = await access({ customer_id: ada.customerId, action: 'grant', charting_username: '@ada_w' });
  assert.deepEqual(
    [
      granted.data.userId,
      granted.data.email,
      granted.data.chartingUsername,
      granted.data.scanners,
      granted.data.changed,
    ],
    [ada.id, ada.email, 'ada_w', 3, 3],
  );
  assert.equal(granted.data.results[0]?.scannerName, first.name);
  for (const one of scanners) await untilStatus(ada, one, 'active');
  await untilStatus(ada, retired, 'active');
  const again = await access({ customer_id: ada.customerId, action: 'grant' });
  assert.deepEqual([again.data.changed, again.data.chartingUsername], [0, 'ada_w']);

  await admin.call(updateIndicator, { params: { id: retired.id }, body: { isActive: false } });
  const extra = await newIndicator({ sortOrder: 4 });
  const revoked = await access({ customer_id: ada.customerId, action: 'revoke' });
  assert.deepEqual([revoked.data.changed, revoked.data.skipped, revoked.data.results.length], [3, 1, 3]);
  for (const one of [...scanners, retired]) {
    await untilStatus(ada, one, 'revoked');
    assert.deepEqual(await holders(one.pineId), []);
  }
  const repeated = await access({ customer_id: ada.customerId, action: 'revoke' });
  assert.deepEqual([repeated.data.changed, repeated.data.skipped, repeated.data.results], [0, 3, []]);
  await admin.call(deleteIndicator, { params: { id: extra.id } });
});

test('a grant without a handle uses that of the newest grant, preferably one not revoked', async () => {
  const ada = await newCustomer();
  const [other, third] = [await newIndicator({ isActive: false }), await newIndicator({ isActive: false })];
  const grantWithout = async () => (await access({ customerId: ada.customerId, action: 'grant' })).data;
  const revokeAll = async () => {
    await access({ customerId: ada.customerId, action: 'revoke' });
    for (const { scannerId } of await rowsOf(ada)) await untilStatus(ada, { id: scannerId }, 'revoked');
  };
  await tools.grant(other, ada, 'ada_first');
  await untilStatus(ada, other, 'active');
  await revokeAll();
  assert.equal((await grantWithout()).chartingUsername, 'ada_first');
  await tools.grant(third, ada, 'ada_newer');
  assert.equal((await grantWithout()).chartingUsername, 'ada_newer');
  await revokeAll();
  await ada.client.call(setChartingUsername, { body: { chartingUsername: 'ada_saved' } });
  assert.equal((await grantWithout()).chartingUsername, 'ada_saved');
});

test('an event with an eventId takes effect once, and an older event is ignored', async () => {
  const ada = await newCustomer();
  const body = {
    customer_id: ada.customerId,
    action: 'grant',
    charting_username: 'ada_e',
    eventId: `e-${ada.id}`,
  };
  const [one, other] = await Promise.all([access(body), access(body)]);
  assert.deepEqual(one.data, other.data);
  await access({ customer_id: ada.customerId, action: 'revoke', occurredAt: '2026-11-02T00:00:00Z' });
  const late = await access({
    ...{ customer_id: ada.customerId, action: 'grant', charting_username: 'ada_e' },
    occurredAt: '2026-11-01T00:00:00Z',
  });
  assert.deepEqual([late.data.ignored, late.data.changed], [true, 0]);
  await untilStatus(ada, first, 'revoked');
});

test('concurrent webhooks leave one row per indicator in the state of the last one', async () => {
  const ada = await newCustomer();
  const ask = (action: string) => access({ customer_id: ada.customerId, action, charting_username: 'ada_p' });
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(['grant', 'revoke', 'grant', 'revoke', 'grant', 'revoke'].map(ask));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  }
  await ask('grant');
  for (const one of scanners) {
    await untilStatus(ada, one, 'active');
    assert.equal((await holders(one.pineId)).filter((name) => name === 'ada_p').length, 1);
  }
  assert.equal((await rowsOf(ada)).length, (await rowsOf(ada)).filter(({ scannerId }) => scannerId).length);
  const deadlocks = await platform.database.count(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  assert.equal(deadlocks, 0);
});

test('an eventId reused for another member or action is refused without effect', async () => {
  const [ada, ben] = [await newCustomer(), await newCustomer()];
  const eventId = `once-${ada.id}`;
  const ofAda = { customerId: ada.customerId, action: 'grant', chartingUsername: 'ada_once', eventId };
  assert.equal((await access(ofAda)).status, 200);
  for (const other of [
    { ...ofAda, customerId: ben.customerId, chartingUsername: 'ben_once' },
    { ...ofAda, action: 'revoke' },
  ]) {
    const { status, body } = await access(other);
    assert.deepEqual([status, body.error], [409, 'EVENT_ID_REUSED']);
  }
  assert.deepEqual(await rowsOf(ben), []);
  assert.equal((await access(ofAda)).status, 200);
  assert.equal((await activity({ userId: ada.id, active: false, eventId })).status, 200, 'another webhook');
  const { status, body } = await activity({ userId: ada.id, active: true, eventId });
  assert.deepEqual([status, body.error], [409, 'EVENT_ID_REUSED']);
});

test('events from a sender whose clock is ahead do not suppress later events', async () => {
  const ada = await newCustomer();
  const order = (action: string, occurredAt: number) =>
    access({
      customerId: ada.customerId,
      action,
      chartingUsername: 'ada_ahead',
      occurredAt: new Date(occurredAt).toISOString(),
    });
  assert.equal((await order('grant', clock.now() + 400 * DAY_MS)).data.ignored, false);
  const revoked = await order('revoke', clock.now() + 1000);
  assert.deepEqual([revoked.data.ignored, revoked.data.changed > 0], [false, true]);
  assert.equal((await order('grant', clock.now() - DAY_MS)).data.ignored, true);
});
