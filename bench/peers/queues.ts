// Job queues, each with the settings that its documents recommend for many short jobs.
import pg from 'pg';
import { Type } from 'typebox';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { startJobs } from '../../src/kernel/messaging/job-queue.ts';
import { installJobQueue } from '../../src/kernel/messaging/job-schema.ts';
import { job, jobKind } from '../../src/kernel/messaging/jobs.ts';
import { loadPeer } from './installed.ts';

/** What a job does: nothing, or writing a row with its number. */
export type Work = 'nothing' | 'row';

export interface Queue {
  enqueue(work: Work, numbers: number[]): Promise<void>;
  /** Works off jobs from now on; `onDone` is called with how many have been done. */
  work(work: Work, onDone: (count: number) => void): Promise<void>;
}

interface Servers {
  databaseUrl: string;
  redisUrl: string;
}

const TAKEN = 100;
const INSERT = 'insert into done select unnest($1::integer[])';
const numbersOf = (jobs: { data: { number: number } }[]): number[] => jobs.map(({ data }) => data.number);

export const QUEUES: Record<string, (servers: Servers) => Promise<Queue>> = {
  ours: async ({ databaseUrl: url }) => {
    await installJobQueue(url);
    const database = openDatabase({ url, connections: 10, onBackgroundError: console.error });
    const queue = await startJobs({ database, url, onError: console.error });
    const kindOf = (work: Work) =>
      jobKind(`bench.${work}`, { version: 1, data: Type.Object({ number: Type.Integer() }) });
    const kinds = { nothing: kindOf('nothing'), row: kindOf('row') };
    let done = (_count: number): void => undefined;
    const jobs = {
      nothing: job(kinds.nothing, { takes: TAKEN, run: async () => done(1) }),
      row: job(kinds.row, {
        takes: TAKEN,
        runAllIn: async (tx, all) => {
          await tx.execute(INSERT, [all.map(({ number }) => number)]);
          done(all.length);
        },
      }),
    };
    await queue.prepare(Object.values(jobs));
    return {
      enqueue: async (work, numbers) => {
        const data = numbers.map((number) => ({ number }));
        await database.transaction((tx) => queue.enqueue(tx, kinds[work], data));
      },
      work: async (work, onDone) => {
        done = onDone;
        await queue.work([jobs[work]]);
      },
    };
  },

  /** Fetches a hundred as long as they are there, in ten workers; inserts the rows of a batch in the transaction that completes it. */
  'pg-boss': async ({ databaseUrl }) => {
    const { PgBoss } = await loadPeer<PgBossModule>('pg-boss');
    const boss = new PgBoss({ connectionString: databaseUrl, schema: 'boss' });
    boss.on('error', console.error);
    await boss.start();
    for (const work of ['nothing', 'row']) await boss.createQueue(work);
    const options = {
      batchSize: TAKEN,
      localConcurrency: 10,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 0.5,
    };
    return {
      enqueue: (work, numbers) =>
        boss.insert(
          work,
          numbers.map((number) => ({ data: { number } })),
        ),
      work: async (work, onDone) => {
        if (work === 'nothing') await boss.work(work, options, async (jobs) => onDone(jobs.length));
        else
          await boss.work(work, { ...options, transactional: true }, async (jobs, tx) => {
            await tx.executeSql(INSERT, [numbersOf(jobs)]);
            onDone(jobs.length);
          });
      },
    };
  },

  /** Its page on performance: a local queue of 500, 24 jobs at once, completions in batches. */
  'graphile-worker': async ({ databaseUrl: connectionString }) => {
    const { run, makeWorkerUtils, Logger } = await loadPeer<GraphileModule>('graphile-worker');
    const logger = new Logger(() => () => undefined);
    const utils = await makeWorkerUtils({ connectionString, logger });
    await utils.migrate();
    return {
      enqueue: async (work, numbers) =>
        void (await utils.addJobs(numbers.map((number) => ({ identifier: work, payload: { number } })))),
      work: async (work, onDone) => {
        const tasks: Record<Work, GraphileTask> = {
          nothing: async () => onDone(1),
          row: async ({ number }, { query }) => {
            await query(INSERT, [[number]]);
            onDone(1);
          },
        };
        const worker = {
          concurrentJobs: 24,
          maxPoolSize: 26,
          localQueue: { size: 500 },
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
          connectionString,
          logger,
        };
        await run({ preset: { worker }, taskList: { [work]: tasks[work] } });
      },
    };
  },

  /** A hundred jobs at once; done jobs are removed. Redis appends to a file that is flushed each second. */
  bullmq: async ({ databaseUrl, redisUrl }) => {
    const { Queue, Worker } = await loadPeer<BullModule>('bullmq');
    const { hostname: host, port } = new URL(redisUrl);
    const connection = { host, port: Number(port), maxRetriesPerRequest: null };
    const queues = { nothing: new Queue('nothing', { connection }), row: new Queue('row', { connection }) };
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
    return {
      enqueue: async (work, numbers) => {
        const opts = { removeOnComplete: true };
        await queues[work].addBulk(numbers.map((number) => ({ name: work, data: { number }, opts })));
      },
      work: async (work, onDone) => {
        const perform = async ({ data }: { data: { number: number } }): Promise<void> => {
          if (work === 'row') await pool.query(INSERT, [[data.number]]);
          onDone(1);
        };
        new Worker(work, perform, { connection, concurrency: TAKEN });
      },
    };
  },
};

interface PgBossModule {
  PgBoss: new (
    options: object,
  ) => {
    on(event: 'error', listener: (error: Error) => void): void;
    start(): Promise<unknown>;
    createQueue(name: string): Promise<void>;
    insert(name: string, jobs: object[]): Promise<void>;
    work(
      name: string,
      options: object,
      handler: (
        jobs: { data: { number: number } }[],
        tx: { executeSql(text: string, values: unknown[]): Promise<unknown> },
      ) => Promise<void>,
    ): Promise<string>;
  };
}
type GraphileTask = (
  payload: { number: number },
  helpers: { query(text: string, values: unknown[]): Promise<unknown> },
) => Promise<void>;
interface GraphileModule {
  Logger: new (factory: () => () => void) => object;
  run(options: object): Promise<unknown>;
  makeWorkerUtils(
    options: object,
  ): Promise<{ migrate(): Promise<void>; addJobs(jobs: object[]): Promise<unknown[]> }>;
}
interface BullModule {
  Queue: new (name: string, options: object) => { addBulk(jobs: object[]): Promise<unknown> };
  Worker: new (
    name: string,
    perform: (job: { data: { number: number } }) => Promise<void>,
    options: object,
  ) => object;
}
