import { join } from 'node:path';
import { chartingSettings } from '../external/charting/settings.ts';
import { directoryFaults, directorySettings } from '../external/directory/settings.ts';
import { mailSettings } from '../external/mail/settings.ts';
import { paymentFaults, paymentSettings } from '../external/payment/settings.ts';
import { priceSettings } from '../external/prices/settings.ts';
import { pushFaults, pushSettings } from '../external/push/settings.ts';
import { scheduleSettings } from '../external/schedule/settings.ts';
import { storageFaults, storageSettings } from '../external/storage/settings.ts';
import { transcoderSettings } from '../external/transcoder/settings.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';
import {
  choice,
  decimal,
  givenFor,
  integer,
  list,
  networks,
  optional,
  optionalBaseUrl,
  optionalInteger,
  optionalUrl,
  type Setting,
  secret,
  secrets,
  text,
  type ValuesOf,
  withSecret,
} from '../kernel/settings.ts';
import { isEmailAddress } from '../kernel/text/email-address.ts';
import { drainSecondsOf } from './derived-settings.ts';

/** The configuration is invalid; the message lists every fault. */
export class ConfigurationFault extends OperatorFault {
  override readonly name = 'ConfigurationFault';
}

/** The settings of the platform itself. */
const CORE_SETTINGS = {
  environment: choice(
    'ENVIRONMENT',
    ['development', 'production'],
    'development',
    'The kind of installation',
  ),
  host: text('HOST', '127.0.0.1', 'The address to listen on'),
  port: integer(
    'PORT',
    3000,
    [0, 65_535],
    'The port to listen on; 0 picks a free one, which the ready line reports',
  ),
  metricsPort: optionalInteger(
    'METRICS_PORT',
    [0, 65_535],
    'A separate port for /metrics and /health, in every role; without it they are served beside the API, and by a worker at PORT',
    '9464',
  ),
  drainSeconds: optionalInteger(
    'DRAIN_SECONDS',
    [0, 300],
    'Seconds after SIGTERM during which requests are still accepted while /health/ready returns 503; by default 0 in development and 5 in production',
    '5',
  ),
  stopSeconds: integer(
    'STOP_SECONDS',
    10,
    [2, 600],
    'Seconds after SIGTERM by which the process ends, drain included; work that is still running is then aborted, and the exit code is 1',
  ),
  stalledClientSeconds: integer(
    'STALLED_CLIENT_SECONDS',
    30,
    [5, 3600],
    'Seconds after which a connection is closed whose client takes nothing of a pending response',
  ),
  publicUrl: optionalBaseUrl(
    'PUBLIC_URL',
    'Base URL at which clients reach the API, which all links begin with; needed in production, by default HOST:PORT in development',
    'https://api.example.com',
  ),
  dataDir: text('DATA_DIR', '.data', 'Directory of the embedded database and of development.json'),
  databaseUrl: withSecret(
    optionalUrl(
      'DATABASE_URL',
      'A PostgreSQL server, version 15 or later; without it an embedded one runs under DATA_DIR',
      'postgresql://platform:secret@localhost:5432/platform',
    ),
  ),
  databaseConnections: integer(
    'DATABASE_CONNECTIONS',
    20,
    [2, 500],
    'Maximum number of database connections of a process',
  ),
  migrate: choice(
    'MIGRATE',
    ['auto', 'off'],
    'auto',
    'Whether a process migrates the database when it starts; with off it waits until the command "migrate" has done so',
  ),
  rememberedAccounts: integer(
    'LEDGER_REMEMBERED_ACCOUNTS',
    20_000,
    [0, 1_000_000],
    'Accounts whose newest entry each process keeps in memory, so that a transfer takes one statement; 0 posts all transfers under locks',
  ),
  analyticsRetentionDays: integer(
    'ANALYTICS_RETENTION_DAYS',
    400,
    [60, 3650],
    'Days for which individual events are kept; totals are kept permanently',
  ),
  redisUrl: withSecret(
    optionalUrl(
      'REDIS_URL',
      'Redis or Valkey, to share rate limits and live messages between processes; without it they are local to a process',
      'redis://localhost:6379',
    ),
  ),
  role: choice(
    'ROLE',
    ['all', 'api', 'worker'],
    'all',
    'The role of this process: everything, only the API, or only background work',
  ),
  adminEmail: optional(
    'ADMIN_EMAIL',
    'E-mail of the first administrator, created if missing',
    'admin@example.com',
  ),
  adminPassword: secret('ADMIN_PASSWORD', 8, 'Password of the first administrator'),
  apiKey: secret('API_KEY', 16, 'A text of your choice that is installed as an API key of the Admin tier'),
  secretKey: secret(
    'SECRET_KEY',
    32,
    'Encrypts the signing keys in the database; keep it secret, and do not lose it',
  ),
  internalApiKey: secret('INTERNAL_API_KEY', 16, 'The key that internal services send as X-Internal-API-Key'),
  webhookSecrets: secrets(
    'WEBHOOK_SECRET',
    16,
    'The secret that the backoffice sends as X-Webhook-Secret; two, separated by a comma, during rotation; if empty, its webhooks are rejected',
  ),
  corsOrigins: list(
    'CORS_ORIGINS',
    'Browser origins that may use the API, separated by commas; by default all in development and none in production',
    'https://app.example.com',
  ),
  trustedProxies: networks(
    'TRUSTED_PROXIES',
    'Addresses and networks (CIDR) of proxies and load balancers, whose X-Forwarded-For is trusted, separated by commas; none if clients connect directly; needed in production, except by ROLE=worker',
    '10.0.0.0/8',
  ),
  logLevel: choice(
    'LOG_LEVEL',
    ['auto', 'debug', 'info', 'warn', 'error', 'silent'],
    'auto',
    'The log level, written to standard error; auto is info in production and warn in development',
  ),
  accessLog: choice(
    'ACCESS_LOG',
    ['on', 'off'],
    'on',
    'Whether each request is logged at info, with route and outcome but without query and body',
  ),
  commit: text('COMMIT', 'unknown', 'The commit of this build, for platform_build_info'),
  liveConnections: integer(
    'LIVE_CONNECTIONS',
    10_000,
    [1, 100_000],
    'Maximum number of signed-in WebSocket connections of a process; a fifth as many may be signing in besides',
  ),
  liveConnectionsPerMember: integer(
    'LIVE_CONNECTIONS_PER_MEMBER',
    20,
    [1, 100_000],
    'Maximum number of WebSocket connections of a member to a process; a further one closes the oldest',
  ),
  refreshReuseLeeway: integer(
    'REFRESH_REUSE_LEEWAY',
    0,
    [0, 300],
    'Seconds during which the direct predecessor of the current refresh token may be used once more',
  ),
  passwordBlocklist: choice(
    'PASSWORD_BLOCKLIST',
    ['auto', 'on', 'off'],
    'auto',
    'Whether common passwords are rejected; auto is on in production',
  ),
  livePlatformUrl: optionalUrl(
    'LIVE_PLATFORM_URL',
    'The address that single sign-on for livestream redirects to, with ?token=',
    'https://live.example.com/sso',
  ),
  storyHours: integer('STORY_HOURS', 24, [1, 720], 'Hours for which stories of educators are visible'),
  hideEducatorEmails: choice(
    'HIDE_EDUCATOR_EMAILS',
    ['off', 'on'],
    'off',
    'Whether e-mail addresses of educators are shown only to themselves and to administrators',
  ),
  videoMaxBytes: integer(
    'VIDEO_MAX_BYTES',
    5 * 1024 ** 3,
    [1, 5 * 1024 ** 3],
    'The largest video that may be uploaded, in bytes',
  ),
  publicFilesUrl: optionalUrl(
    'PUBLIC_FILES_URL',
    'Base URL of a CDN in front of /media/files/, with a trailing slash, for images and other public uploads',
    'https://cdn.example.com/media/files/',
  ),
  videoDelivery: choice(
    'VIDEO_DELIVERY',
    ['proxy', 'redirect'],
    'proxy',
    'How video segments are delivered: through the platform, or by a redirect to a signed storage link',
  ),
  videoCacheMebibytes: integer(
    'VIDEO_CACHE_MIB',
    64,
    [0, 65_536],
    'Memory of a process for recently played segments and playlists, in MiB; 0 keeps none',
  ),
  indicatorGraceDays: decimal(
    'INDICATOR_GRACE_DAYS',
    7,
    [0, 365],
    'Days for which an inactive member keeps indicators that depend on activity',
  ),
} satisfies Record<string, Setting<unknown>>;

