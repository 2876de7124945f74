import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { revokeIndicatorAccess } from '../../../../sdk/src/index.ts';
import { indicatorTools, QUICK } from '../../../../test/support/indicators.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';

// Members who share a handle at the charting platform have one entry there.

const platform = await startPlatform({ ...QUICK, LOG_LEVEL: 'silent' });
const { admin, newMember } = platform;
const { newIndicator, grant, holders, tell, untilStatus } = indicatorTools(platform);

test("two members with one handle do not take each other's access away", async () => {
  const [ada, ben, scanner] = [await newMember(), await newMember(), await newIndicator()];
  const { data } = await grant(scanner, ada, 'shared');
  await grant(scanner, ben, 'Shared');
  await untilStatus(ada, scanner, 'active');
  const row = await untilStatus(ben, scanner, 'active');
  assert.equal((await holders(scanner.pineId)).length, 1);
  await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId: data.id } });
  await untilStatus(ada, scanner, 'revoked');
  assert.equal((await holders(scanner.pineId)).length, 1);
  await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId: row.id } });
  await untilStatus(ben, scanner, 'revoked');
  assert.deepEqual(await holders(scanner.pineId), []);
});

test('a handle that two members share is removed when the second loses access', async () => {
  const [ada, ben, scanner] = [await newMember(), await newMember(), await newIndicator()];
  const { data: first } = await grant(scanner, ada, 'pair');
  await untilStatus(ada, scanner, 'active');
  // The second fails before anything of it can be at the charting platform.
  await platform.database.execute(`delete from indicators.spelling where handle_key = 'pair'`);
  await tell('fail');
  const { data: second } = await grant(scanner, ben, 'pair');
  await untilStatus(ben, scanner, 'failed');
  await tell('ok');
  await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId: first.id } });
  await untilStatus(ada, scanner, 'revoked');
  assert.deepEqual(await holders(scanner.pineId), ['pair']);
  await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId: second.id } });
  await untilStatus(ben, scanner, 'revoked');
  assert.deepEqual(await holders(scanner.pineId), []);
});

test('a member granted again while another with the same handle is removed ends with access', async () => {
  const [ada, ben, scanner] = [await newMember(), await newMember(), await newIndicator()];
  const granted = [await grant(scanner, ada, 'both'), await grant(scanner, ben, 'both')];
  for (const member of [ada, ben]) await untilStatus(member, scanner, 'active');
  // The removal takes effect at the platform long after it was requested.
  await tell('late', { lateMs: 900 });
  const ended = granted.map(({ data }) =>
    admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId: data.id } }),
  );
  const leased = async () =>
    (
      await platform.database.first<{ userId: string }>(
        'select user_id from indicators.access where indicator_id = $1 and leased_until > $2',
        [scanner.id, platform.clock.date()],
      )
    )?.userId;
  await until(async () => (await leased()) !== undefined, 'the removal');
  const other = (await leased()) === ada.id ? ben : ada;
  const again = grant(scanner, other, 'both');
  await sleep(1_200);
  await tell('ok');
  await Promise.all([...ended, again]);
  await untilStatus(other, scanner, 'active');
  await untilStatus(other === ada ? ben : ada, scanner, 'revoked');
  assert.deepEqual(await holders(scanner.pineId), ['both']);
});
