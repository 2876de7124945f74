// A worker in a process of its own, for tests that kill it. It works on `test.slow`: marks the start, waits for as
// long as WORK_MS says, marks the end. And on `test.together`: marks each of its jobs within their transaction, says so,
// and waits as long before the commit.
import { Type } from 'typebox';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { startJobs } from '../../src/kernel/messaging/job-queue.ts';
import { job, jobKind } from '../../src/kernel/messaging/jobs.ts';

const url = process.env.DATABASE_URL as string;
const database = openDatabase({ url, connections: 4, onBackgroundError: () => undefined });
const mark = (what: string) => database.execute('insert into test_mark (what) values ($1)', [what]);
const wait = () => new Promise((resolve) => setTimeout(resolve, Number(process.env.WORK_MS)));
const slow = job(jobKind('test.slow'), {
  run: async () => {
    await mark('started');
    await wait();
    await mark('finished');
  },
});
const numbered = jobKind('test.together', { version: 1, data: Type.Object({ number: Type.Integer() }) });
const together = job(numbered, {
  takes: 40,
  runAllIn: async (tx, all) => {
    for (const { number } of all)
      await tx.execute('insert into test_mark (what) values ($1)', [`together ${number}`]);
    await mark('written');
    await wait();
  },
});
const jobs = await startJobs({ database, url, onError: () => undefined });
await jobs.prepare([slow, together]);
await jobs.work([slow, together]);
console.log('worker ready');
