import { PgBoss } from 'pg-boss';
import type { Queries, Transaction } from './database/queries.ts';
import { transactionOver } from './database/transaction.ts';

/**
 * A kind of durable background work. Delivery is at least once, so the work must be idempotent.
 *
 * Work within the database is done by `runIn`, in the very transaction that completes the job; work that reaches
 * outside by `run`, so that no transaction waits for a network.
 */
export interface Job {
  /** Lower-case words with hyphens and dots; also the name of its queue. */
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: what was enqueued under this name
  run?: (data: any) => Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  runIn?: (tx: Transaction, data: any) => Promise<void>;
  /** Runs it on a schedule too (five cron fields, UTC). */
  cron?: string;
  /** Attempts after the first; then it goes to the dead-letter queue `<name>.dead`. */
  retries?: number;
  /** Jobs done at once in each process. */
  concurrency?: number;
  /** Seconds that one job may take. */
  timeoutSeconds?: number;
}

export interface Jobs {
  /** Enqueues jobs, so that they exist if and only if the transaction commits. */
  enqueue(tx: Transaction, name: string, data: object[], options?: { startAfter?: Date }): Promise<void>;
  /** Makes the queues of these kinds; needed before any is enqueued or worked on. */
  prepare(kinds: Job[]): Promise<void>;
  /** Begins to do jobs of these kinds; without it a process only enqueues. */
  work(kinds: Job[]): Promise<void>;
  /** Lets the running jobs finish and takes no more. */
  stop(): Promise<void>;
}

const SCHEMA = 'jobs';
/** A worker that has not been heard of for so long has died, and its job is given to another. */
const HEARTBEAT_SECONDS = 20;
const SUPERVISE_SECONDS = 10;
const POLL_SECONDS = 2;
const KEEP_DONE_SECONDS = 24 * 3600;
const KEEP_DEAD_SECONDS = 30 * 24 * 3600;

const deadLetterOf = (name: string): string => `${name}.dead`;

/**
 * The durable queue (pg-boss), in the platform's own database. A killed worker's job runs again within a minute:
 * its heartbeat stops, and whoever supervises gives the job to another.
 */
export async function startJobs(url: string, onError: (error: Error) => void): Promise<Jobs> {
  const boss = new PgBoss({
    connectionString: url,
    schema: SCHEMA,
    max: 6,
    application_name: 'platform-api jobs',
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  boss.on('error', onError);
  await boss.start();
  return {
    enqueue: async (tx, name, data, { startAfter } = {}) => {
      if (data.length === 0) return;
      const jobs = data.map((one) => ({ data: one, startAfter }));
      await boss.insert(name, jobs, { db: { executeSql: (text, values) => tx.sql(text, values) } });
    },
    prepare: async (kinds) => {
      for (const kind of kinds) await prepareQueue(boss, kind);
    },
    work: async (kinds) => {
      await Promise.all(kinds.map((kind) => beginWork(boss, kind)));
    },
    stop: () => boss.stop({ graceful: true, timeout: 6000, close: true }),
  };
}

async function prepareQueue(boss: PgBoss, kind: Job): Promise<void> {
  const deadLetter = deadLetterOf(kind.name);
  await boss.createQueue(deadLetter, {
    retentionSeconds: KEEP_DEAD_SECONDS,
    deleteAfterSeconds: KEEP_DEAD_SECONDS,
  });
  const options = {
    retryLimit: kind.retries ?? 8,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 3600,
    expireInSeconds: kind.timeoutSeconds ?? 300,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: KEEP_DONE_SECONDS,
    notify: true,
  };
  await boss.createQueue(kind.name, { ...options, deadLetter });
  await boss.updateQueue(kind.name, options);
  if (kind.cron) await boss.schedule(kind.name, kind.cron, {}, { missed: 'once' });
}

async function beginWork(boss: PgBoss, { name, run, runIn, concurrency = 1 }: Job): Promise<void> {
  const options = { localConcurrency: concurrency, pollingIntervalSeconds: POLL_SECONDS };
  if (run) await boss.work(name, options, async ([job]) => run(job?.data));
  if (runIn) {
    await boss.work(name, { ...options, transactional: true }, async ([job], db) => {
      const sent: Promise<unknown>[] = [];
      await runIn(overBoss(db, sent), job?.data);
      await Promise.all(sent);
    });
  }
}

/** A transaction that pg-boss began and will commit together with the job's completion. */
const overBoss = (db: ReturnType<PgBoss['getDb']>, sent: Promise<unknown>[]): Transaction =>
  transactionOver({ query: ({ text, values }) => db.executeSql(text, values) }, sent);

/** How many jobs wait, run, or lie in a dead-letter queue, by queue. */
export async function jobCounts(
  queries: Queries,
): Promise<{ queue: string; state: string; count: number }[]> {
  const { rows } = await queries.sql(
    `select name as queue, state::text, count(*)::int as count from ${SCHEMA}.job
     where state in ('created', 'retry', 'active', 'failed') group by 1, 2`,
  );
  return rows as { queue: string; state: string; count: number }[];
}
