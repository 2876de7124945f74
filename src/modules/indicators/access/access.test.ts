import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  deleteIndicator,
  getIndicator,
  getIndicatorAccessHistory,
  grantIndicatorAccess,
  listIndicatorAccessFailures,
  listNotifications,
  resolveIndicatorAccess,
  retryIndicatorAccess,
  revokeIndicatorAccess,
  setChartingUsername,
  updateIndicator,
} from '../../../../sdk/src/index.ts';
import { indicatorTools, QUICK } from '../../../../test/support/indicators.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { accessNotFound } from './changing.ts';
import { accessNotFailed } from './interventions.ts';

const platform = await startPlatform({ ...QUICK, LOG_LEVEL: 'silent' });
const { admin, newMember, database } = platform;
const tools = indicatorTools(platform);
const { newIndicator, grant, holders, tell, untilStatus } = tools;

test('manual grants and revocations are carried out at the charting platform', async () => {
  const [ada, scanner] = [await newMember(), await newIndicator()];
  const granted = await grant(scanner, ada, ' @Ada_Trades ');
  assert.equal(granted.status, 201);
  assert.deepEqual(
    [granted.data.status, granted.data.source, granted.data.chartingUsername, granted.data.user?.email],
    ['pending_grant', 'manual', 'Ada_Trades', ada.email],
  );
  const row = await untilStatus(ada, scanner, 'active');
  assert.deepEqual(await holders(scanner.pineId), ['Ada_Trades']);
  assert.deepEqual([row.attempts, row.lastError], [0, null]);
  const { data: shown } = await admin.call(getIndicator, { params: { id: scanner.id } });
  assert.equal(shown.activeAccessCount, 1);

  const again = await grant(scanner, ada, 'ADA_TRADES');
  assert.deepEqual([again.status, again.data.id, again.data.status], [201, row.id, 'active']);
  const refused = await admin.attempt(deleteIndicator, { params: { id: scanner.id } });
  assert.equal(refused.status, 400);
  assert.match(refused.body.message, /^1 member still holds this indicator and 0 products/);

  const revoked = await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId: row.id } });
  assert.deepEqual([revoked.status, revoked.data.status], [200, 'pending_revoke']);
  await untilStatus(ada, scanner, 'revoked');
  assert.deepEqual(await holders(scanner.pineId), []);
  const { data: history } = await admin.call(getIndicatorAccessHistory, {
    params: { id: scanner.id, accessId: row.id },
  });
  assert.deepEqual(history.map(({ toStatus }) => toStatus).reverse(), [
    'pending_grant',
    'active',
    'pending_revoke',
    'revoked',
  ]);
  assert.equal(history.at(-1)?.movedBy, platform.adminId);
  assert.equal((await admin.call(deleteIndicator, { params: { id: scanner.id } })).status, 200);
});

test('permanent failures are on the worklist, and a retry resumes the grant or revocation', async () => {
  const [ada, scanner] = [await newMember(), await newIndicator()];
  await tell('fail');
  await grant(scanner, ada, 'ada_f');
  const failed = await untilStatus(ada, scanner, 'failed');
  assert.deepEqual([failed.attempts, failed.lastError], [3, 'The charting platform answered 503']);
  const { data: list, body } = await admin.call(listIndicatorAccessFailures);
  assert.deepEqual([list[0]?.id, list[0]?.attempts, body.pagination.total], [failed.id, 3, 1]);
  const rest = await admin.call(listIndicatorAccessFailures, { query: { before: failed.id } });
  assert.deepEqual([rest.data, rest.body.pagination.total], [[], 1]);
  await tell('ok');
  assert.equal(
    (await admin.call(retryIndicatorAccess, { params: { id: scanner.id, accessId: failed.id } })).status,
    200,
  );
  await untilStatus(ada, scanner, 'active');
  const refused = await admin.attempt(retryIndicatorAccess, {
    params: { id: scanner.id, accessId: failed.id },
  });
  assertRefused(refused, accessNotFailed);

  await tell('fail');
  await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId: failed.id } });
  await untilStatus(ada, scanner, 'failed');
  await tell('ok');
  await admin.call(retryIndicatorAccess, { params: { id: scanner.id, accessId: failed.id } });
  await untilStatus(ada, scanner, 'revoked');
  assert.deepEqual(await holders(scanner.pineId), []);
});

