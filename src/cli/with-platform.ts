import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { type Config, ConfigurationFault, developmentFile } from '../config.ts';
import { logLevelOf } from '../derived-settings.ts';
import { type DevelopmentCredentials, developmentCredentials } from '../development.ts';
import { chartingAddress } from '../external/charting/index.ts';
import type { S3Address } from '../external/storage/s3.ts';
import { type Cluster, runningClusterUrl, startCluster } from '../kernel/postgres/cluster.ts';
import { AlreadyRunning, lockFolder } from '../kernel/postgres/instance-lock.ts';
import { traceFields } from '../kernel/trace.ts';
import type { Payments, PlatformConfig, Pushes } from '../modules.ts';
import { createPlatform, migratePlatform, type Platform } from '../platform.ts';
import {
  SANDBOX_BACKOFFICE_KEY,
  type Sandbox,
  sandboxCharting,
  sandboxPayments,
  sandboxPushes,
  sandboxStorage,
} from '../sandbox/index.ts';

const DATABASE = 'platform';

/** Every line tells which request or job it belongs to, where it belongs to one. */
export const newLog = (config: Config): Logger =>
  pino(
    { level: logLevelOf(config), base: { pid: process.pid, role: config.role }, mixin: traceFields },
    pino.destination({ fd: 2, sync: false }),
  );

/** Where the database is, and how to let go of it. */
export interface DatabaseHold {
  url: string;
  release: () => Promise<void>;
  /** The same in an instant, where there is no time left. */
  abandon?: () => void;
}

const embeddedFolder = ({ dataDir }: Config): string => join(dataDir, 'postgres');

/**
 * The database of DATABASE_URL, or the embedded one, started if need be.
 * @param onStart called before the embedded one is started
 * @throws AlreadyRunning when another process has the embedded one, unless `shared`
 */
export async function holdDatabase(
  config: Config,
  log: Logger,
  shared: boolean,
  onStart: () => void = () => undefined,
): Promise<DatabaseHold> {
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
      onUnexpectedExit: (code) => log.error({ code }, 'the embedded PostgreSQL ended; starting it again'),
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

const stripeOf = (config: Config): Payments | undefined =>
  config.paymentProvider === 'stripe' && config.stripeSecretKey && config.stripeWebhookSecret
    ? {
        secretKey: config.stripeSecretKey,
        webhookSecret: config.stripeWebhookSecret,
        ...(config.stripeApiUrl === undefined ? {} : { apiUrl: config.stripeApiUrl }),
      }
    : undefined;

const pushesOf = ({ fcmServiceAccount, fcmApiUrl }: Config): Pushes | undefined =>
  fcmServiceAccount === undefined
    ? undefined
    : { account: JSON.parse(fcmServiceAccount) as Pushes['account'], apiUrl: fcmApiUrl };

const storageOf = (config: Config): S3Address | undefined => {
  const { storageEndpoint: endpoint, storageAccessKeyId: accessKeyId } = config;
  const { storageSecretAccessKey: secretAccessKey, storageRegion: region, storageBucket: bucket } = config;
  if (endpoint === undefined || accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const publicEndpoint = config.storagePublicEndpoint ?? endpoint;
  const publicBaseUrl = config.storagePublicBaseUrl ?? `${publicEndpoint.replace(/\/$/, '')}/${bucket}/`;
  return { endpoint, publicEndpoint, region, bucket, accessKeyId, secretAccessKey, publicBaseUrl };
};

/** The external systems of development: those that are configured, and the sandbox's for the others. */
function standIns(
  config: Config,
  sandbox: Sandbox,
  credentials: DevelopmentCredentials,
): Partial<PlatformConfig> {
  const { url, smtpUrl } = sandbox;
  return {
    sandboxUrl: url,
    backofficeUrl: config.backofficeUrl ?? `${url}/backoffice/`,
    livePlatformUrl: config.livePlatformUrl ?? `${url}/live`,
    priceFeedUrl: config.priceFeedUrl ?? `${url}/prices/stream`,
    scheduleUrl: config.scheduleUrl ?? `${url}/schedule/`,
    smtpUrl: config.smtpUrl ?? smtpUrl,
    pushes: pushesOf(config) ?? sandboxPushes(sandbox),
    payments: stripeOf(config) ?? sandboxPayments(sandbox, credentials),
    storage: storageOf(config) ?? sandboxStorage(sandbox),
    charting: chartingAddress(config) ?? sandboxCharting(sandbox),
  };
}

/** The configuration with what development fills in by itself. */
export function completeConfig(
  config: Config,
  databaseUrl: string,
  sandbox?: Sandbox,
): PlatformConfig & { credentials?: DevelopmentCredentials } {
  if (config.environment === 'production') {
    if (config.secretKey === undefined) throw new ConfigurationFault('SECRET_KEY is needed in production');
    return {
      ...config,
      databaseUrl,
      secretKey: config.secretKey,
      payments: stripeOf(config),
      pushes: pushesOf(config),
      storage: storageOf(config),
      charting: chartingAddress(config),
    };
  }
  const credentials = developmentCredentials(developmentFile(config));
  return {
    ...config,
    databaseUrl,
    secretKey: config.secretKey ?? credentials.secretKey,
    internalApiKey: config.internalApiKey ?? credentials.internalApiKey,
    webhookSecrets: config.webhookSecrets ?? [credentials.webhookSecret],
    adminEmail: config.adminEmail ?? credentials.adminEmail,
    adminPassword: config.adminPassword ?? credentials.adminPassword,
    backofficeApiKey: config.backofficeApiKey ?? SANDBOX_BACKOFFICE_KEY,
    pushes: pushesOf(config),
    payments: stripeOf(config),
    storage: storageOf(config),
    charting: chartingAddress(config),
    ...(sandbox ? standIns(config, sandbox, credentials) : {}),
    credentials,
  };
}

/** Runs a command on a migrated platform that neither listens nor works. */
export async function withPlatform<T>(
  config: Config,
  work: (platform: Platform, config: ReturnType<typeof completeConfig>) => Promise<T>,
): Promise<T> {
  const log = newLog(config);
  const hold = await holdDatabase(config, log, true);
  try {
    await migratePlatform(hold.url);
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
