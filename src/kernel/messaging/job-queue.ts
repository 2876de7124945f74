import { setMaxListeners } from 'node:events';
import { PgBoss } from 'pg-boss';
import type { Database } from '../database/database.ts';
import type { Queries } from '../database/queries.ts';
import { addressOf } from '../database/servers.ts';
import { currentTraceparent, type Tracing } from '../trace.ts';
import { type BackOff, neverBackOff } from './back-off.ts';
import { deadJobs } from './dead-jobs.ts';
import { deadLetterOf } from './dead-letters.ts';
import { bringJobsForward, dueQueues, unfinishedQueues, watchDueQueues } from './due-queues.ts';
import { enqueueing } from './enqueueing.ts';
import { frequentStatements } from './frequent-statements.ts';
import { JOB_SCHEMA, JOB_SESSIONS } from './job-schema.ts';
import { beginWork } from './job-workers.ts';
import type { Job, JobQueue, Settled } from './jobs.ts';
import { type MessageCheck, noMessageCheck } from './message-check.ts';
import { beginWhenPossible } from './possible-work.ts';
import {
  onNewJobs,
  ownConnections,
  prepareOwnStatements,
  QUEUE_LIMITS,
  type QueueLimits,
  queueDatabase,
} from './queue-connections.ts';
import { queueFigures } from './queue-figures.ts';
import { queueWorkers } from './queue-workers.ts';
import { prepareQueues } from './queues.ts';
import { readSchedules } from './schedules.ts';

const SUPERVISE_SECONDS = 10;
/** How often done jobs are deleted whose time is over. */
const DELETE_SECONDS = 60;

interface JobsOptions {
  /** The database in which `runIn` jobs run their transactions. */
  database: Database;
  /** URL of the same database, for the queue's own connections. */
  url: string;
  /** Maximum number of the queue's own connections, besides the one on which it listens for new jobs. */
  connections?: number;
  limits?: QueueLimits;
  onError: (error: Error) => void;
  /** Called for each failed attempt, within the trace of the job. */
  onFailed?: (name: string, attempt: number, error: Error) => void;
  /** Decides which attempts are recorded. */
  tracing?: Tracing | undefined;
  /** Called with the seconds that an attempt took. */
  onDone?: (name: string, seconds: number) => void;
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
  connections = 6,
  limits = QUEUE_LIMITS,
  onError,
  onFailed = () => undefined,
  onDone = () => undefined,
  tracing,
  check = noMessageCheck,
  backOff = neverBackOff,
}: JobsOptions): Promise<JobQueue> {
  const boss = new PgBoss({
    ...addressOf(url),
    schema: JOB_SCHEMA,
    max: connections,
    ...ownConnections(limits),
    application_name: JOB_SESSIONS,
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    maintenanceIntervalSeconds: DELETE_SECONDS,
  });
  let isStopped = false;
  // Connections may still be closing when the queue has stopped; a server that stops then breaks them, as is expected.
  boss.on('error', (error) => {
    if (!isStopped) onError(error);
  });
  const end = new AbortController();
  setMaxListeners(0, end.signal); // one listener for each kind of low-priority job
  const workers = queueWorkers({ boss, end: end.signal, onError });
  onNewJobs(boss, workers.wake);
  await boss.start();
  const nameOf = frequentStatements();
  prepareOwnStatements(boss, { nameOf, limits, end: end.signal });
  const newJobs = enqueueing({ boss, onError });
  const settledOf = new Map<string, Settled>();
  let isWatching = false;
  const unfinished = (queries: Pick<Queries, 'all'> = database) => unfinishedQueues(queries, workers.names());
  return {
    enqueue: async (tx, { name, version, shape }, data, { afterSeconds = 0, priority = 0 } = {}) => {
      if (data.length === 0) return;
      for (const one of data) check(`a job ${name}`, shape, one);
      const traceparent = currentTraceparent();
      const jobs = data.map((one) => ({ traceparent, $version: version, ...one }));
      newJobs.enqueue(tx, { queue: name, data: jobs, priority, afterSeconds });
    },
    prepare: (all) => prepareQueues(boss, all),
    work: async (all, { catchesUp = true } = {}) => {
      const add = async (one: Job): Promise<void> => {
        const settled = { completed: 0, failed: 0 };
        settledOf.set(one.kind.name, settled);
        const shared = { boss, database, end: end.signal, onFailed, onDone, tracing, backOff, nameOf };
        workers.add(one.kind.name, () => beginWork({ ...shared, work: one, settled }));
      };
      await Promise.all(all.map((one) => beginWhenPossible(one, add, { end: end.signal, onError })));
      // If the database is away, watching finds them later.
      const due = await dueQueues(database, workers.names()).catch((error) => {
        onError(error);
        return [];
      });
      for (const name of due) workers.wake(name);
      if (!isWatching)
        void watchDueQueues(workers.names, { database, end: end.signal, onError }, workers.wake);
      isWatching = true;
      if (!catchesUp) return;
      for (const { kind, atStart } of all) if (atStart) await boss.send(kind.name, {});
    },
    drain: async () => {
      end.abort();
      await workers.stop();
    },
    settled: () => settledOf,
    unfinished,
    bringForward: async (ms) => {
      await bringJobsForward(database, workers.names(), ms);
      for (const name of await unfinished()) workers.wake(name);
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
    stop: async () => {
      end.abort();
      await newJobs.settled();
      await boss.stop({ graceful: true, timeout: 6000, close: true });
      isStopped = true;
    },
  };
}
