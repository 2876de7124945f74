import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listErrors } from '../../sdk/src/index.ts';
import type { TypesOf } from '../../sdk/src/operation.ts';
import { notFound } from '../../src/kernel/failures.ts';
import { startPlatform } from '../support/platform.ts';
import { assertInvalid, assertRefused } from '../support/refused.ts';

const platform = await startPlatform();
const { admin, client } = platform;

type Query = TypesOf<typeof listErrors>['query'];
const list = async (query: Query) => (await admin.call(listErrors, { query })).body;
const idsOf = ({ data }: { data: { errorId: string }[] }): string[] => data.map(({ errorId }) => errorId);

test('the list goes on after a failure whose report is gone, and from an id alone while there is one', async () => {
  for (let count = 0; count < 5; count++) await client.raw('GET', '/v1/nothing');
  const [, second, ...rest] = (await list({})).data;
  const { errorId, timestamp } = second ?? { errorId: '', timestamp: '' };
  const ids = idsOf({ data: rest });
  assert.deepEqual(idsOf(await list({ before: errorId })), ids);
  const report = await platform.database.first<{ report: object }>(
    'delete from gateway.error_report where error_id = $1 returning report',
    [errorId],
  );
  assert.deepEqual(idsOf(await list({ before: `${timestamp}_${errorId}` })), ids);
  assertRefused(await admin.attempt(listErrors, { query: { before: errorId } }), notFound('Error'));
  for (const wrong of [`${timestamp}_x`, `2026-02-30T00:00:00.000Z_${errorId}`, 'x'])
    assertInvalid(await admin.raw('GET', `/v1/admin/errors?before=${wrong}`), wrong);
  await platform.database.execute(
    'insert into gateway.error_report (error_id, created_at, report) values ($1, $2, $3)',
    [errorId, timestamp, JSON.stringify(report?.report)],
  );
});
