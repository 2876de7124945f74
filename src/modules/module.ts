import type { Server } from 'node:http';
import type { LiveContributions } from '../kernel/live/live-commands.ts';
import type { Subscription } from '../kernel/messaging/events.ts';
import type { Job } from '../kernel/messaging/jobs.ts';
import type { Metric } from '../kernel/metric.ts';
import type { Operation } from '../kernel/operations/operation.ts';
import type { RawRoute } from '../kernel/operations/raw-routes.ts';
import type { Measures } from './analytics/contract.ts';
import type { Mail } from './mail/contract.ts';
import type { Reportable } from './moderation/contract.ts';
import type { Notice } from './notifications/contract.ts';
import type { Searchable } from './search/contract.ts';

/**
 * A domain of the platform, as a value: the service that other modules call, and the module's contributions to the
 * platform. Hubs (gateway, notifications, mail, analytics, search, metrics, health) collect contributions and import
 * none of the modules that make them.
 */
export interface Module<Service = unknown> {
  /** Also the name of its database schema and of its folder. */
  name: string;
  service: Service;
  operations?: Operation[];
  /** A sentence for each tag of the operations, which the reference shows above them. */
  sections?: Record<string, string>;
  /** Routes outside the API, for responses that are not JSON. */
  rawRoutes?: RawRoute[];
  jobs?: Job[];
  subscriptions?: Subscription[];
  /** Events that members are notified of. */
  notices?: Notice[];
  /** Content that members can report to the moderators. */
  reportables?: Reportable[];
  /** Events that trigger an e-mail. */
  mails?: Mail[];
  /** Figures shown to operators, and to members about themselves. */
  measures?: Measures;
  /** Records that the search indexes. */
  searchable?: Searchable[];
  /** Messages sent to connected clients, and commands accepted from them. */
  live?: Partial<LiveContributions>;
  metrics?: Metric[];
  /** Returns the optional dependencies that are unavailable at the moment. */
  degraded?(): string[];
  /**
   * For hubs: called once with all modules before anything runs; returns what follows from their contributions, in
   * addition to what the hub has itself.
   */
  collect?(modules: readonly Module[]): Pick<Module, 'operations' | 'jobs' | 'subscriptions'>;
  /** Attaches to the HTTP server before it listens; for modules that accept connection upgrades. */
  attach?(server: Server): Promise<void>;
  /** Starts background work; called once when the process starts serving or working, in dependency order. */
  start?(): Promise<void>;
  /** Moves connected clients to other processes while requests and jobs finish; called in reverse dependency order. */
  drain?(): Promise<void>;
  /** Releases the module's resources after all work has stopped; called in reverse dependency order. */
  stop?(): Promise<void>;
}
