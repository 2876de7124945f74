import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compareIndicatorAccess,
  createProduct,
  decideAccessRequest,
  deleteUser,
  listAudit,
  listIndicatorAccess,
  listNotifications,
  resolveIndicatorAccess,
  revokeIndicatorAccess,
  setChartingUsername,
  submitAccessRequest,
  takeOverIndicatorAccess,
  updateIndicator,
  type wire,
} from '../../../../sdk/src/index.ts';
import { indicatorTools, QUICK } from '../../../../test/support/indicators.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { nothingToTakeOver } from './interventions.ts';

// Handles that the owner of the scripts admitted manually at the charting platform stay there, whichever member uses
// them.

const platform = await startPlatform({ ...QUICK, LOG_LEVEL: 'silent' });
const { admin, newMember, database } = platform;
const tools = indicatorTools(platform);
const { newIndicator, newCustomer, grant, holders, charting, tell, untilStatus } = tools;
const compare = async () => (await admin.call(compareIndicatorAccess)).data;
const calls = async () => (await charting('GET')).calls;
const rowOf = async (scanner: { id: string }, { id }: { id: string }) => {
  const { data } = await admin.call(listIndicatorAccess, { params: { id: scanner.id } });
  return data.find(({ userId }) => userId === id) as wire.IndicatorAccess;
};

/** The owner admits handles manually. */
const admit = ({ pineId }: { pineId: string }, ...names: string[]) => tools.admit(pineId, ...names);
async function dismiss({ pineId }: { pineId: string }, name: string): Promise<void> {
  const { holders: all } = await charting('GET');
  await charting('PUT', {
    holders: { ...all, [pineId]: all[pineId]?.filter((one) => one !== name) },
  });
}

test('setting the handle of somebody else and back does not affect their access', async () => {
  const [eve, scanner] = [await newMember(), await newIndicator()];
  await admit(scanner, 'Victim');
  await grant(scanner, eve, 'eve_own');
  await untilStatus(eve, scanner, 'active');
  for (const [handle, held] of [
    ['victim', ['Victim']],
    ['eve_own', ['Victim', 'eve_own']],
  ] as const) {
    await eve.client.call(setChartingUsername, { body: { chartingUsername: handle } });
    await until(async () => (await tools.rowsOf(eve))[0]?.chartingUsername?.toLowerCase() === handle, handle);
    await untilStatus(eve, scanner, 'active');
    assert.deepEqual((await holders(scanner.pineId)).sort(), held);
  }
  const { id: accessId } = await rowOf(scanner, eve);
  await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId } });
  await untilStatus(eve, scanner, 'revoked');
  assert.deepEqual(await holders(scanner.pineId), ['Victim']);
});

test('who keeps access from before a grant is not told that it has ended, unlike who loses what the grant gave', async () => {
  const [eve, there, given] = [await newMember(), await newIndicator(), await newIndicator()];
  await admit(there, 'eve_tv');
  for (const scanner of [there, given]) {
    await grant(scanner, eve, 'eve_tv');
    await untilStatus(eve, scanner, 'active');
  }
  for (const scanner of [there, given]) {
    const { id: accessId } = await rowOf(scanner, eve);
    await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId } });
    await untilStatus(eve, scanner, 'revoked');
  }
  const ended = async () =>
    (await eve.client.call(listNotifications)).data
      .filter(({ title }) => title === 'Your access to indicators has ended')
      .map(({ metadata }) => metadata.scannerIds);
  await until(async () => (await ended()).length > 0, 'the notification');
  assert.deepEqual(await ended(), [[given.id]]);
});

test('a request with the handle of somebody else does not affect their access', async () => {
  const [eve, scanner] = [await newMember(), await newIndicator()];
  await admit(scanner, 'Trader');
  const offer = { name: 'P', productType: 'scanner' as const, scannerId: scanner.id };
  const { data: product } = await admin.call(createProduct, { body: offer });
  const asked = { productId: product.id, fullName: 'Eve', email: eve.email, chartingId: 'trader' };
  const { data } = await eve.client.call(submitAccessRequest, { body: asked });
  const decide = (status: 'approved' | 'pending' | 'denied') =>
    admin.attempt(decideAccessRequest, { params: { id: data.id }, body: { status } });
  assert.equal((await decide('approved')).data?.entitlementWarning, undefined);
  assert.equal((await rowOf(scanner, eve)).entry, 'found');
  await decide('denied');
  await untilStatus(eve, scanner, 'revoked');
  assert.deepEqual(await holders(scanner.pineId), ['Trader']);
});

