import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deleteUser,
  grantIndicatorAccess,
  listAllIndicatorAccess,
  listAudit,
  listIndicatorAccess,
  retryAllIndicatorAccess,
} from '../../../../sdk/src/index.ts';
import type { TypesOf } from '../../../../sdk/src/operation.ts';
import { ANSWERED, indicatorTools } from '../../../../test/support/indicators.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid } from '../../../../test/support/refused.ts';
import { accessNotFound } from './changing.ts';
import { accessNotFailed } from './interventions.ts';

const platform = await startPlatform(ANSWERED);
const { admin, newMember } = platform;
const { newIndicator, tell, untilStatus } = indicatorTools(platform);

type Member = Awaited<ReturnType<typeof newMember>>;
const grant = async (scanner: { id: string }, { id }: Member, chartingUsername: string) =>
  (
    await admin.call(grantIndicatorAccess, {
      params: { id: scanner.id },
      body: { userId: id, chartingUsername },
    })
  ).data;
type Filter = Parameters<typeof list>[0];
const list = (query: NonNullable<Parameters<typeof admin.call<typeof listAllIndicatorAccess>>[1]>['query']) =>
  admin.call(listAllIndicatorAccess, { query });
const idsOf = async (query: Filter) => (await list(query)).data.map(({ id }) => id);

test('grants of all indicators are listed by member, status, source and age, and continued by a cursor', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  const [first, second] = [await newIndicator(), await newIndicator()];
  const made = [
    await grant(first, ada, 'ada'),
    await grant(second, ada, 'ada'),
    await grant(first, ben, 'ben'),
  ];
  const [one, two, three] = made.map(({ id }) => id);
  for (const [member, indicator] of [
    [ada, first],
    [ada, second],
    [ben, first],
  ] as const)
    await untilStatus(member, indicator, 'active');
  assert.deepEqual(await idsOf({ userId: ada.id }), [two, one]);
  assert.deepEqual((await idsOf({ status: 'active', source: 'manual' })).slice(0, 3), [three, two, one]);
  assert.deepEqual(await idsOf({ source: 'automated' }), []);
  assert.deepEqual(await idsOf({ userId: ada.id, olderThan: new Date(0).toISOString() }), []);
  const { data, body } = await list({ userId: ada.id, limit: 1 });
  assert.deepEqual([data[0]?.user?.name, data[0]?.scannerId], ['Test Member', second.id]);
  assert.deepEqual([body.pagination.total, body.pagination.totalIsExact], [2, true]);
  assert.deepEqual(await idsOf({ userId: ada.id, limit: 1, before: data[0]?.id ?? '' }), [one]);
  const grantsOf = async (query: TypesOf<typeof listIndicatorAccess>['query']) =>
    (await admin.call(listIndicatorAccess, { params: { id: first.id }, query })).data.map(({ id }) => id);
  assert.deepEqual(await grantsOf({ before: three }), [one]);
  assert.deepEqual(await grantsOf({ before: three, status: 'active' }), [one]);
  assert.deepEqual(await grantsOf({ before: one }), []);
  for (const query of ['status=done', 'olderThan=soon', 'userId=', 'before=x&page=2', 'scannerId=1'])
    assert.ok([400, 422].includes((await admin.raw('GET', `/v1/streams/scanners/access?${query}`)).status));
  await admin.call(deleteUser, { params: { userId: ben.id } });
  assert.equal((await list({ userId: ben.id })).data[0]?.user ?? null, null);
});

test('several failed grants are retried, with a result for each', async () => {
  const [ada, ben, scanner] = [await newMember(), await newMember(), await newIndicator()];
  await tell('unknown-user');
  const failed = await grant(scanner, ada, 'ada_r');
  await untilStatus(ada, scanner, 'failed');
  await tell('ok');
  const active = await grant(scanner, ben, 'ben_r');
  await untilStatus(ben, scanner, 'active');
  const unknown = 'f'.repeat(24);
  const ids = [active.id, failed.id, unknown, failed.id];
  const { data } = await admin.call(retryAllIndicatorAccess, { body: { ids, reason: 'Back again' } });
  assert.deepEqual(
    data.map(({ id, status, error }) => [id, status, error]),
    [
      [active.id, null, accessNotFailed.code],
      [failed.id, 'pending_grant', null],
      [unknown, null, accessNotFound.code],
    ],
  );
  await untilStatus(ada, scanner, 'active');
  const [entry] = (await admin.call(listAudit, { query: { target: failed.id } })).data;
  assert.deepEqual([entry?.action, entry?.reason], ['indicator-access.retried', 'Back again']);
  const path = '/v1/streams/scanners/access/retry';
  for (const ids of [[], null, Array.from({ length: 101 }, () => unknown)])
    assertInvalid(await admin.raw('POST', path, { ids }));
});
