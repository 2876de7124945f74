// The bare job queue, in a separate process: jobs that do nothing, enqueued 500 at a time while they are processed.
// Prints how many were completed per second.
import { Type } from 'typebox';
import { openDatabase } from '../src/kernel/database/database.ts';
import { startJobs } from '../src/kernel/messaging/job-queue.ts';
import { installJobQueue } from '../src/kernel/messaging/job-schema.ts';
import { job, jobKind } from '../src/kernel/messaging/jobs.ts';

const JOBS = Number(process.env.JOBS);
const CHUNK = 500;
const url = process.env.DATABASE_URL as string;
await installJobQueue(url);
const database = openDatabase({ url, connections: 10, onBackgroundError: console.error });
const jobs = await startJobs({ database, url, onError: console.error });
let done = 0;
const finished = Promise.withResolvers<void>();
const counted = jobKind('bench.nothing', { version: 1, data: Type.Object({ number: Type.Integer() }) });
const nothing = job(counted, {
  concurrency: 20,
  run: async () => {
    if (++done === JOBS) finished.resolve();
  },
});
await jobs.prepare([nothing]);
await jobs.work([nothing]);
const startedMs = performance.now();
for (let at = 0; at < JOBS; at += CHUNK) {
  const chunk = Array.from({ length: CHUNK }, (_, place) => ({ number: at + place }));
  await database.transaction((tx) => jobs.enqueue(tx, counted, chunk));
}
await finished.promise;
console.log(`ready perSecond=${JOBS / ((performance.now() - startedMs) / 1000)}`);
await jobs.stop();
await database.close();
