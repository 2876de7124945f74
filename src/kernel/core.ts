import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Database } from './database/database.ts';
import type { Bus } from './distributed/bus.ts';
import type { Cache } from './distributed/cache.ts';
import { idMaker, type NewId } from './ids.ts';
import { type Live, livePublisher } from './live/live.ts';
import { logWarning } from './log-warning.ts';
import type { RequestLoad } from './messaging/back-off.ts';
import type { Events } from './messaging/events.ts';
import type { JobQueue, Jobs, QueueAdministration } from './messaging/jobs.ts';
import type { MessageCheck } from './messaging/message-check.ts';
import { eventBackbone } from './messaging/outbox.ts';
import { type Audit, auditLog } from './records/audit.ts';
import type { Clock } from './time/time.ts';
import type { Tracing } from './trace.ts';

/**
 * The dependencies that a process creates once and most modules use. Modules and rules declare theirs by picking from
 * it, so that each shows what it uses: `interface TradeDeps extends Pick<Core, 'database' | 'clock' | 'newId'>`.
 */
export interface Core {
  database: Database;
  events: Events;
  jobs: Jobs;
  /** For operators alone; modules enqueue with `jobs`. */
  queues: QueueAdministration;
  live: Live;
  bus: Bus;
  /** Names this process among those of the installation. */
  node: string;
  cache: Cache;
  audit: Audit;
  log: Logger;
  load: RequestLoad;
  /** Decides which requests are recorded; undefined where spans are not exported. */
  tracing: Tracing | undefined;
  clock: Clock;
  newId: NewId;
  /** Checks outgoing messages in tests. */
  check: MessageCheck;
}

interface Opened extends Pick<Core, 'database' | 'bus' | 'cache' | 'log' | 'load' | 'clock' | 'tracing'> {
  queue: JobQueue;
  check: MessageCheck;
}

/**
 * Adds the dependencies that are derived from the opened ones. The backbone delivers events once it has subscriptions
 * and is started.
 */
export function createCore({ queue, check, ...opened }: Opened) {
  const { database, bus, log, load, clock } = opened;
  const newId = idMaker(clock);
  const node = `${hostname()}-${randomBytes(4).toString('hex')}`;
  const backbone = eventBackbone({
    database,
    clock,
    newId,
    jobs: queue,
    onError: logWarning(log, 'the event relay'),
    check,
    backOff: load.backOff,
  });
  const audit = auditLog({ database, clock, newId });
  const live = livePublisher(bus, check);
  const core: Core = {
    ...opened,
    check,
    node,
    newId,
    events: backbone.events,
    jobs: queue,
    queues: queue,
    live,
    audit,
  };
  return { core, backbone };
}
