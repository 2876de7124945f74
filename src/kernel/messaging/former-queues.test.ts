import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { startJobQueue } from '../../../test/support/job-queue.ts';
import { until } from '../../../test/support/live.ts';
import { formerQueues } from './former-queues.ts';
import { type JobContext, job, jobKind } from './jobs.ts';

const { database, jobs: queue } = await startJobQueue();

test('what waits for a removed subscriber is gone once a process has started, and other queues are left alone', async () => {
  const [removed, other] = ['test.removed', 'test.other'].map((name) =>
    job(jobKind(name), { cron: '0 4 * * *', run: async () => undefined }),
  ) as [ReturnType<typeof job>, ReturnType<typeof job>];
  // As the former release has left them: waiting, delayed, being worked on and dead.
  await queue.prepare([removed, other]);
  for (const { kind } of [removed, other])
    await database.transaction(async (tx) => {
      await queue.enqueue(tx, kind, [{}, {}]);
      await queue.enqueue(tx, kind, [{}], { afterSeconds: 3600 });
      await queue.enqueue(tx, { ...kind, name: `${kind.name}.dead` }, [{}]);
    });
  await database.execute(
    `update jobs.job set state = 'active', started_on = now(), heartbeat_on = now()
     where (name, id) in (select distinct on (name) name, id from jobs.job where name not like '%.dead')`,
  );
  const found = () =>
    database.all<{ name: string; state: string; count: number }>(
      'select name, state::text, count(*) from jobs.job where name like $1 group by 1, 2 order by 1, 2',
      ['test.%'],
    );
  const before = await found();
  assert.equal(before.length, 6);

  const forgetting = formerQueues(database, [{ name: 'test.removed' }]);
  await queue.prepare([forgetting]);
  await queue.work([forgetting]);
  await until(async () => (await found()).length < 6, 'the end of the former jobs');
  await until(async () => (await found()).length === 4, 'all of them');
  assert.deepEqual(await found(), [
    ...before.filter(({ name }) => name.startsWith('test.other')),
    { name: 'test.removed', state: 'active', count: 1 },
  ]);
  const schedules = await queue.schedules();
  assert.deepEqual([schedules.has('test.removed'), schedules.has('test.other')], [false, true]);
});

test('what waits for a renamed job is done under its new name, with its attempts; what is dead stays to be repeated', async () => {
  const done: unknown[] = [];
  const numbered = { version: 1, data: Type.Object({ n: Type.Integer() }) };
  const old = job(jobKind('renaming.former', numbered), { cron: '0 4 * * *', run: async () => undefined });
  const now = job(jobKind('renaming.now', numbered), { run: async (data) => void done.push(data) });
  await queue.prepare([old, now]);
  await database.transaction(async (tx) => {
    await queue.enqueue(tx, old.kind, [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
    await queue.enqueue(tx, { ...old.kind, name: 'renaming.former.dead' }, [{ n: 5 }]);
  });
  const set = (n: number, what: string) =>
    database.execute(`update jobs.job set ${what} where name = 'renaming.former' and data ->> 'n' = '${n}'`);
  await set(2, "state = 'retry', retry_count = 2");
  await set(3, "state = 'active', started_on = now(), heartbeat_on = now()");
  await set(4, "state = 'completed', completed_on = now()");
  await queue.work([now]);
  // Its queue has the worker of the test before.
  const moving = formerQueues(database, [{ name: 'renaming.former', renamedTo: 'renaming.now' }]);
  await moving.run?.({}, {} as JobContext);
  const found = () =>
    database.all(
      "select name, state::text, retry_count, (data ->> 'n')::int as n from jobs.job where name like 'renaming.%' order by n",
    );
  await until(async () => done.length === 2, 'both jobs');
  await until(async () => (await found()).length === 4, 'the end of what is over');
  await until(
    async () => (await found()).filter(({ state }) => state === 'completed').length === 2,
    'their end',
  );
  assert.deepEqual(await found(), [
    { name: 'renaming.now', state: 'completed', retryCount: 0, n: 1 },
    { name: 'renaming.now', state: 'completed', retryCount: 2, n: 2 },
    { name: 'renaming.former', state: 'active', retryCount: 0, n: 3 },
    { name: 'renaming.now.dead', state: 'created', retryCount: 0, n: 5 },
  ]);
  assert.equal((await queue.schedules()).has('renaming.former'), false);
});
