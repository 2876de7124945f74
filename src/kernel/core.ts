import type { Logger } from 'pino';
import type { Database } from './database/database.ts';
import type { Bus } from './distributed/bus.ts';
import type { Cache } from './distributed/cache.ts';
import type { NewId } from './ids.ts';
import type { Live } from './live/live.ts';
import type { RequestLoad } from './messaging/back-off.ts';
import type { Events } from './messaging/events.ts';
import type { Jobs } from './messaging/jobs.ts';
import type { Audit } from './records/audit.ts';
import type { Clock } from './time/time.ts';

/**
 * What a process makes once and most modules take. Dependencies are declared by picking from it, so that one sees what
 * a module or a rule uses: `interface TradeDeps extends Pick<Core, 'database' | 'clock' | 'newId'>`.
 */
export interface Core {
  database: Database;
  events: Events;
  jobs: Jobs;
  live: Live;
  bus: Bus;
  cache: Cache;
  audit: Audit;
  log: Logger;
  load: RequestLoad;
  clock: Clock;
  newId: NewId;
}
