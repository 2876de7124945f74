import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  listNotifications,
  setChartingUsername,
  signIn as signInOperation,
  updateIndicator,
} from '../../../../sdk/src/index.ts';
import { PASSWORD } from '../../../../test/support/client.ts';
import { holding } from '../../../../test/support/holding.ts';
import { ANSWERED, indicatorTools } from '../../../../test/support/indicators.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';

// The access of members who are reported as inactive.

const platform = await startPlatform({ ...ANSWERED, LOG_LEVEL: 'silent' });
const { clock } = platform;
const tools = indicatorTools(platform);
const { access, activity, newCustomer, newIndicator, rowsOf, untilStatus, holders } = tools;
const scanners = [await newIndicator({ sortOrder: 1 }), await newIndicator({ sortOrder: 2 })];
const [first, second] = scanners as [Scanner, Scanner];
type Scanner = Awaited<ReturnType<typeof newIndicator>>;
/** Known to the backoffice before time passes, which signs the administrator out. */
const overTime = [await newCustomer(), await newCustomer()] as const;
type Customer = (typeof overTime)[number];

async function signIn(member: Customer): Promise<void> {
  const account = { email: member.email, password: PASSWORD, platform: 'web' as const };
  member.client = platform.client.as(
    (await platform.client.call(signInOperation, { body: account })).data.accessToken,
  );
}

test('a failed grant of an inactive member stays on the worklist until the countdown ends', async () => {
  const ada = await newCustomer();
  await tools.tell('unknown-user');
  await access({ customer_id: ada.customerId, action: 'grant', charting_username: 'ada_mistyped' });
  for (const one of scanners) await untilStatus(ada, one, 'failed');
  await tools.tell('ok');
  const inactive = await activity({ userId: ada.id, active: false });
  assert.equal(inactive.data.changed, scanners.length);
  for (const row of await rowsOf(ada))
    assert.deepEqual([row.status, row.graceEndsAt], ['failed', inactive.data.graceEndsAt]);
  // Repaired within the countdown, access lasts until its end.
  const saved = { chartingUsername: 'ada_mended' };
  assert.equal((await ada.client.call(setChartingUsername, { body: saved })).status, 200);
  for (const one of scanners) await untilStatus(ada, one, 'pending_revoke');
  assert.ok((await holders(first.pineId)).includes('ada_mended'));
});

test('access within a countdown moves to a new script, and ends when it would have ended', async () => {
  const [ada, moved] = [await newCustomer(), await newIndicator()];
  await access({ customer_id: ada.customerId, action: 'grant', charting_username: 'ada_moved' });
  await untilStatus(ada, moved, 'active');
  const { graceEndsAt } = (await activity({ userId: ada.id, active: false })).data;
  const pineId = `PUB;moved${Date.now()}`;
  await platform.admin.call(updateIndicator, { params: { id: moved.id }, body: { pineId, isActive: false } });
  await until(async () => (await holders(pineId)).length > 0, 'the move');
  const row = await untilStatus(ada, moved, 'pending_revoke');
  assert.deepEqual(
    [row.graceEndsAt, await holders(pineId), await holders(moved.pineId)],
    [graceEndsAt, ['ada_moved'], []],
  );
  // Without a script there is nothing to move to, so the access stays until the end of the countdown.
  await platform.admin.call(updateIndicator, { params: { id: moved.id }, body: { pineId: null } });
  await platform.platform.runJob('indicators.carry-out');
  assert.equal((await untilStatus(ada, moved, 'pending_revoke')).graceEndsAt, graceEndsAt);
  assert.deepEqual(await holders(pineId), ['ada_moved']);
  await access({ customer_id: ada.customerId, action: 'revoke' });
  for (const one of [...scanners, moved]) await untilStatus(ada, one, 'revoked');
  assert.deepEqual(await holders(pineId), []);
});

