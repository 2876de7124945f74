// A worker in a process of its own, for tests that kill it. It works on `test.slow`: marks the start, waits for as
// long as WORK_MS says, marks the end.
import { openDatabase } from '../../src/kernel/database/database.ts';
import { startJobs } from '../../src/kernel/messaging/job-queue.ts';
import { job, jobKind } from '../../src/kernel/messaging/jobs.ts';

const url = process.env.DATABASE_URL as string;
const database = openDatabase({ url, connections: 2, onBackgroundError: () => undefined });
const mark = (what: string) => database.execute('insert into test_mark (what) values ($1)', [what]);
const slow = job(jobKind('test.slow'), {
  run: async () => {
    await mark('started');
    await new Promise((resolve) => setTimeout(resolve, Number(process.env.WORK_MS)));
    await mark('finished');
  },
});
const jobs = await startJobs({ database, url, onError: () => undefined });
await jobs.prepare([slow]);
await jobs.work([slow]);
console.log('worker ready');
