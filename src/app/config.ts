import { join } from 'node:path';
import { directoryFaults } from '../external/directory/settings.ts';
import { paymentFaults } from '../external/payment/settings.ts';
import { pushFaults } from '../external/push/settings.ts';
import { externalSettings } from '../external/settings.ts';
import { storageFaults } from '../external/storage/settings.ts';
import { gatewaySettings } from '../gateway/settings.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { type Setting, settingText, type ValuesOf } from '../kernel/settings.ts';
import { redactText } from '../kernel/text/redaction.ts';
import { SECOND_MS } from '../kernel/time/time.ts';
import { analyticsSettings } from '../modules/analytics/settings.ts';
import { educatorSettings } from '../modules/educators/settings.ts';
import { identitySettings } from '../modules/identity/settings.ts';
import { indicatorSettings } from '../modules/indicators/settings.ts';
import { mediaSettings } from '../modules/media/settings.ts';
import { notificationSettings } from '../modules/notifications/settings.ts';
import { realtimeSettings } from '../modules/realtime/settings.ts';
import { walletSettings } from '../modules/wallet/settings.ts';
import { watchingSettings } from '../modules/watching/settings.ts';
import { processSettings, type Role, sandboxSettings } from './settings.ts';

/** The configuration is invalid; the message lists every fault. */
export class ConfigurationFault extends OperatorFault {
  override readonly name = 'ConfigurationFault';
}

/** The settings of each part of the platform, which declares them itself. */
const GROUPS = {
  gateway: gatewaySettings,
  identity: identitySettings,
  wallet: walletSettings,
  media: mediaSettings,
  educators: educatorSettings,
  realtime: realtimeSettings,
  indicators: indicatorSettings,
  analytics: analyticsSettings,
  notifications: notificationSettings,
  watching: watchingSettings,
  ...externalSettings,
  sandbox: sandboxSettings,
} satisfies Record<string, Record<string, Setting<unknown>>>;

/** All settings, in the order of `.env.example`. */
export const SETTINGS: readonly Setting<unknown>[] = [processSettings, ...Object.values(GROUPS)].flatMap(
  (group) => Object.values<Setting<unknown>>(group),
);

/** The parsed settings: those of the process, and those of each part under its name (`config.media.maxBytes`). */
export type Config = ValuesOf<typeof processSettings> & {
  [Group in keyof typeof GROUPS]: ValuesOf<(typeof GROUPS)[Group]>;
};

/** A complete configuration, with which a platform can run. */
export type PlatformConfig = Config & {
  databaseUrl: string;
  secretKey: string;
  /** Base URL of the sandbox's external systems, in development. */
  sandboxUrl?: string;
  /** The API key that the reference fills in, in development. */
  developmentApiKey?: string;
};

/** Common placeholders for secrets. */
const PLACEHOLDER = /^(change.?me|secret|password|example|default|test|x+|your.?)|^(.)\2+$/i;

/**
 * Reads all settings. An empty variable counts as missing; a secret may be read from a file that `<variable>_FILE`
 * names.
 * @throws ConfigurationFault one message that lists every fault
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const faults: string[] = [];
  /** Excludes malformed settings, whose faults are already recorded. */
  const values = new Map<Setting<unknown>, unknown>();
  for (const setting of SETTINGS) {
    try {
      values.set(setting, setting.read(settingText(setting, environment)));
    } catch (error) {
      faults.push(`${setting.variable} ${(error as Error).message}`);
    }
  }
  const valuesOf = (group: Record<string, Setting<unknown>>) =>
    mapped(group, (setting) => values.get(setting));
  const config = { ...valuesOf(processSettings), ...mapped(GROUPS, valuesOf) } as Config;
  const combined = [
    ...processFaults(config),
    ...paymentFaults(config.payment),
    ...pushFaults(config.push),
    ...storageFaults(config.storage),
    ...(config.environment === 'production' ? productionFaults(config, values) : []),
  ];
  // The combined rules treat a malformed setting as missing; the faults that they derive from it are dropped.
  const malformed = SETTINGS.filter((setting) => !values.has(setting)).map(({ variable }) => variable);
  faults.push(...combined.filter((fault) => !fault.split(/\W+/).some((word) => malformed.includes(word))));
  if (faults.length > 0)
    throw new ConfigurationFault(`The configuration is invalid:\n  - ${faults.join('\n  - ')}`);
  return config;
}

const MASK = '********';

/** Returns all settings as operators may see them: secrets are masked, and so are passwords within addresses. */
export const shownSettings = (config: Config): { name: string; value: string | null }[] =>
  [{ settings: processSettings, values: config }, ...groupsOf(config)].flatMap(({ settings, values }) =>
    Object.entries<Setting<unknown>>(settings).map(([key, { variable, isSecret }]) => {
      const value = (values as Record<string, unknown>)[key];
      const isUnset = value === undefined || value === null;
      return { name: variable, value: isUnset ? null : isSecret ? MASK : redactText(String(value)) };
    }),
  );

const groupsOf = (config: Config) =>
  Object.entries(GROUPS).map(([name, settings]) => ({
    settings,
    values: config[name as keyof typeof GROUPS],
  }));

