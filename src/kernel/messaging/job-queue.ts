import { setMaxListeners } from 'node:events';
import { PgBoss } from 'pg-boss';
import type { Database } from '../database/database.ts';
import type { Queries, Transaction } from '../database/queries.ts';
import { currentTraceparent, newTrace, traceFrom, withTrace } from '../trace.ts';
import { type BackOff, neverBackOff } from './back-off.ts';
import { deadJobs } from './dead-jobs.ts';
import { deadLetterOf } from './dead-letters.ts';
import { bringJobsForward, unfinishedQueues, watchDueQueues } from './due-queues.ts';
import { frequentStatements, type NameOf } from './frequent-statements.ts';
import { JOB_SCHEMA } from './job-schema.ts';
import { type Job, type JobQueue, Postponed, type Settled } from './jobs.ts';
import { type MessageCheck, noMessageCheck } from './message-check.ts';
import { beginWhenPossible } from './possible-work.ts';
import { ownConnections, prepareOwnStatements, queueDatabase } from './queue-connections.ts';
import { queueFigures } from './queue-figures.ts';
import { prepareQueues } from './queues.ts';
import { readSchedules } from './schedules.ts';
import { upgraded } from './versions.ts';

const SUPERVISE_SECONDS = 10;
/** How often a worker polls for jobs: without notifications, and with them, as a precaution. */
const POLL_SECONDS = 2;
const NOTIFIED_POLL_SECONDS = 60;
const DEFAULT_CONCURRENCY = 10;

/** Delay before a job of a later version is offered again, to a process that knows that version. */
const NEWER_AFTER_SECONDS = 30;

/** A job's data in the queue: that of its kind, and metadata. Jobs enqueued before versions existed have version 1. */
interface Envelope {
  traceparent?: string;
  $version?: number;
}

/** A job claimed by this worker, at its current attempt. */
interface Claimed {
  id: string;
  retryCount: number;
  data: Envelope;
  signal: AbortSignal;
}

interface JobsOptions {
  /** The database in which `runIn` jobs run their transactions. */
  database: Database;
  /** URL of the same database, for the queue's own connections. */
  url: string;
  onError: (error: Error) => void;
  /** Called for each failed attempt, within the trace of the job. */
  onFailed?: (name: string, attempt: number, error: Error) => void;
  /** Checks enqueued data against the shape of its kind. */
  check?: MessageCheck;
  /** How low-priority work backs off while requests keep the process busy. */
  backOff?: BackOff;
}

/**
 * Starts the durable queue (pg-boss) in the platform's own database. The job of a killed worker runs again within a
 * minute: its heartbeat stops, and a supervisor gives the job to another worker.
 */
