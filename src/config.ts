import { join } from 'node:path';
import { drainSecondsOf } from './derived-settings.ts';
import { chartingSettings } from './external/charting/settings.ts';
import { isEmailAddress } from './kernel/email-address.ts';
import {
  choice,
  decimal,
  givenFor,
  integer,
  list,
  networks,
  optional,
  optionalInteger,
  optionalUrl,
  type Setting,
  secret,
  secrets,
  text,
  withSecret,
} from './settings.ts';

/** The start was refused; the message names every fault of the configuration. */
export class ConfigurationFault extends Error {
  override readonly name = 'ConfigurationFault';
}

/** Every setting there is, in the order of `.env.example`. */
export const SETTINGS = {
  environment: choice(
    'ENVIRONMENT',
    ['development', 'production'],
    'development',
    'What this installation is for',
  ),
  host: text('HOST', '127.0.0.1', 'The address to listen on'),
  port: integer(
    'PORT',
    3000,
    [0, 65_535],
    'The port to listen on; 0 picks a free one and the ready line tells',
  ),
  metricsPort: optionalInteger(
    'METRICS_PORT',
    [0, 65_535],
    'A port of its own for /metrics and /health, in every role; without it they stand beside the API, and a worker has them at PORT',
    '9464',
  ),
  drainSeconds: optionalInteger(
    'DRAIN_SECONDS',
    [0, 300],
    'After SIGTERM, how long requests are still taken while /health/ready says 503; 0 in development and 5 in production unless set',
    '5',
  ),
  stopSeconds: integer(
    'STOP_SECONDS',
    10,
    [2, 600],
    'After SIGTERM, everything has ended by then, drain included; what has not is cut off, and the exit code is 1',
  ),
  publicUrl: optionalUrl(
    'PUBLIC_URL',
    'Where clients reach the API, when not at HOST:PORT',
    'https://api.example.com',
  ),
  dataDir: text('DATA_DIR', '.data', 'Where the embedded database and development.json live'),
  databaseUrl: withSecret(
    optionalUrl(
      'DATABASE_URL',
      'A PostgreSQL 15 or later of your own; without it one is embedded under DATA_DIR',
      'postgresql://platform:secret@localhost:5432/platform',
    ),
  ),
  databaseConnections: integer('DATABASE_CONNECTIONS', 20, [2, 500], 'Connections of one process, at most'),
  redisUrl: withSecret(
    optionalUrl(
      'REDIS_URL',
      'Redis or Valkey, for rate limits and messages that many processes share; without it they are in-process',
      'redis://localhost:6379',
    ),
  ),
  liveConnections: integer(
    'LIVE_CONNECTIONS',
    10_000,
    [1, 100_000],
    'WebSocket connections of one process, at most',
  ),
  liveConnectionsPerMember: integer(
    'LIVE_CONNECTIONS_PER_MEMBER',
    20,
    [1, 100_000],
    'The same of one member; a further one closes their oldest',
  ),
  role: choice('ROLE', ['all', 'api', 'worker'], 'all', 'What this process does'),
  adminEmail: optional('ADMIN_EMAIL', 'The first administrator, made if missing', 'admin@example.com'),
  adminPassword: secret('ADMIN_PASSWORD', 8, 'The first administrator'),
  apiKey: secret('API_KEY', 16, 'A text of yours, installed as an API key of the Admin tier'),
  secretKey: secret('SECRET_KEY', 32, 'Seals the signing keys in the database; keep it, and keep it secret'),
  internalApiKey: secret('INTERNAL_API_KEY', 16, 'What our own services show as X-Internal-API-Key'),
  webhookSecrets: secrets(
    'WEBHOOK_SECRET',
    16,
    'What the backoffice shows as X-Webhook-Secret; two by a comma while it is rotated, empty for none: its webhooks are refused then',
  ),
  refreshReuseLeeway: integer(
    'REFRESH_REUSE_LEEWAY',
    0,
    [0, 300],
    'Seconds in which the direct parent of the current refresh token may be used once more',
  ),
  passwordBlocklist: choice(
    'PASSWORD_BLOCKLIST',
    ['auto', 'on', 'off'],
    'auto',
    'Whether common passwords are refused; auto is on in production',
  ),
  livePlatformUrl: optionalUrl(
    'LIVE_PLATFORM_URL',
    'Where single sign-on on livestream leads, with ?token=',
    'https://live.example.com/sso',
  ),
  customerDirectory: choice(
    'CUSTOMER_DIRECTORY',
    ['local', 'backoffice'],
    'local',
    'Who checks passwords and tells purchases: our own database or the external backoffice',
  ),
  backofficeUrl: optionalUrl(
    'BACKOFFICE_URL',
    'Where the external backoffice is',
    'https://backoffice.example.com/api',
  ),
  backofficeApiKey: secret('BACKOFFICE_API_KEY', 8, 'What we show the external backoffice as a bearer token'),
  paymentProvider: choice(
    'PAYMENT_PROVIDER',
    ['sandbox', 'stripe'],
    'sandbox',
    'Who takes payments; the sandbox is there in development only, without it checkouts are refused',
  ),
  stripeSecretKey: secret('STRIPE_SECRET_KEY', 8, "Stripe's API key"),
  stripeWebhookSecret: secret('STRIPE_WEBHOOK_SECRET', 8, 'Signs what Stripe sends to /v1/webhooks/payments'),
  stripeApiUrl: optionalUrl('STRIPE_API_URL', "Another address than Stripe's own", 'https://api.stripe.com'),
  checkoutSuccessUrl: optionalUrl(
    'CHECKOUT_SUCCESS_URL',
    'Where payers return to when a request does not say',
    'https://app.example.com/paid',
  ),
  checkoutCancelUrl: optionalUrl(
    'CHECKOUT_CANCEL_URL',
    'The same for those who did not pay',
    'https://app.example.com/not-paid',
  ),
  sandboxPayoutDelay: integer(
    'SANDBOX_PAYOUT_DELAY',
    30,
    [0, 86_400],
    "Seconds after which the sandbox's payouts settle by themselves",
  ),
  smtpUrl: withSecret(
    optionalUrl(
      'SMTP_URL',
      "The mail server; in development the sandbox's mailbox, in production without it no mail is sent",
      'smtp://user:password@mail.example.com:587',
    ),
  ),
  mailFrom: text('MAIL_FROM', 'Platform <no-reply@platform.localhost>', 'Who mails come from'),
  fcmServiceAccount: withSecret(
    optional(
      'FCM_SERVICE_ACCOUNT',
      "Firebase's service account, the JSON itself; in development the sandbox takes pushes, in production without it none are sent",
    ),
  ),
  webPushServices: list(
    'WEB_PUSH_SERVICES',
    "Hosts of browsers' push services that may be called, `*.` for those below one; Google's, Mozilla's, Microsoft's and Apple's unless said",
    'fcm.googleapis.com,*.push.services.mozilla.com',
  ),
  fcmApiUrl: text('FCM_API_URL', 'https://fcm.googleapis.com', 'Where Firebase Cloud Messaging is'),
  priceFeedUrl: optionalUrl(
    'PRICE_FEED_URL',
    'Server-sent prices, by `?symbols=A,B`; in development the sandbox ticks',
    'https://prices.example.com/stream',
  ),
  priceFeedApiKey: secret('PRICE_FEED_API_KEY', 8, 'What we show the price feed as a bearer token'),
  scheduleUrl: optionalUrl(
    'SCHEDULE_URL',
    'Where the schedule of sessions is, with a slash at the end; `sessions?from&to` below it',
    'https://schedule.example.com/',
  ),
  scheduleApiKey: secret('SCHEDULE_API_KEY', 8, 'What we show it as a bearer token'),
  storageEndpoint: optionalUrl(
    'STORAGE_ENDPOINT',
    'A storage that speaks S3 (Garage, SeaweedFS, Ceph, R2, S3); in development the sandbox has one, in production without it nothing can be uploaded',
    'https://s3.example.com',
  ),
  storagePublicEndpoint: optionalUrl(
    'STORAGE_PUBLIC_ENDPOINT',
    'Where clients reach it, when not there',
    'https://uploads.example.com',
  ),
  storageRegion: text('STORAGE_REGION', 'us-east-1', 'Its region'),
  storageBucket: text(
    'STORAGE_BUCKET',
    'platform',
    'The bucket; objects below public/ must be readable by everybody',
  ),
  storageAccessKeyId: optional('STORAGE_ACCESS_KEY_ID', 'Who we are there', 'platform'),
  storageSecretAccessKey: secret('STORAGE_SECRET_ACCESS_KEY', 8, 'Signs what we ask of it'),
  storagePublicBaseUrl: optionalUrl(
    'STORAGE_PUBLIC_BASE_URL',
    'Where everybody reads public objects, with a slash at the end, such as a CDN; the bucket at the public endpoint unless said',
    'https://cdn.example.com/',
  ),
  videoMaxBytes: integer(
    'VIDEO_MAX_BYTES',
    5 * 1024 ** 3,
    [1, 5 * 1024 ** 3],
    'The largest video that may be uploaded',
  ),
  videoDelivery: choice(
    'VIDEO_DELIVERY',
    ['proxy', 'redirect'],
    'proxy',
    'How segments reach viewers: through us, or by a redirect to a signed link to the storage',
  ),
  videoStretchSeconds: integer(
    'VIDEO_STRETCH_SECONDS',
    600,
    [6, 21_600],
    'Videos that are twice as long and more are transcoded in stretches of this length, so that a killed worker loses one of them at most',
  ),
  videoWorkDir: optional(
    'VIDEO_WORK_DIR',
    'Where videos are transcoded, on a disk with room; /var/tmp unless said',
    '/var/tmp/platform-api-media',
  ),
  transcodeConcurrency: integer(
    'TRANSCODE_CONCURRENCY',
    1,
    [1, 64],
    'Videos that a process transcodes at once',
  ),
  transcodeThreads: integer(
    'TRANSCODE_THREADS',
    0,
    [0, 256],
    'Threads of each encoder; 0 is one less than there are cores',
  ),
  transcodeNiceness: integer(
    'TRANSCODE_NICENESS',
    19,
    [0, 19],
    'How far transcoding gives way to everything else on the machine',
  ),
  ffmpegPath: optional(
    'FFMPEG_PATH',
    'The program ffmpeg, with ffprobe beside it; the ones on the PATH unless said',
    '/usr/bin/ffmpeg',
  ),
  ffmpegInstall: choice(
    'FFMPEG_INSTALL',
    ['on', 'off'],
    'on',
    'Whether, in development and as root on Debian, npm start installs ffmpeg where it is missing; npm test likewise',
  ),
  ...chartingSettings,
  indicatorGraceDays: decimal(
    'INDICATOR_GRACE_DAYS',
    7,
    [0, 365],
    'How long an inactive member keeps indicators that follow their activity',
  ),
  sandboxSmtpPort: integer(
    'SANDBOX_SMTP_PORT',
    3002,
    [0, 65_535],
    "In development, the port of the sandbox's mail server; any free one when it is taken",
  ),
  sandboxPort: integer(
    'SANDBOX_PORT',
    3001,
    [0, 65_535],
    'In development, the port of the stand-ins of external systems; any free one when it is taken or that of PORT, 0, or PORT is 0',
  ),
  corsOrigins: list(
    'CORS_ORIGINS',
    'Origins of browsers, by commas; without it any in development, none in production',
    'https://app.example.com',
  ),
  trustedProxies: networks(
    'TRUSTED_PROXIES',
    'Addresses and networks (CIDR) whose X-Forwarded-For is believed, by commas',
    '10.0.0.0/8',
  ),
  logLevel: choice(
    'LOG_LEVEL',
    ['auto', 'debug', 'info', 'warn', 'error', 'silent'],
    'auto',
    'What is logged, to standard error; auto is info in production and warn in development',
  ),
  accessLog: choice(
    'ACCESS_LOG',
    ['on', 'off'],
    'on',
    'Whether each request is logged, at info: route and outcome, no query and no body',
  ),
  commit: text('COMMIT', 'unknown', 'What this was built from, for platform_build_info'),
} satisfies Record<string, Setting<unknown>>;