const mapped = <From, To>(values: Record<string, From>, to: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value)]));

function processFaults(config: Config): string[] {
  const faults: string[] = [];
  if ((config.adminEmail === undefined) !== (config.adminPassword === undefined)) {
    faults.push('ADMIN_EMAIL and ADMIN_PASSWORD must be set together');
  }
  if (config.metricsPort !== undefined && config.metricsPort !== 0 && config.metricsPort === config.port) {
    faults.push('METRICS_PORT must differ from PORT; without it metrics are served beside the API');
  }
  if (config.processes > 1 && config.environment !== 'production') {
    faults.push('PROCESSES needs ENVIRONMENT=production; in development one process has the sandbox');
  }
  if (config.databasePooler === 'transaction' && config.databaseDirectUrl === undefined) {
    faults.push(
      'DATABASE_DIRECT_URL is needed with DATABASE_POOLER=transaction, which migrations and the job queue cannot work through',
    );
  }
  if (drainSecondsOf(config) >= config.stopSeconds) {
    faults.push('STOP_SECONDS must be greater than DRAIN_SECONDS');
  }
  return faults;
}

/** @param values the settings that are not malformed */
function productionFaults(config: Config, values: ReadonlyMap<Setting<unknown>, unknown>): string[] {
  // Only the monitoring connects to a worker.
  const isNeeded = (setting: Setting<unknown>): boolean =>
    !(setting === gatewaySettings.trustedProxies && config.role === 'worker');
  const missing = SETTINGS.flatMap((setting) => {
    const { variable, neededInProduction: needed } = setting;
    const isMissing = needed && values.has(setting) && values.get(setting) === undefined && isNeeded(setting);
    return isMissing ? [`${variable} is needed in production${needed.hint ? `: ${needed.hint}` : ''}`] : [];
  });
  const weak = SETTINGS.filter(
    (setting) => setting.isSecret && textsOf(values.get(setting)).some((text) => PLACEHOLDER.test(text)),
  ).map(({ variable }) => `${variable} is a placeholder`);
  return [...missing, ...weak, ...directoryFaults(config.directory)];
}

/** A secret may be a list during rotation. */
const textsOf = (value: unknown): string[] => [value ?? []].flat().map(String);

/** Returns the log level, resolving `auto` by environment. */
export const logLevelOf = ({ logLevel, environment }: Config): string => {
  if (logLevel !== 'auto') return logLevel;
  return environment === 'production' ? 'info' : 'warn';
};

/** Returns how the pool of connections reaches PostgreSQL, and its replica if there is one. */
export const databaseAccessOf = ({ databasePooler, databaseStatements, ...config }: Config) => ({
  pooler: databasePooler,
  ...(config.databaseReadUrl !== undefined && {
    replica: { url: config.databaseReadUrl, maxLagMs: config.databaseReadLagSeconds * SECOND_MS },
  }),
  ...(databaseStatements !== 'auto' && { namesStatements: databaseStatements === 'named' }),
});

const MOST_QUEUE_CONNECTIONS = 6;
const LEAST_QUEUE_CONNECTIONS = 2;

/**
 * Returns the number of connections on which jobs are claimed and completed: half as many as for requests, since these
 * statements are short.
 */
export const queueConnectionsOf = ({ databaseConnections }: Pick<Config, 'databaseConnections'>): number =>
  Math.min(MOST_QUEUE_CONNECTIONS, Math.max(LEAST_QUEUE_CONNECTIONS, Math.floor(databaseConnections / 2)));

/** Whether processes of this role listen for requests or WebSockets. */
export const servesClients = (role: Role): boolean => role !== 'worker';

/** Whether processes of this role run jobs. */
export const runsJobs = (role: Role): boolean => role === 'all' || role === 'worker';

const DRAIN_SECONDS = { development: 0, production: 5 };

export const drainSecondsOf = ({ drainSeconds, environment }: Config): number =>
  drainSeconds ?? DRAIN_SECONDS[environment];

/** Returns the separate port for health and metrics; undefined when they share the port of the API. */
export const monitoringPortOf = ({ metricsPort, role, port }: Config): number | undefined =>
  metricsPort ?? (role === 'worker' ? port : undefined);

/** Returns the browser origins that may use the API and its live channel; undefined means all. */
export const originsOf = ({ gateway, environment }: Config): string[] | undefined =>
  gateway.corsOrigins ?? (environment === 'production' ? [] : undefined);

/** Returns the folder in which the sandbox's storage keeps its objects. */
export const sandboxObjects = ({ dataDir }: Config): string => join(dataDir, 'storage');
export const sandboxFile = ({ dataDir }: Config): string => join(dataDir, 'sandbox-payments.json');
/** Returns the file in which the sandbox's charting platform keeps its grants. */
export const sandboxChartingFile = ({ dataDir }: Config): string => join(dataDir, 'sandbox-charting.jsonl');
/** Returns the file in which the sandbox stores the offset of its clock. */
export const sandboxClockFile = ({ dataDir }: Config): string => join(dataDir, 'sandbox-clock.json');
export const developmentFile = ({ dataDir }: Config): string => join(dataDir, 'development.json');