test('inactivity revokes access after a grace period, unless the member becomes active within it', async () => {
  const ada = await newCustomer();
  await access({ customer_id: ada.customerId, action: 'grant', charting_username: 'ada_g' });
  for (const one of scanners) await untilStatus(ada, one, 'active');
  await tools.grant(second, ada, 'ada_g'); // raises the second to manual
  const inactive = await activity({ userId: ada.id, status: 'cancelled' });
  assert.equal(inactive.data.changed, 1);
  const ends = inactive.data.graceEndsAt;
  assert.ok(Math.abs(Date.parse(ends ?? '') - clock.now() - 7 * DAY_MS) < 60_000);
  clock.advance(DAY_MS);
  const repeated = await activity({ userId: ada.id, active: false });
  assert.deepEqual([repeated.data.changed, repeated.data.graceEndsAt], [0, ends]);
  await signIn(ada);
  const [counting, manual] = await rowsOf(ada);
  assert.deepEqual(
    [counting?.status, counting?.graceEndsAt, manual?.status],
    ['pending_revoke', ends, 'active'],
  );
  assert.ok((await holders(first.pineId)).includes('ada_g'));

  assert.equal((await activity({ userId: ada.id, active: true })).data.changed, 1);
  assert.deepEqual((await rowsOf(ada)).map(({ status }) => status).slice(0, 2), ['active', 'active']);
  await activity({ userId: ada.id, active: false });
  clock.advance(7 * DAY_MS + 1000);
  await signIn(ada);
  await platform.platform.runJob('indicators.carry-out');
  await untilStatus(ada, first, 'revoked');
  assert.ok(!(await holders(first.pineId)).includes('ada_g'));
  assert.ok((await holders(second.pineId)).includes('ada_g'));
  assert.equal((await activity({ userId: ada.id, active: true })).data.changed, 0);
  assert.equal((await rowsOf(ada))[0]?.status, 'revoked');
  await access({ customer_id: ada.customerId, action: 'revoke' });
  await untilStatus(ada, second, 'revoked');
});

test('a countdown also ends failed grants and follows a changed handle', async () => {
  const [ada, ben] = overTime;
  for (const one of overTime) await signIn(one);
  await access({ customer_id: ada.customerId, action: 'grant', charting_username: 'ada_old' });
  for (const one of scanners) await untilStatus(ada, one, 'active');
  await tools.tell('unknown-user');
  await access({ customer_id: ben.customerId, action: 'grant', charting_username: 'ben_mistyped' });
  for (const one of scanners) await untilStatus(ben, one, 'failed');
  await tools.tell('ok');
  for (const { id } of [ada, ben]) await activity({ userId: id, active: false });
  await ada.client.call(setChartingUsername, { body: { chartingUsername: 'ada_new' } });
  await until(async () => (await holders(first.pineId)).includes('ada_new'), 'the new handle');
  for (const one of scanners) await untilStatus(ada, one, 'pending_revoke');
  assert.ok(!(await holders(first.pineId)).includes('ada_old'));
  const isUnderWay = (): Promise<number> =>
    platform.database.count(
      'select count(*) from indicators.access where user_id = $1 and (leased_until is not null or due_at <= $2)',
      [ada.id, clock.date()],
    );
  await until(async () => (await isUnderWay()) === 0, 'the end of all calls');
  let done: Promise<unknown> = Promise.resolve();
  // One of the two ends long before the other, which is held before a worker can begin with it.
  await holding(platform.database, async (tx) => {
    await tx.all('select id from indicators.access where user_id = $1 and indicator_id = $2 for update', [
      ada.id,
      second.id,
    ]);
    clock.advance(7 * DAY_MS + 1000);
    for (const one of overTime) await signIn(one);
    done = platform.platform.runJob('indicators.carry-out');
    await untilStatus(ada, first, 'revoked');
  });
  await done;
  for (const member of [ada, ben]) for (const one of scanners) await untilStatus(member, one, 'revoked');
  assert.ok(!(await holders(first.pineId)).includes('ada_new'));
  // One notification names them all, however many there are.
  const ends = async (): Promise<string[]> =>
    (await ada.client.call(listNotifications)).data
      .filter(({ title }) => title === 'Your access to indicators has ended')
      .map(({ message }) => message);
  await until(async () => {
    const received = (await ends()).join();
    return scanners.every(({ name }) => received.includes(name));
  }, 'the notification');
  assert.deepEqual(await ends(), [
    `You no longer have access to ${first.name}, ${second.name} at the charting platform.`,
  ]);
});
