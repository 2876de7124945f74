import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { type Event, eventBackbone, eventKind, on, subscriptionJobs } from '../../src/kernel/events.ts';
import { idMaker } from '../../src/kernel/ids.ts';
import { type Job, startJobs } from '../../src/kernel/jobs.ts';
import { systemClock } from '../../src/kernel/time.ts';
import { newDatabase } from '../support/databases.ts';
import { startProgram } from '../support/programs.ts';

const { url, drop } = await newDatabase();
const database = openDatabase({ url, connections: 5, onBackgroundError: () => undefined });
await database.sql('create table test_mark (id serial, what text)');
const jobs = await startJobs({ database, url, onError: () => undefined });
after(async () => {
  await jobs.stop();
  await database.close();
  await drop();
});

const marks = async (): Promise<string[]> =>
  (await database.sql('select what from test_mark order by id')).rows.map(({ what }) => what as string);

async function until(what: string, holds: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `${what} did not come within ${timeoutMs} ms`);
    await sleep(50);
  }
}

test('a job exists if and only if its transaction commits, and fails into the dead-letter queue', async () => {
  const done: number[] = [];
  const kinds: Job[] = [
    { name: 'test.counted', run: async ({ number }) => void done.push(number) },
    {
      name: 'test.poison',
      retries: 1,
      run: async () => {
        throw new Error('poison');
      },
    },
  ];
  await jobs.prepare(kinds);
  await jobs.work(kinds);
  await database.transaction((tx) => jobs.enqueue(tx, 'test.counted', [{ number: 1 }, { number: 2 }]));
  const rolledBack = database.transaction(async (tx) => {
    await jobs.enqueue(tx, 'test.counted', [{ number: 3 }]);
    throw new Error('no');
  });
  await assert.rejects(rolledBack, /no/);
  await database.transaction((tx) => jobs.enqueue(tx, 'test.poison', [{}]));
  await until('both jobs', async () => done.length >= 2, 120_000);
  const dead = async () => {
    const { rows } = await database.sql("select 1 from jobs.job where name = 'test.poison.dead'");
    return rows.length === 1;
  };
  await until('the dead letter', dead, 120_000);
  assert.deepEqual(done.sort(), [1, 2]);
});

test('an event takes effect exactly once within the database, however often its delivery fails', async () => {
  const happened = eventKind('test.happened', {
    version: 1,
    data: Type.Object({ number: Type.Integer() }),
  });
  let attempts = 0;
  const receive = async (event: Event<{ number: number }>, tx: { sql: typeof database.sql }) => {
    await tx.sql('insert into test_mark (what) values ($1)', [`event ${event.data.number}`]);
    if (++attempts === 1) throw new Error('the first delivery fails after it wrote');
  };
  const subscriptions = [on(happened, 'marker', receive)];
  const onError = (error: Error) => assert.fail(error);
  const backbone = eventBackbone({
    database,
    clock: systemClock,
    newId: idMaker(systemClock),
    jobs,
    onError,
  });
  const { events, subscribe } = backbone;
  const kinds = subscriptionJobs(subscriptions);
  await jobs.prepare(kinds);
  subscribe(subscriptions);
  await jobs.work(kinds);
  backbone.start();
  await database.transaction((tx) => events.publish(tx, happened, { number: 7 }));
  const marked = async () => (await marks()).includes('event 7');
  await until('the event', marked, 120_000);
  assert.deepEqual(
    (await marks()).filter((what) => what === 'event 7'),
    ['event 7'],
  );
  assert.equal(attempts, 2);
  await backbone.stop();
});

test("a killed worker's job runs again within a minute", { timeout: 600_000 }, async () => {
  const slow: Job = { name: 'test.slow', run: async () => undefined };
  await jobs.prepare([slow]);
  const program = 'test/faults/worker-program.ts';
  const first = await startProgram([program], { DATABASE_URL: url, WORK_MS: '600000' });
  await database.transaction((tx) => jobs.enqueue(tx, 'test.slow', [{}]));
  await until('the start', async () => (await marks()).includes('started'), 120_000);
  first.process.kill('SIGKILL');
  const second = await startProgram([program], { DATABASE_URL: url, WORK_MS: '10' });
  await until('the second run', async () => (await marks()).includes('finished'), 300_000);
  second.process.kill('SIGKILL');
});
