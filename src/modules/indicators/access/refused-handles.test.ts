import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listIndicatorAccessFailures } from '../../../../sdk/src/index.ts';
import { ANSWERED, indicatorTools } from '../../../../test/support/indicators.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';

// The charting platform refuses the calls for one handle, such as that of a blocked user, and no others.

const platform = await startPlatform({ ...ANSWERED, LOG_LEVEL: 'silent' });
const { admin, newMember, database } = platform;
const { newIndicator, newCustomer, access, grant, tell, untilStatus, charting } = indicatorTools(platform);
const callsFor = async (handle: string): Promise<number> =>
  (await charting('GET')).calls.filter(({ username }) => username === handle).length;

test('a handle whose calls are answered as if the session had ended does not stop others', async () => {
  const [ada, ben, scanner] = [await newMember(), await newCustomer(), await newIndicator()];
  await tell('session-expired', { handles: ['blocked'] });
  await grant(scanner, ada, 'blocked');
  await until(async () => (await callsFor('blocked')) > 1, 'a refused call');
  await access({ customerId: ben.customerId, action: 'grant', chartingUsername: 'ben_meanwhile' });
  await untilStatus(ben, scanner, 'active');
  await untilStatus(ada, scanner, 'failed');
  const { data } = await admin.call(listIndicatorAccessFailures, {});
  const row = data.find(({ user }) => user?.id === ada.id);
  assert.deepEqual([row?.errorKind, row?.attempts], ['refused', Number(ANSWERED.CHARTING_ATTEMPTS)]);
  assert.equal(
    await database.count(`select count(*) from kernel.audit_entry where action = 'charting.paused'`),
    0,
  );
});

test('a handle whose calls are answered as too many does not stop others', async () => {
  const [ada, ben, scanner] = [await newMember(), await newCustomer(), await newIndicator()];
  await tell('limit', { handles: ['too_many'] });
  await grant(scanner, ada, 'too_many');
  await until(async () => (await callsFor('too_many')) > 0, 'a call that is too many');
  await access({ customerId: ben.customerId, action: 'grant', chartingUsername: 'ben_nonetheless' });
  await untilStatus(ben, scanner, 'active');
  await tell('ok');
  await untilStatus(ada, scanner, 'active');
});
