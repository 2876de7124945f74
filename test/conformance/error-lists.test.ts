import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deleteUser,
  getErrorAsAdmin,
  listAudit,
  listErrors,
  signIn,
  summarizeErrors,
  transferKeys,
  updateError,
  updateUser,
} from '../../sdk/src/index.ts';
import type { TypesOf } from '../../sdk/src/operation.ts';
import { insufficientPermissions, invalidId, notFound } from '../../src/kernel/failures.ts';
import type { Answer } from '../support/client.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';
import { assertInvalid, assertRefused } from '../support/refused.ts';

const platform = await startPlatform();
const { admin, client } = platform;
const ada = await platform.newMemberWith(5);
const ben = await platform.newMember();
const NOBODY = 'f'.repeat(24);

/** Causes failures, a minute after the previous ones; returns their error ids. */
async function fail(times: number, send: () => Promise<Pick<Answer, 'body'>>): Promise<string[]> {
  platform.clock.advance(60_000);
  const ids: string[] = [];
  for (let count = 0; count < times; count++) ids.push((await send()).body.errorId as string);
  return ids;
}
const startedAt = new Date(platform.clock.now()).toISOString();
const overdrawn = await fail(7, () =>
  ada.client.attempt(transferKeys, { body: { toUserId: ben.id, amount: 50 } }),
);
const between = new Date(platform.clock.now() + 30_000).toISOString();
const unknown = await fail(5, () => ben.client.raw('GET', '/v1/nothing'));
type Query = TypesOf<typeof listErrors>['query'];
const list = async (query: Query) => (await admin.call(listErrors, { query })).body;
const idsOf = ({ data }: { data: { errorId: string }[] }): string[] => data.map(({ errorId }) => errorId);

test('administrators list failures newest first, without their long fields', async () => {
  const body = await list({ from: startedAt, limit: 100 });
  assert.deepEqual(idsOf(body).toSorted(), [...overdrawn, ...unknown].toSorted());
  assert.deepEqual(body.pagination, { page: 1, limit: 100, total: 12, pages: 1, totalIsExact: true });
  const times = body.data.map(({ timestamp }) => timestamp);
  assert.deepEqual(times, times.toSorted().reverse());
  const errorId = overdrawn[0] as string;
  const { data: whole } = await admin.call(getErrorAsAdmin, { params: { errorId } });
  const { stack: _, request, ...rest } = whole;
  const summary = body.data.find((one) => one.errorId === errorId);
  const { method, path, requestId } = request;
  assert.deepEqual(summary, { ...rest, request: { method, path, requestId } });
  assert.equal(path, '/v1/wallets/transfer');
  assert.deepEqual(request.body, { toUserId: ben.id, amount: 50 }, 'a single report contains the request');
});

test('each filter keeps only the matching failures, and filters can be combined', async () => {
  const code = 'INSUFFICIENT_BALANCE';
  const cases: [Query, string[]][] = [
    [{ code }, overdrawn],
    [{ operation: 'transferKeys' }, overdrawn],
    [{ status: 404 }, unknown],
    [{ userId: ada.id }, overdrawn],
    [{ userId: ben.id }, unknown],
    [{ userId: NOBODY }, []],
    [{ severity: 'critical' }, []],
    [{ from: between }, unknown],
    [{ to: between }, overdrawn],
    [{ code, status: 400, severity: 'medium', userId: ada.id, to: between }, overdrawn],
    [{ code, status: 404 }, []],
  ];
  for (const [query, expected] of cases) {
    const body = await list({ from: startedAt, ...query });
    assert.deepEqual(idsOf(body).toSorted(), expected.toSorted(), JSON.stringify(query));
    assert.equal(body.pagination.total, expected.length, JSON.stringify(query));
  }
});

test('pages and cursors go through all of them once, in one order', async () => {
  const all = idsOf(await list({ from: startedAt, limit: 100 }));
  const byPage: string[] = [];
  for (let page = 1; page <= 3; page++)
    byPage.push(...idsOf(await list({ from: startedAt, limit: 5, page })));
  assert.deepEqual(byPage, all);
  const byCursor: string[] = idsOf(await list({ from: startedAt, limit: 5 }));
  for (let more = byCursor; more.length > 0; ) {
    const body = await list({ from: startedAt, limit: 5, before: byCursor.at(-1) });
    assert.equal(body.pagination.total, 12);
    assert.equal(body.pagination.page, 1);
    more = idsOf(body);
    byCursor.push(...more);
  }
  assert.deepEqual(byCursor, all);
});

test('support finds failures by e-mail, request and trace', async () => {
  const ids = async (query: Query) => idsOf(await list({ ...query, from: startedAt, limit: 100 })).toSorted();
  assert.deepEqual(await ids({ email: ada.email.toUpperCase() }), overdrawn.toSorted());
  const [one = ''] = overdrawn;
  const { requestId, traceId } = (await admin.call(getErrorAsAdmin, { params: { errorId: one } })).data
    .request;
  assert.deepEqual(await ids({ requestId }), [one]);
  assert.deepEqual(await ids({ traceId }), [one]);
});

