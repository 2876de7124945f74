import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { idMaker } from '../../src/kernel/ids.ts';
import { subscriptionJobs } from '../../src/kernel/messaging/event-deliveries.ts';
import { eventKind, onMany } from '../../src/kernel/messaging/events.ts';
import { startJobs } from '../../src/kernel/messaging/job-queue.ts';
import { type JobContext, job, jobKind, Postponed } from '../../src/kernel/messaging/jobs.ts';
import { eventBackbone } from '../../src/kernel/messaging/outbox.ts';
import { HOUR_MS, systemClock } from '../../src/kernel/time/time.ts';
import { startJobQueue } from '../support/job-queue.ts';
import { until } from '../support/live.ts';
import { startProgram } from '../support/programs.ts';

const { url, database, jobs, marks } = await startJobQueue();

const numbered = { version: 1, data: Type.Object({ number: Type.Integer() }) };
const numbersTo = (count: number) => Array.from({ length: count }, (_, number) => ({ number }));

test('a job is enqueued only if its transaction commits, and ends in the dead-letter queue when it keeps failing', async () => {
  const finished: number[] = [];
  const counted = jobKind('test.counted', { version: 1, data: Type.Object({ number: Type.Integer() }) });
  const poison = jobKind('test.poison');
  const kinds = [
    job(counted, { run: async ({ number }) => void finished.push(number) }),
    job(poison, {
      retries: 1,
      run: async () => {
        throw new Error('poison');
      },
    }),
  ];
  await jobs.prepare(kinds);
  await jobs.work(kinds);
  await database.transaction((tx) => jobs.enqueue(tx, counted, [{ number: 1 }, { number: 2 }]));
  const rolledBack = database.transaction(async (tx) => {
    await jobs.enqueue(tx, counted, [{ number: 3 }]);
    throw new Error('no');
  });
  await assert.rejects(rolledBack, /no/);
  await database.transaction((tx) => jobs.enqueue(tx, poison, [{}]));
  await until(async () => finished.length >= 2, 'both jobs');
  const dead = async () => {
    const found = await database.execute("select 1 from jobs.job where name = 'test.poison.dead'");
    return found === 1;
  };
  await until(dead, 'the dead letter');
  assert.deepEqual(finished.sort(), [1, 2]);
});

const attemptsOf = (name: string): Promise<number> =>
  database.count('select count(*) from jobs.job where name = $1', [name]);

test('a job interrupted by a stopping process returns to the queue without using an attempt', async () => {
  const contexts: JobContext[] = [];
  const kind = jobKind('test.interrupted', { version: 1, data: Type.Object({ video: Type.Integer() }) });
  const work = job(kind, {
    retries: 0,
    run: async (_data, context) => {
      contexts.push(context);
      if (contexts.length === 1) await sleep(600_000, undefined, { signal: context.signal });
    },
  });
  const first = await startJobs({ database, url, onError: () => undefined });
  await first.prepare([work]);
  await first.work([work]);
  await database.transaction((tx) => first.enqueue(tx, kind, [{ video: 1 }]));
  await until(async () => contexts.length === 1, 'the first run');
  await first.stop();
  assert.ok(contexts[0]?.signal.aborted);
  await jobs.work([work]);
  await until(async () => contexts.length === 2, 'the second run');
  assert.equal(contexts[1]?.attempt, 1);
  assert.equal(await attemptsOf('test.interrupted.dead'), 0);
});

test('a postponed job runs again without using an attempt', async () => {
  let runs = 0;
  const kind = jobKind('test.postponed');
  const work = job(kind, {
    retries: 0,
    run: async () => {
      if (++runs < 3) throw new Postponed('not yet', { afterSeconds: 0 });
    },
  });
  await jobs.prepare([work]);
  await jobs.work([work]);
  await database.transaction((tx) => jobs.enqueue(tx, kind, [{}]));
  await until(async () => runs === 3, 'the third run');
  assert.equal(await attemptsOf('test.postponed.dead'), 0);
});

test('delays follow the clock of the database, even if the process is an hour ahead', async (t) => {
  const realNow = Date.now;
  t.mock.method(Date, 'now', () => realNow() + HOUR_MS);
  const runs: string[] = [];
  const kind = jobKind('test.delayed', { version: 1, data: Type.Object({ what: Type.String() }) });
  const work = job(kind, {
    retries: 0,
    run: async ({ what }) => {
      runs.push(what);
      if (runs.length === 1) throw new Postponed('not yet', { afterSeconds: 1 });
    },
  });
  await jobs.prepare([work]);
  await jobs.work([work]);
  await database.transaction((tx) => jobs.enqueue(tx, kind, [{ what: 'postponed' }]));
  await until(async () => runs.length === 1, 'the first run');
  await database.transaction((tx) => jobs.enqueue(tx, kind, [{ what: 'delayed' }], { afterSeconds: 1 }));
  await until(async () => runs.length === 3, 'both');
  assert.deepEqual(runs.toSorted(), ['delayed', 'postponed', 'postponed']);
});

