import type { PgBoss } from 'pg-boss';
import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/queries.ts';
import { failureOf } from '../spans.ts';
import { type Tracing, traceFrom, withTrace } from '../trace.ts';
import type { NameOf } from './frequent-statements.ts';
import { jobTraces } from './job-traces.ts';
import { type Job, Postponed, type Settled } from './jobs.ts';
import { queueDatabase } from './queue-connections.ts';
import { upgraded } from './versions.ts';

/** Delay before a job of a later version is offered again, to a process that knows that version. */
const NEWER_AFTER_SECONDS = 30;

/** A job's data in the queue: that of its kind, and metadata. Jobs enqueued before versions existed have version 1. */
interface Envelope {
  traceparent?: string;
  $version?: number;
}

/** A job claimed by this worker, at its current attempt. */
export interface Claimed {
  id: string;
  retryCount: number;
  /** Null for a row that something else than this program has written. */
  data: Envelope | null;
  signal: AbortSignal;
}

export interface JobRunsDeps {
  boss: PgBoss;
  database: Database;
  work: Job;
  /** Aborts when the process is about to stop. */
  end: AbortSignal;
  settled: Settled;
  tracing: Tracing | undefined;
  /** Called with the seconds that an attempt took. */
  onDone: (name: string, seconds: number) => void;
  /** Called for each failed attempt, within the trace of the job. */
  onFailed: (name: string, attempt: number, error: Error) => void;
  nameOf: NameOf;
}

/** Undefined if a job's data cannot be read: then the job fails by itself, and not with those that were claimed with it. */
function ifReadable<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * Returns the functions that run claimed jobs of a kind and count them in `settled`. A job runs in the trace of the request
 * or job that enqueued it, or in a new one if it has none; jobs that run together share a new one.
 */
export function jobRuns({
  boss,
  database,
  work,
  end,
  settled,
  onFailed,
  onDone,
  tracing,
  nameOf,
}: JobRunsDeps) {
  const { run, runAllIn, split } = work;
  const { name, version } = work.kind;
  const runIn = work.runIn ?? (runAllIn && ((tx: Transaction, data: object) => runAllIn(tx, [data])));

  const { begin: beginTrace, end: endTrace } = jobTraces(name, tracing);

  /** Returns the job's data in the current version; undefined for a later version. */
  function dataOf({ data }: Claimed): object | undefined {
    const { traceparent, $version = 1, ...queued } = data ?? {};
    return upgraded(work.kind, $version, queued);
  }

  /** Runs the work of jobs and completes them in one transaction. */
  async function inCompletingTransaction(
    jobs: Claimed[],
    work: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    await database.transaction(async (tx) => {
      await work(tx);
      const db = queueDatabase(tx);
      const ended = await (runAllIn
        ? boss.deleteJob(name, jobs, { db })
        : boss.complete(name, jobs, null, { db }));
      // The declared type lacks this documented field.
      const { affected } = ended as { affected?: number };
      // This worker was presumed dead and a job reassigned, so its writes must roll back.
      if (affected !== jobs.length) throw new Error(`not all jobs of ${name} are still this worker's`);
    });
  }

  /** Completes the job and enqueues its successors in one transaction, so that no attempt is spent. */
  const replace = (job: Claimed, successors: { data: object; startAfter?: string }[]): Promise<void> =>
    inCompletingTransaction([job], async (tx) => {
      await boss.insert(name, successors, { db: queueDatabase(tx, nameOf) });
    });
  const requeue = (job: Claimed, afterSeconds: number): Promise<void> =>
    replace(job, [{ data: job.data ?? {}, startAfter: delayOf(afterSeconds) }]);

  /** @returns whether the job is completed already */
  async function runOutside(job: Claimed, data: object): Promise<boolean> {
    const signal = AbortSignal.any([job.signal, end]);
    try {
      await run?.(data, { signal, attempt: job.retryCount + 1 });
      return false;
    } catch (error) {
      const afterSeconds = postponement(error, end);
      if (afterSeconds === undefined) throw error;
      await requeue(job, afterSeconds);
      return true;
    }
  }

  async function runInside(
    job: Claimed,
    data: object,
    work: (tx: Transaction, data: object) => Promise<void>,
  ): Promise<void> {
    try {
      await inCompletingTransaction([job], (tx) => work(tx, data));
    } catch (error) {
      const parts = split?.(data) ?? [];
      if (parts.length < 2) throw error;
      const { traceparent } = job.data ?? {};
      await replace(
        job,
        parts.map((part) => ({ data: { traceparent, $version: version, ...part } })),
      );
    }
  }

  /** @returns whether the job is completed already */
  async function runClaimed(job: Claimed): Promise<boolean> {
    const data = dataOf(job);
    // Of a later version, or its turn came after the process was told to stop.
    if (!data || end.aborted) await requeue(job, data ? 0 : NEWER_AFTER_SECONDS);
    else if (runIn) await runInside(job, data, runIn);
    else return runOutside(job, data);
    return true;
  }

  return {
    /** Returns how many items a job consists of. */
    sizeOf: (job: Claimed): number =>
      ifReadable(() => {
        const data = dataOf(job);
        return data && split?.(data).length;
      }) ?? 1,
    /**
     * Runs one job.
     * @returns whether it is completed already, in the transaction of its work; otherwise the queue has to do so
     * @throws when the attempt failed
     */
    one(job: Claimed): Promise<boolean> {
      const trace = beginTrace(traceFrom(job.data?.traceparent));
      return withTrace(trace, async () => {
        const sinceMs = performance.now();
        let failure: string | undefined;
        try {
          const isCompleted = await runClaimed(job);
          settled.completed++;
          return isCompleted;
        } catch (error) {
          settled.failed++;
          failure = failureOf(error);
          onFailed(name, job.retryCount + 1, error as Error);
          throw error;
        } finally {
          onDone(name, (performance.now() - sinceMs) / 1000);
          endTrace(trace, sinceMs, { failure, jobs: [job] });
        }
      });
    },
    /**
     * Runs several jobs of a kind with `runAllIn` in one transaction, which also completes them.
     * @returns whether it succeeded; otherwise nothing has happened, and each must run by itself
     */
    async together(jobs: Claimed[]): Promise<boolean> {
      const known = jobs.flatMap((job) => ifReadable(() => dataOf(job)) ?? []);
      if (!runAllIn || end.aborted || known.length < jobs.length) return false;
      const sinceMs = performance.now();
      const trace = beginTrace();
      try {
        await withTrace(trace, () => inCompletingTransaction(jobs, (tx) => runAllIn(tx, known)));
        settled.completed += jobs.length;
        onDone(name, (performance.now() - sinceMs) / 1000);
        endTrace(trace, sinceMs, { jobs });
        return true;
      } catch (error) {
        endTrace(trace, sinceMs, { failure: failureOf(error), jobs });
        return false;
      }
    },
  };
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