for (const mode of ['lost', 'late', 'failed-late', 'hang', 'nonsense', 'fail', 'odd', 'empty'])
  test(`with "${mode}", entries from before stay, and those that a call of the platform made are removed`, async () => {
    const [eve, ada, scanner] = [await newMember(), await newMember(), await newIndicator()];
    await admit(scanner, `there_${mode}`);
    await tell(mode, { lateMs: 900 });
    const callsBefore = (await calls()).length;
    const rows = [await grant(scanner, eve, `there_${mode}`), await grant(scanner, ada, `ours_${mode}`)];
    // In these modes the platform looks as it always does, and the addition that follows is not answered.
    const isAnswered = !['lost', 'late', 'failed-late'].includes(mode);
    const isTried = ({ path, username }: { path: string; username: string }): boolean =>
      isAnswered || (path === '/pine_perm/add/' && username === `ours_${mode}`);
    const attempts = async () => (await calls()).slice(callsBefore).filter(isTried).length;
    if (mode !== 'empty') await until(async () => (await attempts()) > 0, 'an attempt');
    await tell('ok');
    for (const member of [eve, ada]) {
      const isAtRest = async () => ['active', 'failed'].includes((await rowOf(scanner, member)).status);
      await until(isAtRest, 'an end of the grant');
    }
    for (const { data } of rows)
      await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId: data.id } });
    for (const member of [eve, ada]) await untilStatus(member, scanner, 'revoked');
    assert.deepEqual(await holders(scanner.pineId), [`there_${mode}`]);
  });

test('access admitted manually after a grant ended stays until an administrator takes it over', async () => {
  const [ada, scanner] = [await newMember(), await newIndicator()];
  const { data } = await grant(scanner, ada, 'ada_back');
  await untilStatus(ada, scanner, 'active');
  await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId: data.id } });
  await untilStatus(ada, scanner, 'revoked');
  await admit(scanner, 'ada_back');
  await platform.platform.runJob('indicators.compare');
  const report = await compare();
  const [drift] = report.drift.filter(({ scannerId }) => scannerId === scanner.id);
  assert.deepEqual([drift?.kind, drift?.mended, report.revoked], ['unexpected', false, 0]);
  assert.deepEqual(await holders(scanner.pineId), ['ada_back']);

  const taken = await admin.call(takeOverIndicatorAccess, { params: { id: scanner.id, accessId: data.id } });
  assert.deepEqual([taken.status, taken.data.status], [200, 'pending_revoke']);
  await untilStatus(ada, scanner, 'revoked');
  assert.deepEqual(await holders(scanner.pineId), []);
});

test('only an administrator takes over found access, which is recorded and removed at the end', async () => {
  const [ada, scanner] = [await newMember(), await newIndicator()];
  await admit(scanner, 'ada_found');
  const { data } = await grant(scanner, ada, 'ada_found');
  await untilStatus(ada, scanner, 'active');
  assert.equal((await rowOf(scanner, ada)).entry, 'found');
  assertRefused(
    await ada.client.attempt(takeOverIndicatorAccess, { params: { id: scanner.id, accessId: data.id } }),
    insufficientPermissions,
  );
  const taken = await admin.call(takeOverIndicatorAccess, { params: { id: scanner.id, accessId: data.id } });
  assert.deepEqual([taken.status, taken.data.status, taken.data.entry], [200, 'active', 'made']);
  const again = await admin.attempt(takeOverIndicatorAccess, {
    params: { id: scanner.id, accessId: data.id },
  });
  assertRefused(again, nothingToTakeOver);
  const { data: audit } = await admin.call(listAudit, { query: { action: 'indicator-access.taken-over' } });
  assert.ok(audit.some(({ target, actor }) => target === data.id && actor === platform.adminId));
  await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId: data.id } });
  await untilStatus(ada, scanner, 'revoked');
  assert.deepEqual(await holders(scanner.pineId), []);
});

test('found access of a shared handle is not removed by either member, unless it was gone in between', async () => {
  const [ada, ben, scanner] = [await newMember(), await newMember(), await newIndicator()];
  await admit(scanner, 'pair_there');
  const rows = [await grant(scanner, ada, 'pair_there'), await grant(scanner, ben, 'Pair_There')];
  for (const member of [ada, ben]) await untilStatus(member, scanner, 'active');
  for (const { data } of rows)
    await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId: data.id } });
  for (const member of [ada, ben]) await untilStatus(member, scanner, 'revoked');
  assert.deepEqual(await holders(scanner.pineId), ['pair_there']);

  for (const member of [ada, ben]) await grant(scanner, member, 'pair_there');
  for (const member of [ada, ben]) await untilStatus(member, scanner, 'active');
  await dismiss(scanner, 'pair_there');
  assert.equal((await compare()).granted, 2);
  for (const member of [ada, ben]) await untilStatus(member, scanner, 'active');
  assert.deepEqual(await holders(scanner.pineId), ['pair_there']);
  assert.deepEqual([(await rowOf(scanner, ada)).entry, (await rowOf(scanner, ben)).entry], ['made', 'made']);
  for (const { data } of rows)
    await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId: data.id } });
  for (const member of [ada, ben]) await untilStatus(member, scanner, 'revoked');
  assert.deepEqual(await holders(scanner.pineId), []);
});

