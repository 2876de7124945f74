import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newDatabase } from '../../../test/support/databases.ts';
import { openDatabase } from '../database/database.ts';
import { startJobs } from './job-queue.ts';
import { job, jobKind } from './jobs.ts';

const { url, drop } = await newDatabase();
const database = openDatabase({ url, connections: 3, onBackgroundError: () => undefined });
const start = () => startJobs({ database, url, onError: () => undefined });
const [queue, other] = [await start(), await start()];
after(async () => {
  await queue.stop();
  await other.stop();
  await database.close();
  await drop();
});

const work = job(jobKind('test.prepared'), { cron: '0 4 * * *', run: async () => undefined });
const SETTINGS = `select to_jsonb(queue) - 'created_on' - 'updated_on' as queue,
  to_jsonb(schedule) - 'created_on' - 'updated_on' as schedule
  from jobs.queue left join jobs.schedule using (name) where name = $1`;
const settings = () => database.first(SETTINGS, ['test.prepared']);
const writes = () =>
  database.all(
    'select name, xmin::text from jobs.queue union all select name, xmin::text from jobs.schedule order by 1, 2',
  );

test('processes that start at once prepare the same queues', async () => {
  await Promise.all([queue, other, queue, other].map((one) => one.prepare([work])));
  assert.equal(
    await database.count(
      `select count(*) from jobs.queue where name in ('test.prepared', 'test.prepared.dead')`,
    ),
    2,
  );
});

test('a prepared queue is only read, and one with other settings is corrected', async () => {
  await queue.prepare([work]);
  const [prepared, before] = [await settings(), await writes()];
  await queue.prepare([work]);
  assert.deepEqual(await writes(), before);
  for (const change of [
    'update jobs.queue set retry_limit = 1, notify = false',
    'update jobs.queue set dead_letter = null',
    `update jobs.schedule set timezone = 'America/New_York'`,
    `update jobs.schedule set cron = '0 5 * * *'`,
    'delete from jobs.schedule',
  ]) {
    await database.execute(change.includes('delete') ? change : `${change} where name = 'test.prepared'`);
    assert.notDeepEqual(await settings(), prepared, change);
    await queue.prepare([work]);
    assert.deepEqual(await settings(), prepared, change);
  }
});
