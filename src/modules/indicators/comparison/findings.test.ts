import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAlerts, revokeIndicatorAccess } from '../../../../sdk/src/index.ts';
import { ANSWERED, indicatorTools } from '../../../../test/support/indicators.ts';
import { startPlatform } from '../../../../test/support/platform.ts';

const platform = await startPlatform({ ...ANSWERED, LOG_LEVEL: 'silent' });
const { admin, newMember } = platform;
const { newIndicator, grant, charting, untilStatus } = indicatorTools(platform);

test('operators are told once of holders whom no grant explains, and again only of new ones', async () => {
  const [ada, scanner] = [await newMember(), await newIndicator()];
  const { data } = await grant(scanner, ada, 'ada_gone');
  await untilStatus(ada, scanner, 'active');
  await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId: data.id } });
  await untilStatus(ada, scanner, 'revoked');
  const setHolders = (names: string[]) => charting('PUT', { holders: { [scanner.pineId]: names } });
  const atNight = () => platform.platform.runJob('indicators.compare');
  const told = async (status: 'open' | 'closed' = 'open') =>
    (await admin.call(listAlerts, { query: { status } })).data
      .filter(({ action }) => action.startsWith('indicators.'))
      .map(({ action, details }) => [action, (details as { new: number }).new]);
  for (let night = 0; night < 2; night++) await atNight();
  assert.deepEqual(await told(), []);

  await setHolders(['Ada_Gone', 'somebody', 'another']);
  for (let night = 0; night < 2; night++) await atNight();
  const first = [
    ['indicators.stranger-holders', 2],
    ['indicators.unexpected-holders', 1],
  ];
  assert.deepEqual([(await told()).sort(), await told('closed')], [first, []]);

  await setHolders(['Ada_Gone', 'SOMEBODY', 'a_third']);
  await atNight();
  const { data: open } = await admin.call(listAlerts, { query: { status: 'open' } });
  const newest = open.find(({ action }) => action === 'indicators.stranger-holders');
  assert.deepEqual(newest?.details, { found: 2, new: 2, scannerIds: [scanner.id] });
  const another = await newIndicator();
  const strangers = ['Ada_Gone', 'SOMEBODY', 'a_third'];
  await charting('PUT', { holders: { [scanner.pineId]: strangers, [another.pineId]: ['a_fourth'] } });
  await atNight();
  const { data: grown } = await admin.call(listAlerts, { query: { status: 'open' } });
  const added = grown.find(({ action }) => action === 'indicators.stranger-holders');
  assert.deepEqual(added?.details, { found: 3, new: 3, scannerIds: [scanner.id, another.id].sort() });
  await setHolders([]);
  await atNight();
  assert.deepEqual(await told(), []);
});