test('a failed sign-in names the member with the given e-mail address, if there is one', async () => {
  const body = { email: ada.email.toUpperCase(), password: 'not the password', platform: 'web' } as const;
  const { body: known } = await client.attempt(signIn, { body });
  const { body: stranger } = await client.attempt(signIn, { body: { ...body, email: 'nobody@example.net' } });
  const find = async (errorId: string | undefined) =>
    (await admin.call(getErrorAsAdmin, { params: { errorId: errorId ?? '' } })).data.user;
  const user = { userId: ada.id, id: ada.id, name: 'Test Member', email: ada.email };
  assert.deepEqual(await find(known.errorId), user);
  assert.equal(await find(stranger.errorId), undefined);
  const { data } = await admin.call(listErrors, { query: { email: 'nobody@example.net' } });
  assert.deepEqual(
    data.map(({ errorId }) => errorId),
    [stranger.errorId],
  );
});

test('a summary counts failures by operation and code, with their times, members and an example', async () => {
  const summary = async (query: object = {}) =>
    (await admin.call(summarizeErrors, { query: { from: startedAt, to: between, ...query } })).data;
  const [group, ...others] = await summary({ buckets: 4 });
  assert.deepEqual(others, []);
  assert.ok(group);
  const { operation, code, status, count, members, series, exampleErrorId } = group;
  assert.deepEqual(
    [operation, code, status, count, members],
    ['transferKeys', 'INSUFFICIENT_BALANCE', 400, 7, 1],
  );
  assert.ok(overdrawn.includes(exampleErrorId));
  assert.equal(series.length, 4);
  assert.equal(
    series.reduce((sum, one) => sum + one, 0),
    7,
  );
  const byCode = (await summary({ by: 'code', to: undefined })).find((one) => one.code === 'ROUTE_NOT_FOUND');
  assert.deepEqual([byCode?.operation, byCode?.count, byCode?.members], [null, 5, 1]);
  const byOperation = (await summary({ by: 'operation' }))[0];
  assert.deepEqual(
    [byOperation?.operation, byOperation?.code, byOperation?.count],
    ['transferKeys', null, 7],
  );
  for (const query of ['buckets=0', 'buckets=97', 'by=member', 'from=2026-03-01&to=2026-02-01'])
    assertInvalid(await admin.raw('GET', `/v1/admin/errors/summary?${query}`));
});

test('a summary agrees with the reports for any span between two quarters of an hour', async () => {
  const QUARTER_MS = 900_000;
  const base = Date.UTC(2026, 0, 5, 10, 7);
  const stored = Array.from({ length: 200 }, (_none, place) => ({
    // Every 37 minutes over five days.
    at: base + place * 37 * 60_000,
    operation: `days-${place % 3}`,
    code: `DAYS_${place % 4}`,
    status: place % 4 === 0 ? 500 : 400,
    userId: place % 5 === 0 ? undefined : `${place % 7}`.repeat(24),
  }));
  await platform.database.execute(
    `insert into gateway.error_report (error_id, created_at, report)
     select gen_random_uuid(), to_timestamp((r->>'at')::float8 / 1000), jsonb_build_object('errorCode', r->>'code',
       'operation', r->>'operation', 'statusCode', r->'status', 'severity', 'medium', 'request', '{}'::jsonb)
       || case when r ? 'userId' then jsonb_build_object('user', jsonb_build_object('userId', r->>'userId')) else '{}' end
     from unnest($1::jsonb[]) r`,
    [stored.map((report) => JSON.stringify(report))],
  );
  const kindOf = {
    both: (one: (typeof stored)[0]) => [one.operation, one.code, one.status],
    code: (one: (typeof stored)[0]) => [null, one.code, one.status],
    operation: (one: (typeof stored)[0]) => [one.operation, null, null],
  };
  for (const [from, to] of [
    [base - QUARTER_MS, base + 6 * 86_400_000],
    [Date.UTC(2026, 0, 6, 3, 15), Date.UTC(2026, 0, 8, 21, 45)],
    [Date.UTC(2026, 0, 6), Date.UTC(2026, 0, 9)],
    [Date.UTC(2026, 0, 7, 23, 45), Date.UTC(2026, 0, 9, 12)],
  ] as const)
    for (const by of ['both', 'code', 'operation'] as const) {
      const [first, end] = [Math.floor(from / QUARTER_MS), Math.ceil(to / QUARTER_MS)].map(
        (slot) => slot * QUARTER_MS,
      ) as [number, number];
      const within = stored.filter(({ at }) => at >= first && at < end);
      const groups = Map.groupBy(within, (one) => JSON.stringify(kindOf[by](one)));
      const expected = [...groups].map(([kind, some]) => {
        const series = Array.from({ length: 24 }, () => 0);
        for (const { at } of some) {
          const slot = Math.floor(at / QUARTER_MS) * QUARTER_MS;
          (series[Math.floor(((slot - first) * 24) / (end - first))] as number)++;
        }
        const times = some.map(({ at }) => at);
        return {
          kind,
          count: some.length,
          members: new Set(some.flatMap(({ userId }) => userId ?? [])).size,
          firstAt: new Date(Math.min(...times)).toISOString(),
          lastAt: new Date(Math.max(...times)).toISOString(),
          series: series.map((count) => count || 0),
        };
      });
      const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), buckets: 24 };
      const { data } = await admin.call(summarizeErrors, {
        query: by === 'both' ? query : { ...query, by },
      });
      const found = data.map(({ operation, code, status, exampleErrorId: _, ...rest }) => ({
        kind: JSON.stringify([operation, code, status]),
        ...rest,
      }));
      const sorted = (rows: typeof found) => rows.toSorted((a, b) => a.kind.localeCompare(b.kind));
      assert.deepEqual(sorted(found), sorted(expected), `${by} ${query.from}`);
    }
});

