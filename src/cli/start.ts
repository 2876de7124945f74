import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createPlatform, migratePlatform, type Platform } from '../platform.ts';
import { installCredentials } from './setup.ts';
import { completeConfig, type DatabaseHold, holdDatabase, newLog } from './with-platform.ts';

/** A stop that takes longer than this is given up. */
const STOP_TIMEOUT_MS = 9_500;

/** Starts everything in this one process, until SIGTERM or SIGINT. */
export async function start(config: Config): Promise<void> {
  const log = newLog(config);
  const hold = await holdDatabase(config, log, false);
  let platform: Platform;
  let line: string;
  try {
    await migratePlatform(hold.url);
    const complete = completeConfig(config, hold.url);
    platform = await createPlatform({ config: complete, log });
    stopOnSignal(platform, hold, log);
    const told = await installCredentials(platform, complete);
    if (config.role !== 'api') await platform.work();
    const url = config.role === 'worker' ? undefined : await platform.listen();
    line = ['platform-api ready', ...(url ? [`url=${url}`, `reference=${url}/reference`] : []), ...told].join(
      ' ',
    );
  } catch (error) {
    await hold.release();
    throw error;
  }
  process.stdout.write(`${line}\n`);
}

function stopOnSignal(platform: Platform, hold: DatabaseHold, log: Logger): void {
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    await platform.close();
    await hold.release();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
  const crash = (error: unknown) => {
    log.fatal(error, 'a fault nobody caught');
    process.exitCode = 1;
    void stop('fault');
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
}
