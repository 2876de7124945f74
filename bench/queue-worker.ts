// A process of bench/queue.ts: performs each kind of work on command, with the queue of the checkout BENCH_KERNEL.
import pg from 'pg';
import { Type } from 'typebox';
import type { Transaction } from '../src/kernel/database/queries.ts';
import type { JobKind } from '../src/kernel/messaging/jobs.ts';

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
type Kind = JobKind<{ number: number }>;
const [run, taken, runIn, together] = ['run', 'taken', 'run-in', 'together'].map((name) =>
  jobKind(`bench.${name}`, shape),
) as [Kind, Kind, Kind, Kind];
let done = 0;
const doneIn = async (tx: Transaction, { number }: { number: number }): Promise<void> => {
  await tx.execute('insert into done values ($1)', [number]);
  done++;
};
const works = {
  run: job(run, { run: async () => void done++ }),
  taken: job(taken, { takes: 100, run: async () => void done++ }),
  runIn: job(runIn, { runIn: doneIn }),
  together: job(together, {
    takes: 100,
    // For checkouts from before `runAllIn`.
    runIn: doneIn,
    runAllIn: async (tx, all) => {
      const numbers = all.map(({ number }) => number);
      await tx.execute('insert into done select unnest($1::integer[])', [numbers]);
      done += all.length;
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
const workOff = async (kind: keyof typeof works): Promise<void> => {
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
  'run, 100 taken': async () => {
    await enqueue(taken, 100, JOBS);
    return measured(JOBS, () => workOff('taken'));
  },
  runIn: () => measured(JOBS, () => workOff('runIn')),
  'runAllIn, 100 taken': async () => {
    await enqueue(together, 100, JOBS);
    return measured(JOBS, () => workOff('together'));
  },
};
process.on('message', async (what: string) => process.send?.(await parts[what]?.()));
process.on('disconnect', async () => {
  await queue.stop();
  await database.close();
  await client.end();
  process.exit(0);
});