export type Config = { [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['read']> };

const NEEDED_IN_PRODUCTION = [
  'databaseUrl',
  'secretKey',
  'internalApiKey',
  'webhookSecrets',
] as const satisfies (keyof Config)[];
const NEEDED_FOR_STRIPE = [
  'stripeSecretKey',
  'stripeWebhookSecret',
  'checkoutSuccessUrl',
  'checkoutCancelUrl',
] as const satisfies (keyof Config)[];
const SECRETS = [
  'secretKey',
  'internalApiKey',
  'apiKey',
  'adminPassword',
  'backofficeApiKey',
  'stripeSecretKey',
  'stripeWebhookSecret',
  'storageSecretAccessKey',
] as const;
/** What people leave in place of a secret. */
const PLACEHOLDER = /^(change.?me|secret|password|example|default|test|x+|your.?)|^(.)\2+$/i;

/**
 * Reads every setting. An empty variable counts as missing; a secret may come from a file that `<variable>_FILE` names.
 * @throws ConfigurationFault one message that names every fault
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const faults: string[] = [];
  const read: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(SETTINGS) as [string, Setting<unknown>][]) {
    try {
      read[name] = setting.read(givenFor(setting, environment));
    } catch (error) {
      faults.push(`${setting.variable} ${(error as Error).message}`);
    }
  }
  const config = read as Config;
  if ((config.adminEmail === undefined) !== (config.adminPassword === undefined)) {
    faults.push('ADMIN_EMAIL and ADMIN_PASSWORD go together');
  }
  if (config.adminEmail !== undefined && !isEmailAddress(config.adminEmail)) {
    faults.push('ADMIN_EMAIL must be an e-mail address');
  }
  if (config.fcmServiceAccount !== undefined && !isServiceAccount(config.fcmServiceAccount)) {
    faults.push('FCM_SERVICE_ACCOUNT must be the JSON of a service account');
  }
  if (config.paymentProvider === 'stripe') {
    const missing = NEEDED_FOR_STRIPE.filter((name) => config[name] === undefined);
    faults.push(...missing.map((name) => `${SETTINGS[name].variable} is needed for PAYMENT_PROVIDER=stripe`));
  }
  if (config.storageEndpoint !== undefined && !(config.storageAccessKeyId && config.storageSecretAccessKey)) {
    faults.push('STORAGE_ENDPOINT needs STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY');
  }
  if (config.environment === 'production') faults.push(...productionFaults(config));
  if (config.metricsPort !== undefined && config.metricsPort !== 0 && config.metricsPort === config.port) {
    faults.push('METRICS_PORT must differ from PORT; without it metrics stand beside the API');
  }
  if (drainSecondsOf(config) >= config.stopSeconds) {
    faults.push('STOP_SECONDS must be greater than DRAIN_SECONDS');
  }
  if (faults.length > 0)
    throw new ConfigurationFault(`The configuration is not good:\n  - ${faults.join('\n  - ')}`);
  return config;
}

function isServiceAccount(text: string): boolean {
  try {
    const { project_id: project, client_email: email, private_key: key, token_uri: uri } = JSON.parse(text);
    return [project, email, key].every((one) => typeof one === 'string') && URL.canParse(uri);
  } catch {
    return false;
  }
}

function productionFaults(config: Config): string[] {
  const missing = NEEDED_IN_PRODUCTION.filter((name) => config[name] === undefined).map(
    (name) => `${SETTINGS[name].variable} is needed in production`,
  );
  const weak = SECRETS.filter((name) => PLACEHOLDER.test(config[name] ?? '')).map(
    (name) => `${SETTINGS[name].variable} is a placeholder`,
  );
  if (config.webhookSecrets?.some((one) => PLACEHOLDER.test(one)))
    weak.push(`${SETTINGS.webhookSecrets.variable} is a placeholder`);
  const incomplete =
    config.customerDirectory === 'backoffice' && !(config.backofficeUrl && config.backofficeApiKey)
      ? ['CUSTOMER_DIRECTORY=backoffice needs BACKOFFICE_URL and BACKOFFICE_API_KEY']
      : [];
  const linkless =
    config.smtpUrl !== undefined && config.publicUrl === undefined
      ? ['SMTP_URL needs PUBLIC_URL: mails carry links to the API']
      : [];
  return [...missing, ...weak, ...incomplete, ...linkless];
}

/** Where the sandbox's storage keeps its objects. */
export const sandboxObjects = ({ dataDir }: Config): string => join(dataDir, 'storage');
export const sandboxFile = ({ dataDir }: Config): string => join(dataDir, 'sandbox-payments.json');
/** Where the sandbox's charting platform keeps who holds what. */
export const sandboxChartingFile = ({ dataDir }: Config): string => join(dataDir, 'sandbox-charting.jsonl');
export const developmentFile = ({ dataDir }: Config): string => join(dataDir, 'development.json');
