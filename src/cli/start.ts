import type { Logger } from 'pino';
import { type Config, developmentFile, sandboxFile, sandboxObjects } from '../config.ts';
import { developmentCredentials } from '../development.ts';
import { createPlatform, migratePlatform, type Platform } from '../platform.ts';
import { type Sandbox, startSandbox } from '../sandbox/index.ts';
import { provideFfmpeg } from './provide-ffmpeg.ts';
import { installCredentials } from './setup.ts';
import { completeConfig, holdDatabase, newLog } from './with-platform.ts';

/** A stop that takes longer than this is given up. */
const STOP_TIMEOUT_MS = 9_500;

/** Starts everything in this one process, until SIGTERM or SIGINT. */
export async function start(config: Config): Promise<void> {
  const log = newLog(config);
  provideFfmpeg(config);
  const hold = await holdDatabase(config, log, false);
  let platform: Platform;
  let line: string;
  let sandbox: Sandbox | undefined;
  try {
    await migratePlatform(hold.url);
    const { environment, port, sandboxPort } = config;
    if (environment === 'development') {
      const { paymentWebhookSecret } = developmentCredentials(developmentFile(config));
      sandbox = await startSandbox({
        port: port === 0 ? 0 : sandboxPort,
        smtpPort: config.sandboxSmtpPort,
        paymentWebhookSecret,
        payoutDelay: config.sandboxPayoutDelay,
        stateFile: sandboxFile(config),
        objectsFolder: sandboxObjects(config),
      });
    }
    const complete = completeConfig(config, hold.url, sandbox);
    platform = await createPlatform({ config: complete, log });
    const held = sandbox;
    const release = async () => {
      await held?.close();
      await hold.release();
    };
    stopOnSignal(platform, release, log);
    if (!complete.smtpUrl) log.warn('no SMTP_URL: no mail is sent');
    const told = await installCredentials(platform, complete);
    if (config.role !== 'api') await platform.work();
    const url = config.role === 'worker' ? undefined : await platform.listen();
    if (url) sandbox?.deliverTo(url, complete.credentials?.apiKey);
    line = [
      'platform-api ready',
      ...(url ? [`url=${url}`, `reference=${url}/reference`] : []),
      ...(sandbox ? [`sandbox=${sandbox.url}`] : []),
      ...told,
    ].join(' ');
  } catch (error) {
    await sandbox?.close();
    await hold.release();
    throw error;
  }
  process.stdout.write(`${line}\n`);
}

function stopOnSignal(platform: Platform, release: () => Promise<void>, log: Logger): void {
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    await platform.close();
    await release();
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
