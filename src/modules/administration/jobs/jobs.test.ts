import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import {
  deleteDeadJob,
  listAudit,
  listDeadJobs,
  listJobQueues,
  retryDeadJob,
  retryDeadJobs,
  runJobQueue,
} from '../../../../sdk/src/index.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions, invalidId } from '../../../kernel/failures.ts';
import { job, jobKind } from '../../../kernel/messaging/jobs.ts';
import { jobNotFound, queueNotFound, queueNotScheduled } from './jobs.ts';

const QUEUE = 'test.fragile';
const NIGHTLY = 'test.nightly';
const NOBODY = '00000000-0000-4000-8000-000000000000';
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
let isBroken = true;
const done: number[] = [];
let nights = 0;

const platform = await startPlatform({ LOG_LEVEL: 'silent' }, [
  {
    name: 'test',
    service: undefined,
    jobs: [
      job(
        jobKind(QUEUE, {
          version: 1,
          data: Type.Object({ number: Type.Integer(), password: Type.String() }),
        }),
        {
          retries: 0,
          run: async ({ number }) => {
            if (isBroken) throw new Error(`the provider is away, token=abc`);
            done.push(number);
          },
        },
      ),
      job(jobKind(NIGHTLY), { cron: '17 3 * * *', run: async () => void nights++ }),
    ],
  },
]);
const { admin, database } = platform;
const params = { queue: QUEUE };
const list = async () => (await admin.call(listDeadJobs, { params })).data;