/** The settings of the local sandbox, used in development only. */
const SANDBOX_SETTINGS = {
  sandboxPort: integer(
    'SANDBOX_PORT',
    3001,
    [0, 65_535],
    'In development, the port of the sandbox of external systems; a free one if it is taken, equals PORT, is 0, or PORT is 0',
  ),
  sandboxSmtpPort: integer(
    'SANDBOX_SMTP_PORT',
    3002,
    [0, 65_535],
    "In development, the port of the sandbox's mail server; a free one if it is taken",
  ),
  sandboxPayoutDelay: integer(
    'SANDBOX_PAYOUT_DELAY',
    30,
    [0, 86_400],
    'Seconds after which payouts of the sandbox settle automatically',
  ),
} satisfies Record<string, Setting<unknown>>;

/** All settings, in the order of `.env.example`. The modules of external systems declare their own. */
export const SETTINGS = {
  ...CORE_SETTINGS,
  ...directorySettings,
  ...paymentSettings,
  ...mailSettings,
  ...pushSettings,
  ...priceSettings,
  ...scheduleSettings,
  ...storageSettings,
  ...transcoderSettings,
  ...chartingSettings,
  ...SANDBOX_SETTINGS,
} satisfies Record<string, Setting<unknown>>;

export type Config = ValuesOf<typeof SETTINGS>;