test('low-priority work holds no transaction open while it waits', async () => {
  let waiting = 0;
  const over = Promise.withResolvers<void>();
  /** Pauses low-priority work until the test ends, as requests would. */
  const pause = () => async () => {
    waiting++;
    await over.promise;
  };
  const happened = eventKind('test.giving-way', { version: 1, data: Type.Object({}) });
  const received = Promise.withResolvers<void>();
  const subscriptions = [onMany(happened, 'marker', async () => received.resolve())];
  const busy = await startJobs({ database, url, onError: assert.fail, backOff: pause });
  const backbone = eventBackbone({
    database,
    clock: systemClock,
    newId: idMaker(systemClock),
    jobs: busy,
    onError: assert.fail,
    backOff: pause,
  });
  const work = subscriptionJobs(subscriptions);
  await busy.prepare(work);
  backbone.subscribe(subscriptions);
  await busy.work(work);
  await database.transaction((tx) => backbone.events.publish(tx, happened, {}));
  backbone.start();
  await received.promise;
  await until(async () => waiting >= 2, 'both the relay and the subscriber');
  const idle = await database.all(
    `select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  );
  assert.deepEqual(idle, []);
  over.resolve();
  await backbone.stop();
  await busy.stop();
});

test('jobs fetched separately do not wait for a long one', async () => {
  const ended: string[] = [];
  const release = new AbortController();
  const kind = jobKind('test.separate', { version: 1, data: Type.Object({ what: Type.String() }) });
  const work = job(kind, {
    concurrency: 2,
    separately: true,
    run: async ({ what }) => {
      if (what === 'long') await sleep(600_000, undefined, { signal: release.signal }).catch(() => undefined);
      ended.push(what);
    },
  });
  await jobs.prepare([work]);
  await jobs.work([work]);
  const data = ['long', 'short', 'short', 'short'].map((what) => ({ what }));
  await database.transaction((tx) => jobs.enqueue(tx, kind, data));
  await until(async () => ended.length === 3, 'the short ones');
  release.abort();
  await until(async () => ended.length === 4, 'the long one');
  assert.deepEqual(ended, ['short', 'short', 'short', 'long']);
});

test('the abort signal of a job fires at its time limit', async () => {
  let signal: AbortSignal | undefined;
  const kind = jobKind('test.expiring');
  const work = job(kind, {
    retries: 0,
    timeoutSeconds: 1,
    run: async (_data, context) => {
      signal = context.signal;
      await sleep(600_000, undefined, { signal });
    },
  });
  await jobs.prepare([work]);
  await jobs.work([work]);
  await database.transaction((tx) => jobs.enqueue(tx, kind, [{}]));
  await until(async () => signal?.aborted === true, 'the end');
});

test("a killed worker's jobs run again within a minute, and have one effect if they work in the database", {
  timeout: 600_000,
}, async () => {
  const slow = jobKind('test.slow');
  const together = jobKind('test.together', numbered);
  await jobs.prepare([job(slow, {}), job(together, {})]);
  const program = 'test/faults/worker-program.ts';
  await database.transaction(async (tx) => {
    await jobs.enqueue(tx, slow, [{}]);
    await jobs.enqueue(tx, together, numbersTo(100));
  });
  const first = await startProgram([program], { DATABASE_URL: url, WORK_MS: '600000' });
  const hasBegun = async () => {
    const all = await marks();
    return all.includes('started') && all.includes('written');
  };
  await until(hasBegun, 'the start');
  first.process.kill('SIGKILL');
  const second = await startProgram([program], { DATABASE_URL: url, WORK_MS: '10' });
  await until(async () => (await marks()).includes('finished'), 'the second run', 300_000);
  const effects = async () => (await marks()).filter((what) => what.startsWith('together '));
  await until(async () => (await effects()).length >= 100, 'all effects', 300_000);
  second.process.kill('SIGKILL');
  assert.deepEqual(
    (await effects()).toSorted(),
    numbersTo(100)
      .map(({ number }) => `together ${number}`)
      .toSorted(),
  );
});

test('separate jobs of a queue run without pauses between them', async () => {
  const finished: number[] = [];
  const single = jobKind('test.single', { version: 1, data: Type.Object({ number: Type.Integer() }) });
  const kinds = [
    job(single, { separately: true, concurrency: 2, run: async ({ number }) => void finished.push(number) }),
  ];
  await jobs.prepare(kinds);
  const all = Array.from({ length: 200 }, (_, number) => ({ number }));
  await database.transaction((tx) => jobs.enqueue(tx, single, all));
  await jobs.work(kinds);
  // With a pause of a poll after each they would take longer than this by far.
  await until(async () => finished.length >= all.length, 'all of them');
  assert.deepEqual([...new Set(finished)].length, all.length);
});
