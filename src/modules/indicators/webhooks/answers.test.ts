import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAudit, listNotifications, revokeIndicatorAccess } from '../../../../sdk/src/index.ts';
import { ANSWERED, indicatorTools } from '../../../../test/support/indicators.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';

// What the backoffice is told in answer to its webhooks, and what is recorded of them.

const platform = await startPlatform({ ...ANSWERED, LOG_LEVEL: 'silent' });
const { admin, clock, database } = platform;
const tools = indicatorTools(platform);
const { access, activity, newCustomer, untilStatus } = tools;
/** One that calls can grant, and one that a person must give, in this order. */
const scanner = await tools.newIndicator({ sortOrder: 1 });
const byHand = await tools.newIndicator({ sortOrder: 2, pineId: null });

const auditOf = async ({ id }: { id: string }) =>
  (await admin.call(listAudit, { query: { target: id } })).data
    .filter(({ actor }) => actor === 'service:backoffice')
    .map(({ action, details }) => ({ action, details }))
    .reverse();
const ago = (days: number): string => new Date(clock.now() - days * DAY_MS).toISOString();
const without = <T extends { results: unknown }>({ results: _, ...rest }: T) => rest;
const rowsOf = (results: { scannerId: string; scannerName: string; status: string; error?: string }[]) =>
  results.map(({ scannerId, scannerName, status, error }) => [scannerId, scannerName, status, error]);

test('a grant and a revocation are answered with what changed and what failed, and recorded', async () => {
  const ada = await newCustomer();
  const { customerId } = ada;
  const common = { customerId, userId: ada.id, email: ada.email, ignored: false, chartingUsername: 'ada' };
  const granted = (await access({ customerId, action: 'grant', chartingUsername: 'ada' })).data;
  assert.deepEqual(without(granted), {
    ...common,
    action: 'grant',
    scanners: 2,
    changed: 1,
    skipped: 0,
    failed: 1,
  });
  const [row, failed] = rowsOf(granted.results);
  assert.deepEqual(row, [scanner.id, scanner.name, 'pending_grant', undefined]);
  assert.deepEqual(failed?.slice(0, 3), [byHand.id, byHand.name, 'failed']);
  assert.match(String(failed?.[3]), /has no pineId/);
  await untilStatus(ada, scanner, 'active');
  const priorities = await database.all('select priority from indicators.access where user_id = $1', [
    ada.id,
  ]);
  assert.deepEqual(priorities, [{ priority: 0 }, { priority: 0 }], 'after what somebody waits for');

  const again = (await access({ customerId, action: 'grant' })).data;
  assert.deepEqual([again.changed, again.failed, again.chartingUsername], [0, 1, 'ada']);
  const revoked = (await access({ customerId, action: 'revoke' })).data;
  assert.deepEqual(without(revoked), {
    ...common,
    action: 'revoke',
    scanners: 2,
    changed: 2,
    skipped: 0,
    failed: 0,
  });
  assert.deepEqual(rowsOf(revoked.results), [
    [scanner.id, scanner.name, 'pending_revoke', undefined],
    [byHand.id, byHand.name, 'revoked', undefined],
  ]);
  await untilStatus(ada, scanner, 'revoked');
  const nothing = (await access({ customerId, action: 'revoke' })).data;
  assert.deepEqual(
    [nothing.changed, nothing.skipped, nothing.chartingUsername, nothing.results],
    [0, 2, null, []],
  );
  assert.deepEqual(await auditOf(ada), [
    { action: 'indicator-access.grant', details: { customerId, changed: 1 } },
    { action: 'indicator-access.revoke', details: { customerId, changed: 2 } },
  ]);
});

