import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compareIndicatorAccess,
  listAudit,
  revokeIndicatorAccess,
  type wire,
} from '../../../../sdk/src/index.ts';
import { ANSWERED, indicatorTools } from '../../../../test/support/indicators.ts';
import { startPlatform } from '../../../../test/support/platform.ts';

const platform = await startPlatform({ ...ANSWERED, LOG_LEVEL: 'silent' });
const { admin, newMember } = platform;
const tools = indicatorTools(platform);
const { newIndicator, grant, holders, charting, tell, untilStatus } = tools;
const compare = async (query: { dryRun?: boolean } = {}) =>
  (await admin.call(compareIndicatorAccess, { query })).data;
type Drift = wire.IndicatorComparison['drift'];
const withHolders = async (pineId: string, change: (names: string[]) => string[]) => {
  const { holders: all } = await charting('GET');
  await charting('PUT', { holders: { ...all, [pineId]: change(all[pineId] ?? []) } });
};

test('the comparison grants missing access again and keeps access admitted by others', async () => {
  const [ada, ben, scanner] = [await newMember(), await newMember(), await newIndicator()];
  await grant(scanner, ada, 'ada_d');
  const { data: bens } = await grant(scanner, ben, 'ben_d');
  await untilStatus(ada, scanner, 'active');
  await untilStatus(ben, scanner, 'active');
  await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId: bens.id } });
  await untilStatus(ben, scanner, 'revoked');
  assert.deepEqual([(await compare()).drift, (await compare()).complete], [[], true]);

  await withHolders(scanner.pineId, () => ['BEN_D', 'stranger']);
  const dry = await compare({ dryRun: true });
  const kinds = (drift: Drift) => drift.map(({ kind, mended }) => `${kind} ${mended}`).sort();
  assert.deepEqual(kinds(dry.drift), ['missing false', 'stranger false', 'unexpected false']);
  assert.deepEqual([dry.granted, dry.revoked], [0, 0]);
  const report = await compare();
  assert.deepEqual([report.checked, report.granted, report.revoked], [2, 1, 0]);
  assert.deepEqual(kinds(report.drift), ['missing true', 'stranger false', 'unexpected false']);
  await untilStatus(ada, scanner, 'active');
  await untilStatus(ben, scanner, 'revoked');
  assert.deepEqual((await holders(scanner.pineId)).sort(), ['BEN_D', 'ada_d', 'stranger']);
});

test('an incomplete listing and excessive drift prevent automatic repair', async () => {
  const scanner = await newIndicator();
  const members = [];
  for (let number = 0; number < 6; number++) {
    const member = await newMember();
    await grant(scanner, member, `member_${number}`);
    members.push(member);
  }
  for (const member of members) await untilStatus(member, scanner, 'active');
  const others = Array.from({ length: 25 }, (_, number) => `other_${number}`);
  await withHolders(scanner.pineId, (names) => [...others, ...names]);
  for (const [mode, more] of [
    ['partial', {}],
    ['nonsense', {}],
    ['session-expired', {}],
  ] as const) {
    await tell(mode, more);
    const report = await compare();
    const drift = report.drift.filter(({ scannerId }) => scannerId === scanner.id);
    assert.deepEqual([report.complete, report.granted, drift], [false, 0, []], mode);
  }
  await tell('empty');
  let halted = await compare();
  for (let tries = 0; tries < 100 && !halted.problems[0]?.includes('differ'); tries++)
    halted = await compare();
  assert.match(halted.problems.join(), /6 of 6 grants differ/);
  const ofScanner = ({ drift }: { drift: Drift }) =>
    drift.filter(({ scannerId }) => scannerId === scanner.id);
  assert.ok(ofScanner(halted).every(({ mended }) => !mended));
  const alerts = await admin.call(listAudit, { query: { action: 'indicators.comparison-halted' } });
  assert.ok(alerts.data.length > 0);
  await tell('ok');
  assert.deepEqual(
    ofScanner(await compare()).filter(({ kind }) => kind !== 'stranger'),
    [],
  );
  for (const member of members) assert.equal((await tools.rowsOf(member))[0]?.status, 'active');
});
