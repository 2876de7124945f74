import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Type } from 'typebox';
import { newDatabase } from '../../../test/support/databases.ts';
import { until } from '../../../test/support/live.ts';
import { openDatabase } from '../database/database.ts';
import { frequentStatements } from './frequent-statements.ts';
import { startJobs } from './job-queue.ts';
import { job, jobKind } from './jobs.ts';

const { url, drop } = await newDatabase();
// A single connection, so that all enqueue over the same one.
const database = openDatabase({ url, connections: 1, onBackgroundError: () => undefined });
const errors: Error[] = [];
const queue = await startJobs({ database, url, onError: (error) => errors.push(error) });
after(async () => {
  await queue.stop();
  await database.close();
  await drop();
});

const numbered = { version: 1, data: Type.Object({ number: Type.Integer() }) };
const [busy, quiet] = [jobKind('test.busy', numbered), jobKind('test.quiet', numbered)];

test('one prepared statement enqueues for all queues, and each job runs once', async () => {
  const ran: number[] = [];
  const jobs = [
    job(busy, { run: async ({ number }) => void ran.push(number) }),
    job(quiet, { run: async ({ number }) => void ran.push(number) }),
  ];
  await queue.prepare(jobs);
  await queue.work(jobs);
  for (let number = 0; number < 100; number++)
    await database.transaction((tx) => queue.enqueue(tx, busy, [{ number }]));
  await database.transaction((tx) => queue.enqueue(tx, quiet, [{ number: 100 }]));
  await until(() => ran.length >= 101, 'the jobs');
  await until(async () => (await queue.unfinished()).length === 0, 'the end of all');
  assert.deepEqual(
    ran.toSorted((a, b) => a - b),
    Array.from({ length: 101 }, (_, number) => number),
  );
  const prepared = await database.all<{ name: string }>(
    "select name from pg_prepared_statements where statement like 'insert into jobs.%'",
  );
  assert.deepEqual(prepared, [{ name: 'kernel.enqueue-jobs' }]);
  assert.deepEqual(errors, []);
});

test('a statement is prepared once it has been sent often within a minute', () => {
  const nameOf = frequentStatements();
  const names = Array.from({ length: 60 }, () => nameOf('select 1'));
  assert.equal(names.indexOf(names.at(-1)), 49);
  assert.match(names.at(-1) ?? '', /^queue\.[0-9a-f]{24}$/);
  assert.equal(nameOf('select 2'), undefined);
});
