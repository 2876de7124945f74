import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import {
  type Config,
  ConfigurationFault,
  developmentFile,
  logLevelOf,
  type PlatformConfig,
} from '../app/config.ts';
import { createPlatform, type Platform } from '../app/platform.ts';
import { type Cluster, runningClusterUrl, startCluster } from '../embedded-postgres/cluster.ts';
import { AlreadyRunning, lockFolder } from '../embedded-postgres/instance-lock.ts';
import { logRedaction } from '../kernel/text/log-redaction.ts';
import { traceFields } from '../kernel/trace.ts';
import { makeDataFolder } from './data-folder.ts';
import { type DevelopmentCredentials, developmentCredentials } from './development-credentials.ts';
import { ensureSchema } from './schema.ts';

const DATABASE = 'platform';

/** Returns the logger; its lines name the request or job that they belong to, and contain no secrets. */
export const newLog = (config: Config): Logger =>
  pino(
    {
      level: logLevelOf(config),
      base: { pid: process.pid, role: config.role },
      mixin: traceFields,
      ...logRedaction(config.environment === 'production'),
    },
    pino.destination({ fd: 2, sync: false }),
  );

/** The URL of the database, and how to release it. */
export interface DatabaseHold {
  url: string;
  release: () => Promise<void>;
  /** Releases the database immediately, when there is no time left. */
  abandon?: () => void;
}

const embeddedFolder = ({ dataDir }: Config): string => join(dataDir, 'postgres');

/**
 * Returns the database of DATABASE_URL, or the embedded one, starting it if necessary.
 * @param onStart called before the embedded one is started
 * @throws AlreadyRunning when another process holds the embedded one, unless `shared`
 */
export async function holdDatabase(
  config: Config,
  log: Logger,
  shared: boolean,
  onStart: () => void = () => undefined,
): Promise<DatabaseHold> {
  makeDataFolder(config);
  if (config.databaseUrl) return { url: config.databaseUrl, release: async () => undefined };
  let unlock: () => Promise<void>;
  try {
    unlock = await lockFolder(config.dataDir);
  } catch (error) {
    const url =
      shared && error instanceof AlreadyRunning && runningClusterUrl(embeddedFolder(config), DATABASE);
    if (!url) throw error;
    return { url, release: async () => undefined };
  }
  let cluster: Cluster;
  try {
    onStart();
    cluster = await startCluster({
      folder: embeddedFolder(config),
      onUnexpectedExit: (code) => log.error({ code }, 'the embedded PostgreSQL exited; restarting it'),
    });
    await cluster.createDatabase(DATABASE);
  } catch (error) {
    await unlock();
    throw error;
  }
  return {
    url: cluster.urlOf(DATABASE),
    release: async () => {
      await cluster.stop();
      await unlock();
    },
    abandon: cluster.abandon,
  };
}

/**
 * Returns the configuration with the defaults of development.
 * @param sandbox the settings for reaching the sandbox's external systems, if they run
 */
export function completeConfig(
  config: Config,
  databaseUrl: string,
  sandbox: Partial<PlatformConfig> = {},
): PlatformConfig & { credentials?: DevelopmentCredentials } {
  if (config.environment === 'production') {
    if (config.secretKey === undefined) throw new ConfigurationFault('SECRET_KEY is needed in production');
    return { ...config, databaseUrl, secretKey: config.secretKey };
  }
  const credentials = developmentCredentials(developmentFile(config));
  return {
    ...config,
    databaseUrl,
    secretKey: config.secretKey ?? credentials.secretKey,
    gateway: {
      ...config.gateway,
      internalApiKey: config.gateway.internalApiKey ?? credentials.internalApiKey,
      webhookSecrets: config.gateway.webhookSecrets ?? [credentials.webhookSecret],
    },
    adminEmail: config.adminEmail ?? credentials.adminEmail,
    adminPassword: config.adminPassword ?? credentials.adminPassword,
    ...sandbox,
    credentials,
    developmentApiKey: credentials.apiKey,
  };
}

/**
 * Runs a command on a migrated platform that neither listens nor runs jobs.
 * @throws AlreadyRunning when a server runs on the embedded database and the command cannot run `besideServer`
 */
export async function withPlatform<T>(
  config: Config,
  work: (platform: Platform, config: ReturnType<typeof completeConfig>) => Promise<T>,
  besideServer = true,
): Promise<T> {
  const log = newLog(config);
  const hold = await holdDatabase(config, log, besideServer);
  try {
    await ensureSchema(config, hold.url, log);
    const complete = completeConfig(config, hold.url);
    const platform = await createPlatform({ config: complete, log });
    try {
      return await work(platform, complete);
    } finally {
      await platform.close();
    }
  } finally {
    await hold.release();
  }
}