test('a retry by an administrator ends the pause of the account', async () => {
  const [ada, scanner] = [await newMember(), await newIndicator()];
  await tell('fail');
  await grant(scanner, ada, 'ada_waits');
  const { id: accessId } = await untilStatus(ada, scanner, 'failed');
  await tell('ok');
  await database.execute(
    `update indicators.account set pause_reason = 'unavailable', paused_until = now() + interval '1 hour'`,
  );
  await admin.call(retryIndicatorAccess, { params: { id: scanner.id, accessId } });
  await untilStatus(ada, scanner, 'active');
});

test('operators are told of access that a person must remove, not of an indicator without a script', async () => {
  const [ada, scanner] = [await newMember(), await newIndicator({ pineId: null })];
  await grant(scanner, ada, 'ada_by_hand');
  const { id: accessId } = await untilStatus(ada, scanner, 'failed');
  const told = () =>
    database.count(
      `select count(*) from kernel.audit_entry where action = 'indicators.access-failed' and target = $1`,
      [accessId],
    );
  const params = { id: scanner.id, accessId };
  await admin.call(resolveIndicatorAccess, { params, body: { note: 'Given by hand' } });
  await untilStatus(ada, scanner, 'active');
  assert.equal(await told(), 0);
  await admin.call(revokeIndicatorAccess, { params });
  await untilStatus(ada, scanner, 'failed');
  assert.equal(await told(), 1);
});

test('an expired session and a 429 pause the account without using attempts', async () => {
  for (const mode of ['session-expired', 'limit']) {
    const [ada, scanner] = [await newMember(), await newIndicator()];
    await tell(mode);
    await grant(scanner, ada, `ada_${mode.slice(0, 5)}`);
    const { calls } = await tools.charting('GET');
    for (let seen = calls.length; seen < calls.length + 3; seen = (await tools.charting('GET')).calls.length);
    const [row] = await tools.rowsOf(ada);
    assert.equal(row?.status, 'pending_grant');
    assert.ok(row.attempts <= 1, 'only the one under way may count');
    await tell('ok');
    await untilStatus(ada, scanner, 'active');
  }
});

test('an unknown user fails immediately with a reason, and a grant with another handle repairs it', async () => {
  const [ada, scanner] = [await newMember(), await newIndicator()];
  await tell('unknown-user');
  await grant(scanner, ada, 'nobody_here');
  const row = await untilStatus(ada, scanner, 'failed');
  assert.match(row.lastError ?? '', /has no user named nobody_here/);
  assert.equal(row.attempts, 1);
  await tell('ok');
  await grant(scanner, ada, 'somebody_here');
  await untilStatus(ada, scanner, 'active');
  await grant(scanner, ada, 'other_here');
  await untilStatus(ada, scanner, 'active');
  assert.deepEqual(await holders(scanner.pineId), ['other_here']);
});

test('lost and late responses end with one entry, or none after a revocation', async () => {
  for (const mode of ['lost', 'late']) {
    const [ada, scanner] = [await newMember(), await newIndicator()];
    await tell(mode, { lateMs: 900 });
    const { data } = await grant(scanner, ada, `ada_${mode}`);
    const calledAt = (await tools.charting('GET')).calls.length;
    for (let seen = calledAt; seen < calledAt + 2; seen = (await tools.charting('GET')).calls.length);
    await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId: data.id } });
    await tell('ok');
    await untilStatus(ada, scanner, 'revoked');
    assert.deepEqual(await holders(scanner.pineId), [], mode);
  }
});

test('an indicator without a pineId is listed but never granted automatically', async () => {
  const [ada, scanner] = [await newMember(), await newIndicator({ pineId: null })];
  const { data } = await grant(scanner, ada, 'ada_n');
  assert.deepEqual([data.status, data.failedAction], ['failed', 'grant']);
  assert.match(data.lastError ?? '', /no pineId/);
  await admin.call(updateIndicator, {
    params: { id: scanner.id },
    body: { pineId: `PUB;late${Date.now()}` },
  });
  await admin.call(retryIndicatorAccess, { params: { id: scanner.id, accessId: data.id } });
  await untilStatus(ada, scanner, 'active');
});

