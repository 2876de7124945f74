// A process of bench/queue.ts: does each kind of work that it is told of, with the queue of the checkout BENCH_KERNEL.
import pg from 'pg';
import { Type } from 'typebox';

const JOBS = Number(process.env.BENCH_JOBS);
const CLIENTS = 8;
const kernel = process.env.BENCH_KERNEL as string;
const url = process.env.DATABASE_URL as string;
const { openDatabase } = (await import(
  `${kernel}/database/database.ts`
)) as typeof import('../src/kernel/database/database.ts');
const { startJobs } = (await import(
  `${kernel}/messaging/job-queue.ts`
)) as typeof import('../src/kernel/messaging/job-queue.ts');
const { installJobQueue } = (await import(
  `${kernel}/messaging/job-schema.ts`
)) as typeof import('../src/kernel/messaging/job-schema.ts');
const { job, jobKind } = (await import(
  `${kernel}/messaging/jobs.ts`
)) as typeof import('../src/kernel/messaging/jobs.ts');

export interface Measured {
  jobs: number;
  /** Microseconds of this process for a job. */
  node: number;
  perSecond: number;
}

await installJobQueue(url);
const database = openDatabase({ url, connections: 10, onBackgroundError: console.error });
const queue = await startJobs({ database, url, onError: console.error });
const client = new pg.Client({ connectionString: url });
await client.connect();
await client.query('create table done (number integer)');
const shape = { version: 1, data: Type.Object({ number: Type.Integer() }) };
const [run, runIn] = [jobKind('bench.run', shape), jobKind('bench.run-in', shape)];
let done = 0;
const works = {
  run: job(run, { run: async () => void done++ }),
  runIn: job(runIn, {
    runIn: async (tx, { number }) => {
      await tx.execute('insert into done values ($1)', [number]);
      done++;
    },
  }),
};
await queue.prepare(Object.values(works));

const enqueue = async (kind: typeof run, size: number, jobs: number): Promise<void> => {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let from = next; from < jobs; from = next) {
      next += size;
      const data = Array.from({ length: size }, (_, place) => ({ number: from + place }));
      await database.transaction(async (tx) => {
        await tx.execute('insert into done values ($1)', [from]);
        await queue.enqueue(tx, kind, data);
      });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, lane));
};
const workOff = async (kind: 'run' | 'runIn'): Promise<void> => {
  done = 0;
  await queue.work([works[kind]]);
  while (done < JOBS) await new Promise((resolve) => setTimeout(resolve, 5));
};

async function measured(jobs: number, work: () => Promise<void>): Promise<Measured> {
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  const [cpu, startedMs] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { jobs, node: (user + system) / jobs, perSecond: (jobs * 1000) / (performance.now() - startedMs) };
}

const parts: Record<string, () => Promise<Measured>> = {
  'enqueue one by one': () => measured(JOBS / 10, () => enqueue(run, 1, JOBS / 10)),
  'enqueue by the hundred': () => measured(JOBS, () => enqueue(runIn, 100, JOBS)),
  run: async () => {
    await enqueue(run, 100, JOBS - JOBS / 10);
    return measured(JOBS, () => workOff('run'));
  },
  runIn: () => measured(JOBS, () => workOff('runIn')),
};
process.on('message', async (what: string) => process.send?.(await parts[what]?.()));
process.on('disconnect', async () => {
  await queue.stop();
  await database.close();
  await client.end();
  process.exit(0);
});