/** Runs jobs with these numbers and waits until they are dead. */
async function fail(...numbers: number[]) {
  const before = (await list()).length;
  isBroken = true;
  for (const number of numbers)
    await database.execute(
      `insert into jobs.job (name, data, policy, retry_limit, dead_letter) values ($1, $2, 'standard', 0, $1 || '.dead')`,
      [
        QUEUE,
        { number, password: 'hunter2', $version: 1, traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` },
      ],
    );
  await until(async () => (await list()).length === before + numbers.length, 'the jobs are dead');
  return list();
}

test('queues are listed with their figures, and scheduled ones with their next run', async () => {
  await fail(1);
  const { data } = await admin.call(listJobQueues);
  assert.deepEqual(
    data.map(({ queue }) => queue),
    data.map(({ queue }) => queue).sort(),
  );
  assert.ok(!data.some(({ queue }) => queue.endsWith('.dead') || queue.startsWith('__')));
  const ofTest = data.find(({ queue }) => queue === QUEUE);
  assert.deepEqual(
    [ofTest?.ready, ofTest?.delayed, ofTest?.dead, ofTest?.oldestAt, ofTest?.nextRunAt],
    [0, 0, 1, null, null],
  );
  const nightly = data.find(({ queue }) => queue === NIGHTLY);
  assert.match(nightly?.nextRunAt ?? '', /T03:17:00\.000Z$/);
  assert.ok(new Date(nightly?.nextRunAt ?? 0).getTime() > platform.clock.now());
});

test('a dead job shows its data and error without secrets, and leaves the list once a retry has run it', async () => {
  const [dead] = await fail(2);
  assert.deepEqual(
    [dead?.data, dead?.attempts, dead?.traceId],
    [{ number: 2, password: '[REDACTED]' }, 1, TRACE_ID],
  );
  assert.equal(dead?.error, 'the provider is away, token=[REDACTED]');
  isBroken = false;
  const retried = { params: { ...params, id: dead?.id.toUpperCase() ?? '' }, body: { reason: 'It is back' } };
  const both = await Promise.all([
    untilAvailable(() => admin.attempt(retryDeadJob, retried)),
    untilAvailable(() => admin.attempt(retryDeadJob, retried)),
  ]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 404], 'one of two at once');
  await until(() => done.includes(2), 'the job has run');
  assert.ok(!(await list()).some(({ id }) => id === dead?.id));
  assert.deepEqual(done, [2]);
  const { data: log } = await admin.call(listAudit, { query: { action: 'job.retried' } });
  assert.deepEqual([log[0]?.target, log[0]?.targetName, log[0]?.reason], [dead?.id, QUEUE, 'It is back']);
});

test('several dead jobs are retried at once, with a result for each', async () => {
  const ids = (await fail(3, 4)).map(({ id }) => id).slice(0, 2);
  isBroken = false;
  const given = [ids[0] ?? '', (ids[1] ?? '').toUpperCase(), ids[0] ?? '', NOBODY];
  const { data } = await admin.call(retryDeadJobs, { params, body: { ids: given } });
  assert.deepEqual(data, [
    { id: ids[0], retried: true, error: null, message: null },
    { id: ids[1], retried: true, error: null, message: null },
    { id: NOBODY, retried: false, error: 'NOT_FOUND', message: 'Job not found' },
  ]);
  await until(() => done.includes(3) && done.includes(4), 'both have run');
  for (const body of [{ ids: [] }, { ids: Array(101).fill(NOBODY) }, {}])
    assertInvalid(await admin.raw('POST', `/v1/admin/jobs/${QUEUE}/dead/retry`, body), JSON.stringify(body));
  assertRefused(await admin.attempt(retryDeadJobs, { params, body: { ids: ['x'] } }), invalidId('job'));
});

test('a dead job is deleted for good', async () => {
  const [dead] = await fail(5);
  const chosen = { params: { ...params, id: dead?.id ?? '' } };
  assert.equal((await admin.call(deleteDeadJob, chosen)).status, 200);
  assertRefused(await admin.attempt(deleteDeadJob, chosen), jobNotFound);
  assertRefused(await admin.attempt(retryDeadJob, chosen), jobNotFound);
  assert.ok(!(await list()).some(({ id }) => id === dead?.id));
});

test('the list continues after a job, and does not know others', async () => {
  const all = await fail(6, 7, 8);
  const page = await admin.call(listDeadJobs, { params, query: { limit: 1, before: all[0]?.id } });
  assert.deepEqual(
    page.data.map(({ id }) => id),
    [all[1]?.id],
  );
  assert.equal(page.body.pagination.total, all.length);
  assertRefused(await admin.attempt(listDeadJobs, { params, query: { before: NOBODY } }), jobNotFound);
  const [last, ...rest] = all;
  const before = `${last?.failedAt}_${last?.id}`;
  assert.equal((await admin.call(deleteDeadJob, { params: { ...params, id: last?.id ?? '' } })).status, 200);
  assert.deepEqual((await admin.call(listDeadJobs, { params, query: { before } })).data, rest, 'it is gone');
  for (const wrong of [`${last?.failedAt}_x`, `2026-02-30T00:00:00.000Z_${NOBODY}`, 'x'])
    assertInvalid(await admin.raw('GET', `/v1/admin/jobs/${QUEUE}/dead?before=${wrong}`), wrong);
  const other = { queue: NIGHTLY, id: rest[0]?.id ?? '' };
  assertRefused(await admin.attempt(retryDeadJob, { params: other }), jobNotFound, 'of another queue');
});

test('a scheduled job runs now, others do not', async () => {
  const before = nights;
  const { status } = await admin.call(runJobQueue, { params: { queue: NIGHTLY }, body: { reason: 'Now' } });
  assert.equal(status, 202);
  await until(() => nights > before, 'the job has run');
  assertRefused(await admin.attempt(runJobQueue, { params }), queueNotScheduled);
});

test('a repetition with the same key runs a scheduled job once', async () => {
  const started = () =>
    database.count(`select count(*) from kernel.audit_entry where action = 'job.started'`);
  const before = await started();
  const eager = admin.with({ 'idempotency-key': 'one-night' });
  const run = () => eager.call(runJobQueue, { params: { queue: NIGHTLY }, body: {} });
  const [first, second] = [await run(), await run()];
  assert.deepEqual(second.data, first.data);
  assert.equal(await started(), before + 1);
});

test('unknown queues are 404, impossible names 400, and only administrators see jobs', async () => {
  for (const queue of ['test.unknown', `${QUEUE}.dead`])
    assertRefused(await admin.attempt(listDeadJobs, { params: { queue } }), queueNotFound, queue);
  assert.equal((await admin.raw('GET', '/v1/admin/jobs/__pgboss__/dead')).status, 400);
  assert.equal((await admin.raw('DELETE', `/v1/admin/jobs/${QUEUE}/dead/5`)).status, 400);
  const ada = await platform.newMember();
  assertRefused(await ada.client.attempt(listJobQueues), insufficientPermissions);
  assertRefused(await ada.client.attempt(runJobQueue, { params }), insufficientPermissions);
});
