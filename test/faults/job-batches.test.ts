import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { startJobs } from '../../src/kernel/messaging/job-queue.ts';
import { job, jobKind } from '../../src/kernel/messaging/jobs.ts';
import { startJobQueue } from '../support/job-queue.ts';
import { until } from '../support/live.ts';

const { url, database, jobs, marks } = await startJobQueue();

const numbered = { version: 1, data: Type.Object({ number: Type.Integer() }) };
const numbersTo = (count: number) => Array.from({ length: count }, (_, number) => ({ number }));
const attemptsOf = (name: string): Promise<number> =>
  database.count('select count(*) from jobs.job where name = $1', [name]);

test('of the jobs in a batch a few run at a time, and a stopping process returns those that wait', async () => {
  const kind = jobKind('test.many', numbered);
  const second = await startJobs({ database, url, onError: () => undefined });
  const ran: { number: number; attempt: number }[] = [];
  const most = { running: 0, seen: 0 };
  const gate = Promise.withResolvers<void>();
  const workWith = (wait: () => Promise<void>) =>
    job(kind, {
      concurrency: 3,
      takes: 20,
      run: async ({ number }, { attempt }) => {
        most.seen = Math.max(most.seen, ++most.running);
        await wait();
        most.running--;
        ran.push({ number, attempt });
      },
    });
  const first = workWith(() => gate.promise);
  await second.prepare([first]);
  await database.transaction((tx) => jobs.enqueue(tx, kind, numbersTo(20)));
  await second.work([first]);
  await until(async () => most.running === 3, 'three of them');
  const stopped = second.drain();
  gate.resolve();
  await stopped;
  assert.equal(ran.length, 3);
  await second.stop();
  await jobs.work([workWith(async () => undefined)]);
  await until(async () => ran.length >= 20, 'the rest');
  assert.deepEqual(
    ran.map(({ number }) => ({ number })).sort((a, b) => a.number - b.number),
    numbersTo(20),
  );
  assert.deepEqual([...new Set(ran.map(({ attempt }) => attempt))], [1]);
  assert.equal(most.seen, 3);
});

test('jobs that share a transaction complete with their effects, even if one of them fails', async () => {
  const kind = jobKind('test.in-one', numbered);
  const sizes: number[] = [];
  const failed: number[] = [];
  const second = await startJobs({
    database,
    url,
    onError: assert.fail,
    onFailed: (_name, attempt) => failed.push(attempt),
  });
  const work = job(kind, {
    retries: 1,
    takes: 10,
    runAllIn: async (tx, all) => {
      sizes.push(all.length);
      for (const { number } of all)
        await tx.execute('insert into test_mark (what) values ($1)', [`in one ${number}`]);
      if (all.some(({ number }) => number === 13)) throw new Error('always');
    },
  });
  await second.prepare([work]);
  await database.transaction((tx) => second.enqueue(tx, kind, numbersTo(20)));
  await second.work([work]);
  const effects = async () => (await marks()).filter((what) => what.startsWith('in one '));
  await until(async () => (await attemptsOf('test.in-one.dead')) === 1, 'the one that fails');
  assert.deepEqual(
    (await effects()).toSorted(),
    numbersTo(20)
      .filter(({ number }) => number !== 13)
      .map(({ number }) => `in one ${number}`)
      .toSorted(),
  );
  // The first ten in one transaction; the others in one that failed, then each by itself, the failing one twice.
  assert.deepEqual(
    sizes.toSorted((a, b) => b - a),
    [10, 10, ...Array.from({ length: 11 }, () => 1)],
  );
  assert.deepEqual(failed, [1, 2]);
  assert.deepEqual(second.settled().get('test.in-one'), { completed: 19, failed: 2 });
  assert.equal(await attemptsOf('test.in-one'), 1, 'only the failed one is left');
  await second.stop();
});

test('jobs of a batch that fail keep their reasons, whatever the reason of one of them contains', async () => {
  const kind = jobKind('test.reasons', numbered);
  const reasons = ['the provider is away', 'a\0b', 'half of an emoji: \ud83d', 'x'.repeat(1_000_000)];
  const work = job(kind, {
    retries: 1,
    takes: 10,
    run: async ({ number }) => {
      throw new Error(reasons[number]);
    },
  });
  await jobs.prepare([work]);
  await database.transaction((tx) => jobs.enqueue(tx, kind, numbersTo(reasons.length)));
  await jobs.work([work]);
  const told = () =>
    database.all<{ reason: string }>(
      `select output ->> 'message' as reason from jobs.job where name = 'test.reasons' and output is not null
       order by (data ->> 'number')::integer`,
    );
  await until(async () => (await told()).length === reasons.length, 'all have failed once');
  assert.deepEqual(
    (await told()).map(({ reason }) => reason),
    ['the provider is away', 'ab', 'half of an emoji: \ufffd', 'x'.repeat(2_000)],
  );
});
