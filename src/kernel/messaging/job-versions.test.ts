import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Type } from 'typebox';
import { newDatabase } from '../../../test/support/databases.ts';
import { until } from '../../../test/support/live.ts';
import { openDatabase } from '../database/database.ts';
import { startJobs } from './job-queue.ts';
import { type Job, job, jobKind } from './jobs.ts';

const { url, drop } = await newDatabase();
const database = openDatabase({ url, connections: 3, onBackgroundError: () => undefined });
const queue = await startJobs({ database, url, onError: () => undefined });
after(async () => {
  await queue.stop();
  await database.close();
  await drop();
});

const Names = Type.Object({ names: Type.Array(Type.String()) });
const first = (name: string) => jobKind(name, { version: 1, data: Type.Object({ name: Type.String() }) });
const third = (name: string) =>
  jobKind(name, {
    version: 3,
    data: Names,
    upgrades: {
      1: ({ name }: { name: string }) => ({ called: name }),
      2: ({ called }: { called: string }) => ({ names: [called] }),
    },
  });

async function workOn(work: Job): Promise<void> {
  await queue.prepare([work]);
  await queue.work([work]);
}

test('a job of an earlier version is upgraded step by step before it runs', async () => {
  const done: unknown[] = [];
  const kind = third('test.upgraded');
  const work = job(kind, { run: async (data) => void done.push(data) });
  await queue.prepare([work]);
  await database.transaction((tx) => queue.enqueue(tx, first(kind.name), [{ name: 'ada' }]));
  await queue.work([work]);
  await until(async () => done.length === 1, 'the job');
  assert.deepEqual(done, [{ names: ['ada'] }]);
});

test('a job that was queued before there were versions runs as one of version 1', async () => {
  const done: unknown[] = [];
  const kind = third('test.unversioned');
  const work = job(kind, { runIn: async (_tx, data) => void done.push(data) });
  await queue.prepare([work]);
  await database.transaction((tx) => queue.enqueue(tx, first(kind.name), [{ name: 'ben' }]));
  // As programs wrote it that knew no versions.
  await database.execute(`update jobs.job set data = data - '$version' where name = $1`, [kind.name]);
  await queue.work([work]);
  await until(async () => done.length === 1, 'the job');
  assert.deepEqual(done, [{ names: ['ben'] }]);
});

test('the parts of a job that is split have the version of the program that splits it', async () => {
  const done: unknown[] = [];
  const kind = third('test.split');
  await workOn(
    job(kind, {
      runIn: async (_tx, { names }) => {
        if (names.length > 1) throw new Error('too many at once');
        done.push(...names);
      },
      split: ({ names }) => names.map((name) => ({ names: [name] })),
    }),
  );
  await database.transaction((tx) => queue.enqueue(tx, kind, [{ names: ['ada', 'ben'] }]));
  await until(async () => done.length === 2, 'both parts');
  assert.deepEqual(done.toSorted(), ['ada', 'ben']);
});

test('a job of a later version does not run, spends no attempt, and waits for a process that knows it', async () => {
  const done: unknown[] = [];
  const kind = first('test.later');
  await workOn(job(kind, { run: async (data) => void done.push(data) }));
  await database.transaction((tx) => queue.enqueue(tx, third(kind.name), [{ names: ['ada'] }]));
  const waiting = () =>
    database.all(
      `select data ->> '$version' as version, data -> 'names' ->> 0 as name, retry_count::integer as retries from jobs.job
       where name = $1 and state = 'created' and start_after > now()`,
      [kind.name],
    );
  await until(async () => (await waiting()).length === 1, 'the job to be handed back');
  assert.deepEqual(await waiting(), [{ version: '3', name: 'ada', retries: 0 }]);
  assert.deepEqual(done, []);
});

test('a kind of job without an upgrade of an earlier version is refused', () => {
  assert.throws(
    () => jobKind('test.gap', { version: 3, data: Names, upgrades: { 1: () => ({}) } }),
    /version 2/,
  );
});

test('a job whose data cannot be read fails by itself, and not those that were taken with it', async () => {
  const done = new Set<string>();
  const kind = third('test.unreadable');
  const work = job(kind, {
    retries: 0,
    runAllIn: async (_tx, all) => {
      for (const { names } of all) for (const name of names) done.add(name);
    },
    split: ({ names }) => names.map((name) => ({ names: [name] })),
  });
  await queue.prepare([work]);
  const all = ['ada', 'odd', 'ben'].map((name) => ({ names: [name] }));
  await database.transaction((tx) => queue.enqueue(tx, kind, all));
  await database.execute(
    `update jobs.job set data = data || '{"names": null}' where name = $1 and data -> 'names' ->> 0 = 'odd'`,
    [kind.name],
  );
  await queue.work([work]);
  const failed = () => database.count('select count(*) from jobs.job where name = $1', [`${kind.name}.dead`]);
  await until(async () => done.size === 2 && (await failed()) === 1, 'all jobs', 20_000);
  assert.deepEqual([...done].toSorted(), ['ada', 'ben']);
});