export async function startJobs({
  database,
  url,
  onError,
  onFailed = () => undefined,
  check = noMessageCheck,
  backOff = neverBackOff,
}: JobsOptions): Promise<JobQueue> {
  const boss = new PgBoss({
    connectionString: url,
    schema: JOB_SCHEMA,
    max: 6,
    ...ownConnections,
    application_name: 'platform-api jobs',
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  boss.on('error', onError);
  await boss.start();
  const nameOf = frequentStatements();
  prepareOwnStatements(boss, nameOf);
  const settledOf = new Map<string, Settled>();
  const workersOf = new Map<string, string[]>();
  let isWatching = false;
  const end = new AbortController();
  setMaxListeners(0, end.signal); // one listener for each kind of low-priority job
  const unfinished = (queries: Pick<Queries, 'all'> = database) =>
    unfinishedQueues(queries, [...workersOf.keys()]);
  const wake = (name: string): void => {
    for (const worker of workersOf.get(name) ?? []) boss.notifyWorker(worker);
  };
  return {
    enqueue: async (tx, { name, version, shape }, data, { afterSeconds = 0, priority } = {}) => {
      if (data.length === 0) return;
      for (const one of data) check(`a job ${name}`, shape, one);
      const traceparent = currentTraceparent();
      const startAfter = delayOf(afterSeconds);
      const jobs = data.map((one) => ({
        data: { traceparent, $version: version, ...one },
        startAfter,
        priority,
      }));
      await boss.insert(name, jobs, { db: queueDatabase(tx, nameOf) });
    },
    prepare: (all) => prepareQueues(boss, all),
    work: async (all) => {
      const begin = async (one: Job): Promise<void> => {
        const settled = { completed: 0, failed: 0 };
        settledOf.set(one.kind.name, settled);
        const shared = { boss, database, end: end.signal, onFailed, backOff, nameOf };
        const workers = await beginWork({ ...shared, work: one, settled });
        workersOf.set(one.kind.name, workers);
      };
      await Promise.all(all.map((one) => beginWhenPossible(one, begin, { end: end.signal, onError })));
      if (!isWatching)
        void watchDueQueues(() => workersOf.keys(), { database, end: end.signal, onError }, wake);
      isWatching = true;
      for (const { kind, atStart } of all) if (atStart) await boss.send(kind.name, {});
    },
    drain: async () => {
      end.abort();
      await Promise.allSettled([...settledOf.keys()].map((name) => boss.offWork(name, { wait: true })));
    },
    settled: () => settledOf,
    unfinished,
    bringForward: async (ms) => {
      await bringJobsForward(database, [...workersOf.keys()], ms);
      for (const name of await unfinished()) wake(name);
    },
    queues: () => queueFigures(database),
    schedules: () => readSchedules(database),
    dead: deadJobs(database),
    revive: async (tx, queue, id) => {
      const options = { ids: [id], destination: queue, limit: 1, db: queueDatabase(tx) };
      const moved = await boss.redrive(deadLetterOf(queue), options);
      if (moved !== 1) throw new Error(`the dead job ${id} of ${queue} was not moved`);
    },
    startNow: async (tx, queue) => {
      await boss.insert(queue, [{ data: { traceparent: currentTraceparent() } }], { db: queueDatabase(tx) });
    },
    stop: () => {
      end.abort();
      return boss.stop({ graceful: true, timeout: 6000, close: true });
    },
  };
}

interface WorkDeps extends Required<Pick<JobsOptions, 'database' | 'onFailed' | 'backOff'>> {
  boss: PgBoss;
  work: Job;
  end: AbortSignal;
  settled: Settled;
  nameOf: NameOf;
}

/**
 * Starts the workers of a kind of job and returns their ids. A worker takes a batch and runs its jobs concurrently,
 * settling each individually; it fetches more at once while batches are full, and when it is notified. Separate jobs
 * have one worker for each concurrent run instead.
 */
async function beginWork({
  boss,
  database,
  work,
  end,
  settled,
  onFailed,
  backOff,
  nameOf,
}: WorkDeps): Promise<string[]> {
  const { run, runIn, split, lowPriority, concurrency = lowPriority ? 2 : DEFAULT_CONCURRENCY } = work;
  const { name } = work.kind;
  const turn = lowPriority ? backOff(end) : () => undefined;
  const isSeparate = work.separately === true || concurrency === 1;
  const options = {
    batchSize: isSeparate ? 1 : concurrency,
    burstWhenBatchFull: true,
    pollingIntervalSeconds: POLL_SECONDS,
    notifyPollingIntervalSeconds: NOTIFIED_POLL_SECONDS,
    perJobResults: true,
  } as const;

  /** Runs a job in the trace of the request or job that enqueued it, otherwise in a new one. */
  async function runJob(job: Claimed): Promise<void> {
    const { traceparent } = job.data;
    const trace = { ...(traceFrom(traceparent) ?? newTrace()), job: name };
    await withTrace(trace, async () => {
      try {
        await runClaimed(job);
        settled.completed++;
      } catch (error) {
        settled.failed++;
        onFailed(name, job.retryCount + 1, error as Error);
        throw error;
      }
    });
  }

  async function runClaimed(job: Claimed): Promise<void> {
    const { traceparent, $version = 1, ...queued } = job.data;
    const data = upgraded(work.kind, $version, queued);
    if (!data) return requeue(job, NEWER_AFTER_SECONDS);
    if (run) {
      const signal = AbortSignal.any([job.signal, end]);
      try {
        await run(data, { signal, attempt: job.retryCount + 1 });
      } catch (error) {
        const afterSeconds = postponement(error, end);
        if (afterSeconds === undefined) throw error;
        return requeue(job, afterSeconds);
      }
    }
    if (!runIn) return;
    try {
      await inCompletingTransaction(job, (tx) => runIn(tx, data));
    } catch (error) {
      const parts = split?.(data) ?? [];
      if (parts.length < 2) throw error;
      const jobs = parts.map((part) => ({ data: { traceparent, $version: work.kind.version, ...part } }));
      await inCompletingTransaction(job, async (tx) => {
        await boss.insert(name, jobs, { db: queueDatabase(tx, nameOf) });
      });
    }
  }

  /** Completes the job and enqueues its successor in one transaction, so that no attempt is spent. */
  const requeue = (job: Claimed, afterSeconds: number): Promise<void> =>
    inCompletingTransaction(job, async (tx) => {
      await boss.insert(name, [{ data: job.data, startAfter: delayOf(afterSeconds) }], {
        db: queueDatabase(tx),
      });
    });

  /** Runs the work and completes the job in one transaction. */
  async function inCompletingTransaction(
    job: Claimed,
    work: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    await database.transaction(async (tx) => {
      await work(tx);
      const settled = await boss.complete(name, job, null, { db: queueDatabase(tx) });
      // The declared type lacks this documented field.
      const { affected } = settled as { affected?: number };
      // This worker was presumed dead and its job reassigned, so its writes must roll back.
      if (affected === 0) throw new Error(`job ${job.id} is no longer this worker's`);
    });
  }

  async function runBatch(jobs: Claimed[]) {
    const startedMs = performance.now();
    const outcomes = await Promise.allSettled(jobs.map(runJob));
    await turn(performance.now() - startedMs);
    return jobs.map(({ id }, place) => {
      const outcome = outcomes[place] as PromiseSettledResult<void>;
      if (outcome.status === 'fulfilled') return { id, status: 'completed' as const };
      return {
        id,
        status: 'failed' as const,
        output: { message: String(outcome.reason?.message ?? outcome.reason) },
      };
    });
  }

  const workers: string[] = [];
  for (let lane = 0; lane < (isSeparate ? concurrency : 1); lane++) {
    const worker = { id: '' };
    worker.id = await boss.work(name, options, async (jobs) => {
      const outcomes = await runBatch(jobs as Claimed[]);
      // After a batch of one the queue would wait for its next poll, even if more jobs are ready.
      if (isSeparate) boss.notifyWorker(worker.id);
      return outcomes;
    });
    workers.push(worker.id);
  }
  return workers;
}

/**
 * Returns a delay in the queue's format. The database adds it to its own time, by which jobs become due, because the
 * clock of this process may be wrong.
 */
const delayOf = (seconds: number): string => `${seconds} seconds`;

/** Returns the delay in seconds after which a job that has not failed runs again; undefined when it failed. */
function postponement(error: unknown, end: AbortSignal): number | undefined {
  if (error instanceof Postponed) return error.afterSeconds;
  const isInterrupted = end.aborted && (error === end.reason || (error as Error)?.name === 'AbortError');
  return isInterrupted ? 0 : undefined;
}