test('a new script or the deletion of a member does not remove access that existed before', async () => {
  const [ada, scanner] = [await newCustomer(), await newIndicator()];
  await admit(scanner, 'ada_old');
  await grant(scanner, ada, 'ada_old');
  await untilStatus(ada, scanner, 'active');
  const pineId = `PUB;moved${Date.now()}`;
  await admit({ pineId }, 'ada_old');
  await admin.call(updateIndicator, { params: { id: scanner.id }, body: { pineId } });
  await until(
    async () =>
      (await database.count('select count(*) from indicators.entry where pine_id = $1', [pineId])) > 0,
    'the move',
  );
  await untilStatus(ada, scanner, 'active');
  assert.deepEqual([await holders(scanner.pineId), await holders(pineId)], [['ada_old'], ['ada_old']]);
  assert.equal((await admin.call(deleteUser, { params: { userId: ada.id } })).status, 200);
  const rows = 'select count(*) from indicators.access where user_id = $1';
  await until(async () => (await database.count(rows, [ada.id])) === 0, 'the end of the grants');
  assert.deepEqual([await holders(scanner.pineId), await holders(pineId)], [['ada_old'], ['ada_old']]);
});

/** Somebody changes their name at the charting platform, where they keep the access. */
async function rename(scanner: { pineId: string }, from: string, to: string): Promise<void> {
  await dismiss(scanner, from);
  await admit(scanner, to);
}

test('access of somebody who has another name at the charting platform is never called revoked', async () => {
  const [ada, scanner] = [await newMember(), await newIndicator()];
  const adas = await grant(scanner, ada, 'ada_first');
  await untilStatus(ada, scanner, 'active');
  await rename(scanner, 'ada_first', 'ada_second');
  await tell('unknown-user', { handles: ['ada_first'] });
  await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId: adas.data.id } });
  await untilStatus(ada, scanner, 'failed');
  const row = await rowOf(scanner, ada);
  assert.deepEqual([row.failedAction, row.errorKind], ['revoke', 'lost-user']);
  assert.match(row.lastError ?? '', /no user named ada_first any more.*new name/);
  await tell('ok');
  await dismiss(scanner, 'ada_second');
  await admin.call(resolveIndicatorAccess, { params: { id: scanner.id, accessId: adas.data.id }, body: {} });
  await untilStatus(ada, scanner, 'revoked');
});

test('access follows who changes their name there and says so here, and ends under the new name', async () => {
  const ben = await newMember();
  const scanners = [await newIndicator(), await newIndicator()] as const;
  for (const scanner of scanners) {
    await grant(scanner, ben, 'ben_first');
    await untilStatus(ben, scanner, 'active');
    await rename(scanner, 'ben_first', 'ben_second');
  }
  await tell('unknown-user', { handles: ['ben_first'] });
  await ben.client.call(setChartingUsername, { body: { chartingUsername: 'ben_second' } });
  for (const scanner of scanners) {
    await untilStatus(ben, scanner, 'active');
    const { entry, chartingUsername, id: accessId } = await rowOf(scanner, ben);
    assert.deepEqual([entry, chartingUsername], ['made', 'ben_second']);
    await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId } });
    await untilStatus(ben, scanner, 'revoked');
    assert.deepEqual(await holders(scanner.pineId), []);
  }
  await tell('ok');
});

test('access to a script that was replaced ends under a new name, too', async () => {
  const [eve, scanner] = [await newMember(), await newIndicator()];
  await grant(scanner, eve, 'eve_first');
  await untilStatus(eve, scanner, 'active');
  await rename(scanner, 'eve_first', 'eve_second');
  await tell('unknown-user', { handles: ['eve_first'] });
  const pineId = `PUB;replaced${Date.now()}`;
  await admin.call(updateIndicator, { params: { id: scanner.id }, body: { pineId } });
  await untilStatus(eve, scanner, 'failed');
  await eve.client.call(setChartingUsername, { body: { chartingUsername: 'eve_second' } });
  await untilStatus(eve, scanner, 'active');
  assert.deepEqual([await holders(scanner.pineId), await holders(pineId)], [[], ['eve_second']]);
  await tell('ok');
});

test('nothing keeps the handle of a deleted member who is gone at the charting platform, too', async () => {
  const [fay, scanner] = [await newMember(), await newIndicator()];
  await grant(scanner, fay, 'fay_gone');
  await untilStatus(fay, scanner, 'active');
  await dismiss(scanner, 'fay_gone');
  await tell('unknown-user', { handles: ['fay_gone'] });
  await admin.call(deleteUser, { params: { userId: fay.id } });
  const rows = 'select count(*) from indicators.access where user_id = $1';
  await until(async () => (await database.count(rows, [fay.id])) === 0, 'the end of the grant');
  const named = `select count(*) from kernel.audit_entry where details::text like '%fay_gone%'`;
  await until(async () => (await database.count(named)) === 0, 'the erasure of the handle');
  await tell('ok');
});
