// A worker in a process of its own, for tests that kill it. A job of `test.slow` marks its start, waits for WORK_MS and
// marks its end. The jobs of `test.together` are marked in a shared transaction, which reports this and waits for
// WORK_MS before the commit.
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
