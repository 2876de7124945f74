import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newDatabase } from '../../../test/support/databases.ts';
import { until } from '../../../test/support/live.ts';
import { openDatabase } from '../database/database.ts';
import { formerQueues } from './former-queues.ts';
import { startJobs } from './job-queue.ts';
import { job, jobKind } from './jobs.ts';

const { url, drop } = await newDatabase();
const database = openDatabase({ url, connections: 3, onBackgroundError: () => undefined });
const queue = await startJobs({ database, url, onError: () => undefined });
after(async () => {
  await queue.stop();
  await database.close();
  await drop();
});

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

  const forgetting = formerQueues(database, ['test.removed']);
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
