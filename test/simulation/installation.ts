import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { CaughtUp } from '../../src/app/catching-up.ts';
import { readConfig } from '../../src/app/config.ts';
import { createPlatform, type Platform } from '../../src/app/platform.ts';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { messageCheck } from '../../src/kernel/operations/message-check.ts';
import { isOutage } from '../../src/kernel/outages.ts';
import { travellingClock } from '../../src/kernel/time/time.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { sandboxSettings } from '../../src/sandbox/settings.ts';
import { type DatabaseWire, databaseWire, type Verdict } from './database-wire.ts';
import { type Forwarder, forwarder } from './forwarder.ts';
import { type RedisMode, type RedisServer, simulatedRedis } from './redis.ts';

export const ADMIN = { email: 'admin@example.com', password: 'an administrator of the simulation' };
export const BACKOFFICE_SECRET = 'the webhook secret of the simulation';
const PAYMENT_SECRET = 'whsec_of_the_simulation';

/** Short timeouts and pauses for external systems, so that a history does not wait long for failing ones. */
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

/** For how long the platform may be without its database, on a busy machine. */
const PATIENCE_MS = 60_000;
/** While the charting platform refuses the session, its jobs wait for as long as they may. */
const CATCH_UP_MS = 4_000;
const PAUSE_MS = 10;

/** How a process loses its database: it is killed (`crash`), or only its connections break (`cut`). */
export type Loss = 'crash' | 'cut';

interface Process {
  platform: Platform;
  port: number;
  toDatabase: DatabaseWire;
  toSystems: Forwarder;
  toRedis: { url: string; close(): void } | undefined;
}

/**
 * A platform that runs inside this process and can be "killed" between any two of its statements. A kill breaks all its
 * connections to the database, to external systems and to clients at the same instant. Its code may run on, but reaches
 * nobody, as if the process had ended. A successor starts at once, and clients reach it at the same address.
 */
export async function startInstallation(databaseUrl: string, redisServer?: RedisServer) {
  const redis = redisServer && (await simulatedRedis(redisServer));
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

  /** Counts down the statements of requests and jobs, but not those by which the job queue polls. */
  function onStatement(startupMessage: string): Verdict {
    if (!armed || !startupMessage.includes('platform-api\0') || --armed.left > 0) return 'pass';
    const { isBefore, loss } = armed;
    armed = undefined;
    if (loss === 'crash') queueMicrotask(() => void restart());
    return isBefore ? 'cut before' : 'cut after';
  }

  /** Requeues the jobs on which no process works any more, as the job queue does after some twenty seconds. */
  const requeueJobs = (minimumAgeMs = 0): Promise<number> =>
    database.execute(
      `update jobs.job set state = 'retry', start_after = now()
       where state = 'active' and started_on <= now() - $1 * interval '1 millisecond'`,
      [minimumAgeMs],
    );

  /** Starts a platform; undefined if it lost its database while starting, which ends it. */
  async function startProcess(): Promise<Process | undefined> {
    const toDatabase = databaseWire(socketFolder, onStatement);
    const toSystems = await forwarder({ target: () => ({ host: '127.0.0.1', port: sandboxPort }) });
    const toRedis = await redis?.open();
    let platform: Platform | undefined;
    try {
      const url = `postgresql://${databaseName}?host=${encodeURIComponent(toDatabase.host)}&user=postgres`;
      platform = await createPlatform(partsOf(url, toSystems.url, toRedis?.url));
      await requeueJobs();
      await platform.work();
      const port = Number(new URL(await platform.listen()).port);
      return { platform, port, toDatabase, toSystems, toRedis };
    } catch (error) {
      toDatabase.close();
      toSystems.close();
      toRedis?.close();
      platform?.close().catch(() => undefined);
      if (!isOutage(error)) throw error;
      return undefined;
    }
  }

  function partsOf(
    url: string,
    systemsUrl: string,
    redisUrl: string | undefined,
  ): Parameters<typeof createPlatform>[0] {
    const settings = { ...SETTINGS, ...(redisUrl && { REDIS_URL: redisUrl }) };
    const config = readConfig({ ...settings, DATA_DIR: folder, DATABASE_URL: url });
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
    do current = await startProcess();
    while (!current);
  }

  function restart(): Promise<void> {
    const killed = current;
    if (!killed) return restarting;
    current = undefined;
    for (const one of [api, killed.toSystems]) one.cut();
    killed.toDatabase.close();
    killed.toSystems.close();
    killed.toRedis?.close();
    // Not awaited: without any connection, closing fails or takes long.
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
    /** A connection of the simulation itself, for checks that the API does not offer. */
    database,
    /** Returns the current platform; waits for a restart to finish. */
    async platform(): Promise<Platform> {
      for (;;) {
        await restarting;
        if (current) return current.platform;
      }
    },
    /** Makes Redis fail, or work again; without one, nothing happens. */
    setRedis: async (mode: RedisMode): Promise<void> => redis?.set(mode),
    /** Runs the work that became due between two instants, as soon as the platform reaches its database. */
    async catchUp(from: Date, to: Date): Promise<CaughtUp> {
      for (
        const startedMs = performance.now();
        performance.now() - startedMs < PATIENCE_MS;
        await sleep(PAUSE_MS)
      ) {
        const answer = await fetch(`${api.url}/health/ready`).catch(() => undefined);
        await answer?.body?.cancel();
        if (answer?.ok) break;
      }
      const platform = await this.platform();
      return platform.catchUp(from, to, CATCH_UP_MS);
    },
    /** Requeues the jobs that were fetched over a connection that broke before it delivered them. */
    requeueLostJobs: (): Promise<number> => requeueJobs(CATCH_UP_MS),
    /** Makes the process lose its database at the `left`th next statement, before or after that statement arrives. */
    arm(loss: Loss, left: number, isBefore: boolean): void {
      armed = { left, isBefore, loss };
    },
    /** Carries out an armed loss now if its statement was never reached. */
    async loseNow(): Promise<void> {
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
      current?.toRedis?.close();
      await redis?.set('ok');
      await Promise.all([sandbox.close(), database.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Installation = Awaited<ReturnType<typeof startInstallation>>;
