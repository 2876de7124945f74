import type { Server } from 'node:http';
import type { Subscription } from '../kernel/events.ts';
import type { Job } from '../kernel/jobs.ts';
import type { LiveContributions } from '../kernel/live-commands.ts';
import type { Metric } from '../kernel/metric.ts';
import type { Operation } from '../kernel/operations/operation.ts';
import type { RawRoute } from '../kernel/raw-routes.ts';
import type { Measures } from './analytics/contract.ts';
import type { Mail } from './mail/contract.ts';
import type { Reportable } from './moderation/contract.ts';
import type { Notice } from './notifications/contract.ts';
import type { Searchable } from './search/contract.ts';

/**
 * A domain of the platform, as a value: the service that other modules call, and what the module contributes to the
 * platform. Hubs (gateway, notifications, mail, analytics, search, metrics, health) collect contributions and import none of their clients.
 */
export interface Module<Service = unknown> {
  /** Also the name of its database schema and of its folder. */
  name: string;
  service: Service;
  operations?: Operation[];
  /** Routes beside the API, for what is no JSON. */
  rawRoutes?: RawRoute[];
  jobs?: Job[];
  subscriptions?: Subscription[];
  /** Events that members are notified of. */
  notices?: Notice[];
  /** What members can report to the moderators. */
  reportables?: Reportable[];
  /** Events that are e-mailed. */
  mails?: Mail[];
  /** What operators count, and members of themselves. */
  measures?: Measures;
  /** Records that can be found. */
  searchable?: Searchable[];
  /** What connected clients are told, and what they may send. */
  live?: Partial<LiveContributions>;
  metrics?: Metric[];
  /** Returns the optional dependencies that are unavailable at the moment. */
  degraded?(): string[];
  /** For hubs: called once with all modules, before anything runs; returns what follows from their contributions. */
  collect?(modules: readonly Module[]): Pick<Module, 'subscriptions' | 'jobs'>;
  /** Attaches to the HTTP server before it listens; for modules that accept upgrades. */
  attach?(server: Server): Promise<void>;
  /** Begins background work; called once when the process begins to serve or to work, in order of dependency. */
  start?(): Promise<void>;
  /** Sends connected clients elsewhere while requests and jobs still finish; called in reverse order. */
  drain?(): Promise<void>;
  /** Releases what the module holds, once nothing runs; called in reverse order. */
  stop?(): Promise<void>;
}