test('an event older than the newest of its kind is ignored, and says what is there', async () => {
  const ada = await newCustomer();
  const { customerId } = ada;
  const order = async (action: string, days: number) =>
    (await access({ customerId, action, chartingUsername: 'ada_late', occurredAt: ago(days) })).data;
  assert.equal((await order('grant', 4)).ignored, false);
  await untilStatus(ada, scanner, 'active');
  for (const days of [8, 6]) {
    const ignored = await order('revoke', days);
    assert.deepEqual(
      [ignored.ignored, ignored.changed, ignored.skipped, ignored.results.length],
      [true, 0, 0, 2],
    );
  }
  const old = await order('grant', 5);
  assert.deepEqual([old.ignored, old.changed, old.failed, old.results.length], [true, 0, 1, 2]);
  // What was ignored does not count as the newest, and events of the other kind have times of their own.
  const inactive = (await activity({ userId: ada.id, active: false, occurredAt: ago(9) })).data;
  assert.deepEqual([inactive.ignored, inactive.changed], [false, 2]);
  const active = (await activity({ userId: ada.id, active: true, occurredAt: ago(10) })).data;
  assert.deepEqual([active.ignored, active.changed, active.results.length], [true, 0, 2]);
  assert.equal((await order('revoke', 3)).ignored, false);
});

test('a report of activity is answered with the earliest end, and tells of what can end', async () => {
  const ada = await newCustomer();
  await access({ customerId: ada.customerId, action: 'grant', chartingUsername: 'ada_act' });
  await untilStatus(ada, scanner, 'active');
  const common = { userId: ada.id, email: ada.email, ignored: false };
  const stopped = (await activity({ userId: ada.id, active: false })).data;
  const { graceEndsAt, ...answer } = without(stopped);
  assert.deepEqual(answer, { ...common, active: false, changed: 2 });
  assert.deepEqual(
    rowsOf(stopped.results).map(([id, , status]) => [id, status]),
    [
      [scanner.id, 'pending_revoke'],
      [byHand.id, 'failed'],
    ],
  );
  const messages = async () =>
    (await ada.client.call(listNotifications)).data
      .map(({ message }) => message)
      .filter((message) => message.includes(scanner.name) || message.includes(byHand.name));
  await until(async () => (await messages()).some((one) => /end|until/i.test(one)), 'the notification');
  assert.ok((await messages()).every((message) => !message.includes(byHand.name)));

  const earlier = new Date(Date.parse(String(graceEndsAt)) - DAY_MS);
  await database.execute(
    'update indicators.access set grace_ends_at = $3 where user_id = $1 and indicator_id = $2',
    [ada.id, byHand.id, earlier],
  );
  const repeated = (await activity({ userId: ada.id, active: false })).data;
  assert.deepEqual([repeated.changed, repeated.graceEndsAt], [0, earlier.toISOString()]);
  const back = (await activity({ email: ada.email, active: true })).data;
  assert.deepEqual(without(back), { ...common, active: true, changed: 2, graceEndsAt: null });
  assert.deepEqual((await auditOf(ada)).slice(1), [
    { action: 'indicator-access.activity', details: { active: false, changed: 2 } },
    { action: 'indicator-access.activity', details: { active: true, changed: 2 } },
  ]);
});

test('access granted manually, and access that has ended, is not touched by activity', async () => {
  const ada = await newCustomer();
  await tools.grant(scanner, ada, 'ada_manual');
  await untilStatus(ada, scanner, 'active');
  const { changed, results } = (await activity({ userId: ada.id, active: false })).data;
  assert.deepEqual([changed, results.length], [0, 1]);
  await access({ customerId: ada.customerId, action: 'revoke' });
  await untilStatus(ada, scanner, 'revoked');
  const { data } = await activity({ userId: ada.id, active: false });
  assert.deepEqual([data.changed, data.results, data.graceEndsAt], [0, [], null]);
});

test('a grant without a handle prefers that of access that has not ended to that of a newer grant', async () => {
  const ada = await newCustomer();
  await tools.grant(scanner, ada, 'ada_kept');
  const { data: newer } = await tools.grant(byHand, ada, 'ada_newer');
  await admin.call(revokeIndicatorAccess, { params: { id: byHand.id, accessId: newer.id } });
  const granted = await access({ customerId: ada.customerId, action: 'grant' });
  assert.equal(granted.data.chartingUsername, 'ada_kept');
});
