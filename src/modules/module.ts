import type { Server } from 'node:http';
import type { FailureMaker } from '../kernel/failures.ts';
import type { ObjectId } from '../kernel/ids.ts';
import type { LiveContributions } from '../kernel/live/live-commands.ts';
import type { Subscription } from '../kernel/messaging/events.ts';
import type { Job, JobKind } from '../kernel/messaging/jobs.ts';
import type { AnyMetric } from '../kernel/metric.ts';
import type { Operation } from '../kernel/operations/operation.ts';
import type { OutgoingMessage } from '../kernel/operations/outgoing.ts';
import type { RawRoute } from '../kernel/operations/raw-routes.ts';
import type { ErasePerson } from '../kernel/records/erasure.ts';
import type { MemberRecords } from '../kernel/records/member-records.ts';
import type { SealedColumn } from '../kernel/records/sealed-columns.ts';
import type { Seed } from './seed.ts';

/**
 * What a module contributes to the platform. A hub adds the kind of contribution that it collects to this interface, in
 * its `contract.ts`: notices, mails, searchables and so on.
 */
export interface Contributions {
  operations?: Operation[];
  /** A sentence for each tag of the operations, which the reference shows above them. */
  sections?: Record<string, string>;
  /** Messages sent to other systems by HTTP, for the description. */
  outgoing?: OutgoingMessage[];
  /** Routes outside the API, for responses that are not JSON. */
  rawRoutes?: RawRoute[];
  /** What raw routes may refuse with, in any configuration, for the list of all codes. */
  rawFailures?: FailureMaker[];
  jobs?: Job[];
  /** Kinds of jobs that the module has in other configurations, so that WORKER_QUEUES may name their queues. */
  absentJobs?: Pick<JobKind, 'name'>[];
  subscriptions?: Subscription[];
  /** Messages sent to connected clients, and commands accepted from them. */
  live?: Partial<LiveContributions>;
  metrics?: AnyMetric[];
  /** The columns of the module's tables whose values are sealed with SECRET_KEY for longer than a week. */
  sealed?: SealedColumn[];
  /** Lists the records of a member, for an administrator who is about to delete the member. */
  memberRecords?: MemberRecords[];
  /** Removes the names of a deleted member from texts about them that others keep; may be repeated. */
  erasePerson?: ErasePerson;
  /** Returns, for those of the members who are muted everywhere, until when they are, for their profiles. */
  mutedAmong?: (userIds: ObjectId[]) => Promise<Map<ObjectId, Date>>;
  /** Returns the spendable Keys of those members who have a wallet, for lists of users. */
  balancesOf?: (userIds: ObjectId[]) => Promise<Map<ObjectId, number>>;
}

/**
 * A domain of the platform, as a value: the service that other modules call, and the module's contributions to the
 * platform. Hubs (gateway, notifications, mail, analytics, search, metrics, health) collect contributions and import
 * none of the modules that make them.
 */
export interface Module<Service = unknown> extends Contributions {
  /** Also the name of its database schema and of its folder. */
  name: string;
  service: Service;
  /** Loads the module's seed, by a dynamic import, so that a platform in production does without it. */
  seed?(): Promise<Seed>;
  /** Returns the optional dependencies that are unavailable at the moment. */
  degraded?(): string[];
  /**
   * For hubs: called once with all modules before anything runs; returns what follows from their contributions, in
   * addition to what the hub has itself.
   */
  collect?(
    modules: readonly Module[],
  ): Pick<Contributions, 'operations' | 'jobs' | 'subscriptions' | 'live' | 'outgoing' | 'metrics'>;
  /** Attaches to the HTTP server before it listens; for modules that accept connection upgrades. */
  attach?(server: Server): Promise<void>;
  /** Starts background work; called once when the process starts serving or working, in dependency order. */
  start?(): Promise<void>;
  /** Begins to move connected clients to other processes, which `drain` ends after so many milliseconds. */
  retire?(forMs: number): void;
  /** Moves connected clients to other processes while requests and jobs finish; called in reverse dependency order. */
  drain?(): Promise<void>;
  /** Releases the module's resources after all work has stopped; called in reverse dependency order. */
  stop?(): Promise<void>;
}