test('a member granted again during their own removal ends with access', async () => {
  const [ada, scanner] = [await newMember(), await newIndicator()];
  const { data } = await grant(scanner, ada, 'again');
  await untilStatus(ada, scanner, 'active');
  // The removal takes effect at the platform long after it was requested.
  await tell('late', { lateMs: 900 });
  const ended = admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId: data.id } });
  const isLeased = () =>
    platform.database.first('select id from indicators.access where id = $1 and leased_until > $2', [
      data.id,
      platform.clock.date(),
    ]);
  await until(async () => (await isLeased()) !== undefined, 'the removal');
  const again = grant(scanner, ada, 'again');
  await sleep(1_200);
  await tell('ok');
  await Promise.all([ended, again]);
  await untilStatus(ada, scanner, 'active');
  assert.deepEqual(await holders(scanner.pineId), ['again']);
});

test('saving another charting username moves all access to it', async () => {
  const [ada, scanner, other] = [await newMember(), await newIndicator(), await newIndicator()];
  await grant(scanner, ada, 'old_name');
  await grant(other, ada, 'old_name');
  await untilStatus(ada, scanner, 'active');
  await untilStatus(ada, other, 'active');
  const saved = await ada.client.call(setChartingUsername, {
    body: {
      chartingUsername: '@new_name',
    },
  });
  assert.deepEqual(
    [saved.status, saved.data],
    [200, { chartingUsername: 'new_name', moved: 2, checked: true }],
  );
  for (const one of [scanner, other]) {
    await untilStatus(ada, one, 'active');
    assert.deepEqual(await holders(one.pineId), ['new_name']);
  }
});

test('a grant that names two different members is refused', async () => {
  const [ada, ben, scanner] = [await newMember(), await newMember(), await newIndicator()];
  const grantTo = (named: { userId?: string; email?: string }) =>
    admin.attempt(grantIndicatorAccess, {
      params: { id: scanner.id },
      body: { ...named, chartingUsername: 'ada_trades' },
    });
  const refused = await grantTo({ userId: ada.id, email: ben.email });
  assert.deepEqual([refused.status, refused.body.errors?.map(({ field }) => field)], [422, ['email']]);
  assert.equal((await grantTo({ userId: ada.id, email: ada.email.toUpperCase() })).status, 201);
});

test('a charting username has no spaces', async () => {
  const ada = await newMember();
  const malformed = { body: { chartingUsername: 'a b' } };
  assertInvalid(await ada.client.attempt(setChartingUsername, malformed));
});

test('members are notified once when access begins and when it ends', async () => {
  const [ada, scanner, other] = [await newMember(), await newIndicator(), await newIndicator()];
  const { data } = await grant(scanner, ada, 'ada_t');
  await grant(other, ada, 'ada_t');
  for (const one of [scanner, other]) await untilStatus(ada, one, 'active');
  /** Which indicators the notifications of a title are about; one notification may be about several. */
  const about = async (title: string): Promise<string[]> => {
    const { data: list } = await ada.client.call(listNotifications);
    return list
      .filter((one) => one.title === title)
      .flatMap(({ metadata }) => metadata.scannerIds as string[])
      .sort();
  };
  // Notifying yields to requests, so a test that sends them without pause would delay it.
  const untilAbout = (title: string, count: number) =>
    until(async () => {
      await sleep(200);
      return (await about(title)).length >= count;
    }, title);
  const [began, ended] = ['Your indicators are ready', 'Your access to indicators has ended'];
  // Nothing is said about access that has ended before its notification is written.
  await untilAbout(began, 2);
  await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId: data.id } });
  await untilAbout(ended, 1);
  assert.deepEqual(await about(ended), [scanner.id]);
  assert.deepEqual(await about(began), [scanner.id, other.id].sort());
});

test('a grant is found under its own indicator only', async () => {
  const [ada, scanner, other] = [await newMember(), await newIndicator(), await newIndicator()];
  const { data } = await grant(scanner, ada, 'ada');
  for (const act of [revokeIndicatorAccess, retryIndicatorAccess, getIndicatorAccessHistory])
    assertRefused(await admin.attempt(act, { params: { id: other.id, accessId: data.id } }), accessNotFound);
  const { status } = await admin.attempt(getIndicatorAccessHistory, {
    params: { id: scanner.id, accessId: data.id },
  });
  assert.equal(status, 200);
});