const NEEDED_IN_PRODUCTION: { setting: keyof typeof SETTINGS; hint?: string }[] = [
  { setting: 'databaseUrl' },
  { setting: 'secretKey' },
  { setting: 'internalApiKey' },
  { setting: 'webhookSecrets' },
  {
    setting: 'publicUrl',
    hint: 'the address at which clients reach the API, such as https://api.example.com',
  },
  {
    setting: 'trustedProxies',
    hint: 'the addresses of the load balancers in front of it, such as 10.0.0.0/8, or none',
  },
];
/** Common placeholders for secrets. */
const PLACEHOLDER = /^(change.?me|secret|password|example|default|test|x+|your.?)|^(.)\2+$/i;

/**
 * Reads all settings. An empty variable counts as missing; a secret may be read from a file that `<variable>_FILE`
 * names.
 * @throws ConfigurationFault one message that lists every fault
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const faults: string[] = [];
  const malformed = new Set<string>();
  const read: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(SETTINGS) as [string, Setting<unknown>][]) {
    try {
      read[name] = setting.read(givenFor(setting, environment));
    } catch (error) {
      faults.push(`${setting.variable} ${(error as Error).message}`);
      malformed.add(name);
    }
  }
  const config = read as Config;
  faults.push(
    ...coreFaults(config),
    ...paymentFaults(config),
    ...pushFaults(config),
    ...storageFaults(config),
  );
  if (config.environment === 'production') faults.push(...productionFaults(config, malformed));
  if (faults.length > 0)
    throw new ConfigurationFault(`The configuration is invalid:\n  - ${faults.join('\n  - ')}`);
  return config;
}

function coreFaults(config: Config): string[] {
  const faults: string[] = [];
  if ((config.adminEmail === undefined) !== (config.adminPassword === undefined)) {
    faults.push('ADMIN_EMAIL and ADMIN_PASSWORD must be set together');
  }
  if (config.adminEmail !== undefined && !isEmailAddress(config.adminEmail)) {
    faults.push('ADMIN_EMAIL must be an e-mail address');
  }
  if (config.metricsPort !== undefined && config.metricsPort !== 0 && config.metricsPort === config.port) {
    faults.push('METRICS_PORT must differ from PORT; without it metrics are served beside the API');
  }
  if (drainSecondsOf(config) >= config.stopSeconds) {
    faults.push('STOP_SECONDS must be greater than DRAIN_SECONDS');
  }
  return faults;
}

/** @param malformed the settings whose fault is known already; they are not missing */
function productionFaults(config: Config, malformed: Set<string>): string[] {
  const missing = NEEDED_IN_PRODUCTION.filter(
    ({ setting }) =>
      config[setting] === undefined &&
      !malformed.has(setting) &&
      // Nobody but the monitoring connects to a worker.
      !(setting === 'trustedProxies' && config.role === 'worker'),
  ).map(
    ({ setting, hint }) =>
      `${SETTINGS[setting].variable} is needed in production${hint === undefined ? '' : `: ${hint}`}`,
  );
  const values: Record<string, unknown> = config;
  const weak = (Object.entries(SETTINGS) as [string, Setting<unknown>][])
    .filter(
      ([name, { isSecret }]) => isSecret && textsOf(values[name]).some((text) => PLACEHOLDER.test(text)),
    )
    .map(([, { variable }]) => `${variable} is a placeholder`);
  return [...missing, ...weak, ...directoryFaults(config)];
}

/** A secret may be a list during rotation. */
const textsOf = (value: unknown): string[] => [value ?? []].flat().map(String);

/** Returns the folder in which the sandbox's storage keeps its objects. */
export const sandboxObjects = ({ dataDir }: Config): string => join(dataDir, 'storage');
export const sandboxFile = ({ dataDir }: Config): string => join(dataDir, 'sandbox-payments.json');
/** Returns the file in which the sandbox's charting platform keeps its grants. */
export const sandboxChartingFile = ({ dataDir }: Config): string => join(dataDir, 'sandbox-charting.jsonl');
export const developmentFile = ({ dataDir }: Config): string => join(dataDir, 'development.json');
