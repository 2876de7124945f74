import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { startJobQueue } from '../../../test/support/job-queue.ts';
import { until } from '../../../test/support/live.ts';
import { startJobs } from './job-queue.ts';
import { job, jobKind } from './jobs.ts';
import { queueWorkers } from './queue-workers.ts';

const { url, database, jobs, marks } = await startJobQueue();
/** Cannot read in which of its queues jobs are due. */
const listening = await startJobs({
  database: { ...database, all: () => Promise.reject(new Error('the database is away')) },
  url,
  onError: () => undefined,
});
after(() => listening.stop());

const leavesMark = (name: string) =>
  job(jobKind(name), { run: async () => void (await database.execute(MARK, [name])) });
const MARK = 'insert into test_mark (what) values ($1)';

test('the workers of a queue begin with the notification of its first job', async () => {
  const work = leavesMark('tests.notified');
  await listening.prepare([work]);
  await listening.work([work]);
  await database.transaction((tx) => listening.enqueue(tx, work.kind, [{}]));
  await until(async () => (await marks()).includes('tests.notified'), 'the job');
});

test('the workers of a queue begin with a job that was there before this process', async () => {
  const work = leavesMark('tests.earlier');
  await jobs.prepare([work]);
  await database.transaction((tx) => jobs.enqueue(tx, work.kind, [{}]));
  await jobs.work([work]);
  await until(async () => (await marks()).includes('tests.earlier'), 'the job');
});

test('workers begin when their queue has a job, once, again after a failure, and never after the end', async () => {
  const [begun, notified, errors]: [string[], string[], string[]] = [[], [], []];
  const end = new AbortController();
  const workers = queueWorkers({
    boss: { notifyWorker: (id) => void notified.push(id), offWork: async () => undefined },
    end: end.signal,
    onError: ({ message }) => void errors.push(message),
  });
  const begins = (name: string) => async () => {
    begun.push(name);
    if (begun.length === 1) throw new Error('not yet');
    return [`${name} 1`, `${name} 2`];
  };
  for (const name of ['busy', 'idle']) workers.add(name, begins(name));
  for (const name of ['busy', 'busy', 'busy', 'unknown']) {
    workers.wake(name);
    await setImmediate();
  }
  end.abort();
  workers.wake('idle');
  await workers.stop();
  assert.deepEqual(
    { begun, notified, errors },
    {
      begun: ['busy', 'busy'],
      notified: ['busy 1', 'busy 2'],
      errors: ['not yet'],
    },
  );
});