test('invalid queries of error lists are refused', async () => {
  for (const [query, status, code] of [
    ['userId=x', 400, 'INVALID_ID'],
    ['before=17', 422, 'VALIDATION_FAILED'],
    [`before=${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`, 404, 'NOT_FOUND'],
    ['status=200', 422, 'VALIDATION_FAILED'],
    ['severity=bad', 422, 'VALIDATION_FAILED'],
    ['from=2026-02-30', 422, 'VALIDATION_FAILED'],
    ['from=2026-03-01&to=2026-02-01', 422, 'VALIDATION_FAILED'],
  ] as const) {
    const { status: answered, body } = await admin.raw('GET', `/v1/admin/errors?${query}`);
    assert.deepEqual([answered, body.error], [status, code], query);
  }
  assertRefused(await admin.attempt(getErrorAsAdmin, { params: { errorId: '17' } }), invalidId('error'));
  const none = await admin.attempt(getErrorAsAdmin, {
    params: { errorId: `${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}` },
  });
  assertRefused(none, notFound('Error'));
  assertRefused(await ada.client.attempt(listErrors), insufficientPermissions);
});

test('refusals by the limit of a key are stored as a client that heeds them makes them, and beyond that sampled', async () => {
  const { key } = await platform.newKey('mobile');
  const now = Date.now();
  platform.clock.now = () => now;
  const eager = client.with({ 'x-api-key': key });
  const answers = await Promise.all(
    Array.from({ length: 460 }, () => eager.raw('POST', '/v1/auth/refresh-token', {})),
  );
  assert.ok(answers.filter(({ status }) => status === 429).length >= 300);
  const { pagination } = await list({ code: 'RATE_LIMIT_EXCEEDED' });
  assert.equal(pagination.total, 200);
});

test('administrators assign a severity, by which a failure is found again', async () => {
  const errorId = overdrawn[1] as string;
  const assign = (severity: 'high' | 'medium', reason?: string) =>
    admin.call(updateError, {
      params: { errorId: errorId.toUpperCase() },
      body: { severity, ...(reason && { reason }) },
    });
  const { data: before } = await admin.call(getErrorAsAdmin, { params: { errorId } });
  assert.deepEqual((await assign('high', 'Many members asked')).data, { ...before, severity: 'high' });
  await assign('high');
  assert.deepEqual(idsOf(await list({ severity: 'high' })), [errorId]);
  const { data: audit } = await admin.call(listAudit, { query: { target: errorId } });
  assert.deepEqual(
    audit.map(({ action, reason, changes }) => [action, reason, changes]),
    [['error.severity-changed', 'Many members asked', { severity: ['medium', 'high'] }]],
  );
  await assign('medium');
  assert.deepEqual(idsOf(await list({ severity: 'high' })), []);

  const change = (id: string, body: object) => admin.raw('PATCH', `/v1/admin/errors/${id}`, body);
  assertInvalid(await change(errorId, { severity: 'urgent' }));
  assertRefused(await change(`${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`, {}), notFound('Error'));
  assertRefused(await change('17', { severity: 'high' }), invalidId('error'));
});

test('failures name the member as they are called now, and nobody who was deleted', async () => {
  const [named, gone] = [await platform.newMember(), await platform.newMember()];
  const ofBoth = await Promise.all([named, gone].map(({ client }) => client.raw('GET', '/v1/nothing')));
  await admin.call(updateUser, { params: { userId: named.id }, body: { lastName: 'King' } });
  await admin.call(deleteUser, { params: { userId: gone.id } });
  await until(
    async () => (await list({ userId: gone.id })).data[0]?.user?.email === 'deleted',
    'the reports are erased',
  );
  const users = [
    { userId: named.id, id: named.id, name: 'Test King', email: named.email },
    { userId: gone.id, id: gone.id, name: null, email: 'deleted' },
  ];
  for (const [index, { body }] of ofBoth.entries()) {
    const user = users[index] ?? assert.fail();
    const errorId = body.errorId as string;
    assert.deepEqual((await list({ userId: user.id })).data[0]?.user, user);
    assert.deepEqual((await admin.call(getErrorAsAdmin, { params: { errorId } })).data.user, user);
    const saved = await admin.call(updateError, { params: { errorId }, body: { severity: 'low' } });
    assert.deepEqual(saved.data.user, user);
  }
});
