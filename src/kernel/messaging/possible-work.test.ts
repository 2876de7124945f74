import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startJobQueue } from '../../../test/support/job-queue.ts';
import { until } from '../../../test/support/live.ts';
import { job, jobKind } from './jobs.ts';

const { jobs, database, marks } = await startJobQueue();

test('a worker takes no job whose requirement it lacks, and takes it once the requirement is met', async () => {
  let hasProgram = false;
  const leaves = (name: string, isPossible?: () => boolean) =>
    job(jobKind(name), {
      isPossible,
      runIn: async (tx) => {
        await tx.execute('insert into test_mark (what) values ($1)', [name]);
      },
    });
  const both = [leaves('tests.video', () => hasProgram), leaves('tests.other')];
  await jobs.prepare(both);
  await jobs.work(both);
  await database.transaction(async (tx) => {
    for (const { kind } of both) await jobs.enqueue(tx, kind, [{}]);
  });
  await until(async () => (await marks()).length > 0, 'the job that can run');
  const waiting = `select count(*) from jobs.job where name = 'tests.video' and state = 'created' and retry_count = 0`;
  assert.equal(await database.count(waiting), 1, 'for a worker that has the program');
  hasProgram = true;
  await until(async () => (await marks()).length === 2, 'the other');
  assert.deepEqual(await marks(), ['tests.other', 'tests.video']);
});
