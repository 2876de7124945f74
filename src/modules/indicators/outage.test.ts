import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getChartingAccount, revokeIndicatorAccess, setChartingUsername } from '../../../sdk/src/index.ts';
import { ANSWERED, indicatorTools } from '../../../test/support/indicators.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';

// The effect of an outage of the charting platform on requests in the meantime.

const platform = await startPlatform({ ...ANSWERED, LOG_LEVEL: 'silent' });
const { admin, clock, database } = platform;
const { tell, holders, access, activity, newIndicator, newCustomer, grant, untilStatus, rowsOf, charting } =
  indicatorTools(platform);
type Customer = Awaited<ReturnType<typeof newCustomer>>;
const [STEPS, STEP_MS] = [6, 10 * 60_000];

const callCount = async (): Promise<number> => (await charting('GET')).calls.length;

const alertsOf = (action: string) =>
  database.all<{ id: string; details: { reason?: string } }>(
    'select id, details from kernel.audit_entry where action = $1',
    [action],
  );
const statusOf = async (userId: string): Promise<string | undefined> =>
  (
    await database.first<{ status: string }>('select status from indicators.access where user_id = $1', [
      userId,
    ])
  )?.status;

test('requests made during an hour of outage are carried out afterwards', async () => {
  const scanner = await newIndicator();
  const people: Customer[] = [];
  for (let number = 0; number < 8; number++) people.push(await newCustomer());
  const [held, moved, ending, byHand, byWebhook, ...more] = people as [
    Customer,
    Customer,
    Customer,
    Customer,
    Customer,
    ...Customer[],
  ];
  for (const [place, one] of [held, moved, ending].entries()) {
    await grant(scanner, one, `before_${place}`);
    await untilStatus(one, scanner, 'active');
  }

  await tell('fail');
  await admin.call(revokeIndicatorAccess, {
    params: { id: scanner.id, accessId: String((await rowsOf(ending))[0]?.id) },
  });
  await moved.client.call(setChartingUsername, { body: { chartingUsername: 'moved_to' } });
  await grant(scanner, byHand, 'by_hand');
  await access({ customerId: byWebhook.customerId, action: 'grant', chartingUsername: 'by_webhook' });
  for (const [place, one] of more.entries()) await grant(scanner, one, `more_${place}`);
  const callsBefore = await callCount();
  for (let step = 1; step <= STEPS; step++) {
    await until(async () => (await callCount()) >= callsBefore + step, 'another attempt');
    clock.advance(STEP_MS);
    await platform.platform.runJob('indicators.resume-after-outage');
  }
  assert.equal(await statusOf(held.id), 'active');
  const waiting = await Promise.all(people.slice(1).map(({ id }) => statusOf(id)));
  assert.ok(
    waiting.every((status) => status !== 'active' && status !== 'revoked'),
    waiting.join(),
  );

  await tell('ok');
  await until(async () => {
    await platform.platform.runJob('indicators.resume-after-outage');
    const rest = await database.count(
      `select count(*) from indicators.access where status not in ('active', 'revoked')`,
    );
    return rest === 0;
  }, 'the end of all that was asked');
  assert.equal(await statusOf(ending.id), 'revoked');
  assert.deepEqual(
    (await holders(scanner.pineId)).sort(),
    ['before_0', 'moved_to', 'by_hand', 'by_webhook', 'more_0', 'more_1', 'more_2'].sort(),
  );
  // Access tokens live for less than an hour.
  clock.advance(-STEPS * STEP_MS);
  const paused = await alertsOf('charting.paused');
  assert.equal(paused.filter(({ details }) => details.reason === 'unavailable').length, 1, 'told once');
});

for (const mode of ['session-expired', 'denied'])
  test(`with "${mode}", no attempts are used, operators are alerted once, and all work is done afterwards`, async () => {
    const scanner = await newIndicator();
    const earlier = new Set((await alertsOf('charting.paused')).map(({ id }) => id));
    const failedBefore = (await alertsOf('indicators.access-failed')).length;
    await tell(mode);
    const people: Customer[] = [];
    for (let number = 0; number < 12; number++) {
      const one = await newCustomer();
      people.push(one);
      await grant(scanner, one, `${mode}_${number}`);
    }
    const made = await callCount();
    // More calls than a grant has attempts.
    await until(async () => (await callCount()) >= made + 6, 'probes');
    const rows = await database.all<{ status: string; attempts: number; leased: boolean }>(
      'select status, attempts, leased_until is not null as leased from indicators.access where indicator_id = $1',
      [scanner.id],
    );
    assert.equal(rows.length, people.length);
    for (const { status, attempts, leased } of rows) {
      assert.equal(status, 'pending_grant');
      assert.equal(attempts, leased ? 1 : 0, 'only a call that is under way counts');
    }
    const alerts = (await alertsOf('charting.paused')).filter(({ id }) => !earlier.has(id));
    assert.deepEqual(
      alerts.map(({ details }) => details.reason),
      ['session-over'],
    );
    const { data: account } = await admin.call(getChartingAccount);
    assert.deepEqual([account.state, account.underWay, account.failed], ['session-over', people.length, 0]);
    // Grace periods that begin meanwhile run on, and a revocation has nothing to remove.
    const [first] = people as [Customer, ...Customer[]];
    assert.equal((await activity({ userId: first.id, active: false })).status, 200);
    assert.equal((await access({ customerId: first.customerId, action: 'revoke' })).status, 200);

    await tell('ok');
    for (const one of people.slice(1)) await untilStatus(one, scanner, 'active');
    await untilStatus(first, scanner, 'revoked');
    assert.equal((await holders(scanner.pineId)).length, people.length - 1);
    assert.equal((await alertsOf('indicators.access-failed')).length, failedBefore);
  });
