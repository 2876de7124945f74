import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../src/app/config.ts';
import { createPlatform, type Platform } from '../../src/app/platform.ts';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { isOutage } from '../../src/kernel/database/faults.ts';
import { messageCheck } from '../../src/kernel/operations/message-check.ts';
import { travellingClock } from '../../src/kernel/time/time.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { sandboxSettings } from '../../src/sandbox/settings.ts';
import { type DatabaseWire, databaseWire, type Verdict } from './database-wire.ts';
import { type Forwarder, forwarder } from './forwarder.ts';

export const ADMIN = { email: 'admin@example.com', password: 'an administrator of the simulation' };
export const BACKOFFICE_SECRET = 'the webhook secret of the simulation';
const PAYMENT_SECRET = 'whsec_of_the_simulation';

/** External systems that do not answer are given up soon, and asked again soon. */
const SETTINGS = {
  PORT: '0',
  DATABASE_CONNECTIONS: '6',
  SECRET_KEY: 'a secret key of the simulation, long enough',
  WEBHOOK_SECRET: BACKOFFICE_SECRET,
  LOG_LEVEL: 'silent',
  CHARTING_RATE: '1000',
  CHARTING_CONCURRENCY: '8',
  CHARTING_TIMEOUT_SECONDS: '0.5',
  CHARTING_RETRY_SECONDS: '0.02',
  CHARTING_ATTEMPTS: '3',
};

/** How a process loses its database: with its life, or only its connections. */
export type Loss = 'crash' | 'cut';

interface Process {
  platform: Platform;
  port: number;
  toDatabase: DatabaseWire;
  toSystems: Forwarder;
}

/**
 * A platform in this process that can be killed between any two of its statements. A kill breaks, at one instant, every
 * connection to its database, to external systems and to its clients: whatever its code still does reaches nobody, as if
 * the process were gone. Its successor starts at once, and clients reach it at the same address.
 */
export async function startInstallation(databaseUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'simulated-'));
  const clock = travellingClock();
  const sandbox = await startSandbox({
    port: 0,
    paymentWebhookSecret: PAYMENT_SECRET,
    payoutDelay: 3600,
    administrator: () => ADMIN,
    objectsFolder: join(folder, 'storage'),
    clock,
  });
  const sandboxPort = Number(new URL(sandbox.url).port);
  const socketFolder = new URL(databaseUrl).searchParams.get('host') as string;
  const databaseName = new URL(databaseUrl).pathname;
  const database = openDatabase({ url: databaseUrl, connections: 3, onBackgroundError: () => undefined });
  let armed: { left: number; isBefore: boolean; loss: Loss } | undefined;
  let current: Process | undefined;
  let restarting: Promise<void> = Promise.resolve();
  const api = await forwarder({
    target: () => (current ? { host: '127.0.0.1', port: current.port } : undefined),
  });

  /** Counts the statements of requests and jobs, not those by which the queue looks for work. */
  function onStatement(greeting: string): Verdict {
    if (!armed || !greeting.includes('platform-api\0') || --armed.left > 0) return 'pass';
    const { isBefore, loss } = armed;
    armed = undefined;
    if (loss === 'crash') queueMicrotask(() => void restart());
    return isBefore ? 'cut before' : 'cut after';
  }

  /** Does at once what the queue does a minute after a process died: its jobs are to run again. */
  const takeOver = (): Promise<number> =>
    database.execute("update jobs.job set state = 'retry', start_after = now() where state = 'active'");

  /** Starts a process; undefined when it lost its database while it started, which ends it. */
  async function started(): Promise<Process | undefined> {
    const toDatabase = databaseWire(socketFolder, onStatement);
    const toSystems = await forwarder({ target: () => ({ host: '127.0.0.1', port: sandboxPort }) });
    let platform: Platform | undefined;
    try {
      const url = `postgresql://${databaseName}?host=${encodeURIComponent(toDatabase.host)}&user=postgres`;
      platform = await createPlatform(partsOf(url, toSystems.url));
      await takeOver();
      await platform.work();
      const port = Number(new URL(await platform.listen()).port);
      return { platform, port, toDatabase, toSystems };
    } catch (error) {
      toDatabase.close();
      toSystems.close();
      platform?.close().catch(() => undefined);
      if (!isOutage(error)) throw error;
      return undefined;
    }
  }

  function partsOf(url: string, systemsUrl: string): Parameters<typeof createPlatform>[0] {
    const config = readConfig({ ...SETTINGS, DATA_DIR: folder, DATABASE_URL: url });
    const reached = { url: systemsUrl, smtpUrl: sandbox.smtpUrl };
    return {
      config: {
        ...config,
        databaseUrl: url,
        secretKey: config.secretKey as string,
        ...sandboxSettings(reached, config, { paymentWebhookSecret: PAYMENT_SECRET }),
      },
      decorators: sandbox.decorators,
      check: messageCheck(),
      log: pino({ level: 'silent' }),
      clock,
    };
  }

  async function boot(): Promise<void> {
    do current = await started();
    while (!current);
  }

  function restart(): Promise<void> {
    const killed = current;
    if (!killed) return restarting;
    current = undefined;
    for (const one of [api, killed.toSystems]) one.cut();
    killed.toDatabase.close();
    killed.toSystems.close();
    // It finds nobody any more, and takes its time to see it.
    killed.platform.close().catch(() => undefined);
    restarting = boot();
    return restarting;
  }

  await boot();
  sandbox.deliverTo(api.url);
  return {
    url: api.url,
    sandboxUrl: sandbox.url,
    clock,
    /** For looking behind the API. */
    database,
    /** The process that serves now, once it does. */
    async platform(): Promise<Platform> {
      for (;;) {
        await restarting;
        if (current) return current.platform;
      }
    },
    /** Has the process lose its database at one of its next statements, before or after it arrives. */
    arm(loss: Loss, left: number, isBefore: boolean): void {
      armed = { left, isBefore, loss };
    },
    /** What was to happen at a statement that never came happens now. */
    async spring(): Promise<void> {
      if (armed?.loss === 'crash') void restart();
      else if (armed) current?.toDatabase.cut();
      armed = undefined;
      await restarting;
    },
    async close(): Promise<void> {
      await restarting;
      api.close();
      await current?.platform.close();
      current?.toDatabase.close();
      current?.toSystems.close();
      await Promise.all([sandbox.close(), database.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Installation = Awaited<ReturnType<typeof startInstallation>>;
