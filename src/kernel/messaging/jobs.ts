import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Queries, Transaction } from '../database/queries.ts';
import type { DeadJobs } from './dead-jobs.ts';
import type { QueueFigures } from './queue-figures.ts';
import { requireUpgrades, type Upgrades } from './versions.ts';

/**
 * A kind of durable background work: its name and the shape of its data, declared once and used to enqueue and to run
 * it.
 */
export interface JobKind<Data extends object = object> {
  /** Lower-case words with hyphens and dots; also the name of its queue. */
  name: string;
  /** Incremented when queued jobs no longer match the shape. */
  version: number;
  shape: TSchema;
  upgrades: Upgrades;
  /** Carries the type of the data; never set. */
  readonly data?: Data;
}

/**
 * Declares a kind of job with the shape of its data; without one, for jobs that only a schedule starts. Jobs that an
 * earlier version of the program enqueued are upgraded before they run.
 * @throws when an earlier version has no upgrade
 */
export function jobKind<Shape extends TObject = TObject<Record<never, never>>>(
  name: string,
  { version, data, upgrades = {} }: { version: number; data?: Shape; upgrades?: Upgrades } = { version: 1 },
): JobKind<Static<Shape> & object> {
  requireUpgrades({ name, version, upgrades });
  return { name, version, shape: data ?? Type.Object({}), upgrades };
}

/**
 * How jobs of a kind run. Delivery is at least once, so the work must be idempotent.
 *
 * Work within the database uses `runIn`, in the transaction that completes the job, or `runAllIn`. Work that calls
 * external systems uses `run`, so that no transaction waits for the network.
 */
interface Work<Data extends object> {
  run?(data: Data, context: JobContext): Promise<void>;
  runIn?(tx: Transaction, data: Data): Promise<void>;
  /**
   * Like `runIn`, for jobs by the thousand: runs several in one transaction, which also deletes them. When it fails, each
   * runs in a transaction of its own, so that one failing job does not delay the others.
   */
  runAllIn?(tx: Transaction, data: Data[]): Promise<void>;
  /** Splits a job of several items, so that one failing item does not delay the others. */
  split?(data: Data): Data[];
  /** Backs off while requests keep the process busy; for work that may wait. */
  lowPriority?: boolean;
  /** Also runs it on a schedule (five cron fields, UTC). */
  cron?: string;
  /** Also runs it whenever a process starts to work on jobs. */
  atStart?: boolean;
  /** Whether this process has what the work needs, such as a program; until it has, it takes no job of the queue. */
  isPossible?: () => boolean;
  /** Retries before it moves to the dead-letter queue `<name>.dead`; 8 by default. */
  retries?: number;
  /** Maximum number of concurrent jobs in each process; by default 10, or 2 with `lowPriority`. */
  concurrency?: number;
  /**
   * Number of jobs that a process takes at once, for short jobs by the thousand: those that do not run yet wait in the
   * process. All of them must end within `timeoutSeconds`. By default as many as run concurrently.
   */
  takes?: number;
  /** Takes jobs singly instead of in batches, so that a short job never waits for a long one in the same batch. */
  separately?: boolean;
  /** Maximum duration of one job in seconds; 300 by default. */
  timeoutSeconds?: number;
}

/** A kind of job with its work, contributed by a module. */
export interface Job extends Work<object> {
  kind: JobKind;
}

/** Defines how jobs of a kind run: `job(deliver, { retries: 3, run: async ({ notificationId }) => ... })`. */
export const job = <Data extends object>(kind: JobKind<Data>, work: Work<Data>): Job => ({ ...work, kind });

/** Facts about the current run of a job. */
export interface JobContext {
  /** Aborts when the job exceeds its time, is reassigned to another worker, or the process is about to stop. */
  signal: AbortSignal;
  /** From 1. */
  attempt: number;
}

/**
 * Thrown by `run` when the job itself is fine but cannot run now. It is enqueued again without spending an attempt, as
 * is a `run` that was aborted because the process stops.
 */
export class Postponed extends Error {
  override readonly name = 'Postponed';
  readonly afterSeconds: number;

  constructor(reason: string, { afterSeconds }: { afterSeconds: number }) {
    super(reason);
    this.afterSeconds = afterSeconds;
  }
}

export interface EnqueueOptions {
  /** Seconds until the jobs may run, by the clock of the database. */
  afterSeconds?: number;
  /** Jobs with a greater number run first; 0 by default. */
  priority?: number;
}

/** Number of attempts finished by this process since its start. */
export interface Settled {
  completed: number;
  failed: number;
}

/** The interface by which modules enqueue jobs. */
export interface Jobs {
  /** Enqueues jobs, so that they exist if and only if the transaction commits. */
  enqueue<Data extends object>(
    tx: Transaction,
    kind: JobKind<Data>,
    data: Data[],
    options?: EnqueueOptions,
  ): Promise<void>;
}

/** The interface by which operators look after the queues of all processes. */
export interface QueueAdministration {
  /** Returns the backlog of each queue over all processes. */
  queues(): Promise<QueueFigures[]>;
  /** Returns the schedules of queues, as five cron fields in UTC, by queue. */
  schedules(): Promise<Map<string, string>>;
  dead: DeadJobs;
  /** Moves a dead job back to its queue, with all attempts; it must be locked. */
  revive(tx: Transaction, queue: string, id: string): Promise<void>;
  /** Enqueues a job as the schedule of its queue does. */
  startNow(tx: Transaction, queue: string): Promise<void>;
}

/** The job queues of a process; only processes with the role of a worker work on them. */
export interface JobQueue extends Jobs, QueueAdministration {
  /** Creates the queues of these jobs; required before any is enqueued or worked on. */
  prepare(all: Job[]): Promise<void>;
  /**
   * Starts working on these jobs; without it a process only enqueues.
   * @param options.catchesUp whether those that run at each start do; by default they do
   */
  work(all: Job[], options?: { catchesUp?: boolean }): Promise<void>;
  /** Stops taking jobs and waits for running ones; enqueueing remains possible. */
  drain(): Promise<void>;
  /** Returns the queues that this process works on in which a job is due or runs. */
  unfinished(queries?: Pick<Queries, 'all'>): Promise<string[]>;
  /** Lets delayed jobs become due earlier by so many milliseconds; for development, whose clock can be moved on. */
  bringForward(ms: number): Promise<void>;
  /** Returns the number of attempts this process has finished, by queue. */
  settled(): ReadonlyMap<string, Settled>;
  /** Stops taking jobs, waits for running ones, and closes the connections. */
  stop(): Promise<void>;
}
