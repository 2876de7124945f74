import { host, optionalBaseUrl, optionalEmailAddress, optionalUrl } from '../kernel/address-settings.ts';
import { ENVIRONMENTS } from '../kernel/database/environment.ts';
import { POOLERS } from '../kernel/database/poolers.ts';
import { serverUrls } from '../kernel/database/server-urls.ts';
import { redisUrls } from '../kernel/distributed/redis-urls.ts';
import { SAMPLERS } from '../kernel/net/sampling.ts';
import {
  choice,
  decimal,
  formerSecrets,
  headerList,
  headerSecret,
  integer,
  list,
  neededInProduction,
  optionalInteger,
  type Setting,
  secret,
  text,
  withSecret,
} from '../kernel/settings.ts';

/** The URL of a database, on one server or several. */
const optionalDatabaseUrl = (...given: Parameters<typeof optionalUrl>): Setting<string | undefined> => ({
  ...optionalUrl(...given),
  read: (text) => {
    if (text !== undefined) serverUrls(text);
    return text;
  },
});

/** The URL of a Redis server or cluster. */
const optionalRedisUrl = (...given: Parameters<typeof optionalUrl>): Setting<string | undefined> => ({
  ...optionalUrl(...given),
  read: (text) => {
    if (text !== undefined) redisUrls(text);
    return text;
  },
});

/** The roles of a process. */
const ROLES = ['all', 'api', 'live', 'worker'] as const;
export type Role = (typeof ROLES)[number];

/** The settings of the process itself, and of the installation as a whole. */
export const processSettings = {
  environment: choice(
    'ENVIRONMENT',
    ENVIRONMENTS,
    'development',
    'The kind of installation, which its database remembers: a process of the other kind does not start on it',
  ),
  role: choice(
    'ROLE',
    ROLES,
    'all',
    'The role of this process: everything, the API with its live channel, only the live channel, or only background work',
  ),
  processes: integer(
    'PROCESSES',
    1,
    [1, 64],
    'How many processes this one starts on the machine, in production: they share the port, and without Redis live messages and rate limits, too',
  ),
  workerQueues: list(
    'WORKER_QUEUES',
    'The queues that this process takes jobs from, by default all: names, `media.*` for all that begin so, and a `!` in front of those to leave out; separated by commas',
    '!media.process-video',
  ),
  host: host('HOST', '127.0.0.1', 'The address to listen on'),
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
  publicUrl: neededInProduction(
    optionalBaseUrl(
      'PUBLIC_URL',
      'Base URL at which clients reach the API, which all links begin with; needed in production, by default HOST:PORT in development',
      'https://api.example.com',
    ),
    'the address at which clients reach the API, such as https://api.example.com',
  ),
  dataDir: text('DATA_DIR', '.data', 'Directory of the embedded database and of development.json'),
  databaseUrl: neededInProduction(
    withSecret(
      optionalDatabaseUrl(
        'DATABASE_URL',
        'A PostgreSQL server, version 15 or later, or several (host1:5432,host2:5432), of which the primary is used; without it an embedded one runs under DATA_DIR',
        'postgresql://platform:secret@localhost:5432/platform',
      ),
    ),
  ),
  databaseDirectUrl: withSecret(
    optionalDatabaseUrl(
      'DATABASE_DIRECT_URL',
      'The server of DATABASE_URL without the pooler, for migrations, the job queue and its notifications; needed with DATABASE_POOLER=transaction, by default DATABASE_URL',
      'postgresql://platform:secret@localhost:5432/platform',
    ),
  ),
  databaseReadUrl: withSecret(
    optionalDatabaseUrl(
      'DATABASE_READ_URL',
      'A streaming replica of DATABASE_URL, for searches, catalogues, reports, exports and the verification of the ledger; without it, and while it is lost or behind, the primary answers them',
      'postgresql://platform:secret@replica:5432/platform',
    ),
  ),
  databaseReadLagSeconds: integer(
    'DATABASE_READ_LAG_SECONDS',
    5,
    [0, 300],
    'Seconds that a report waits until the replica of DATABASE_READ_URL has what was committed before it; then the primary answers. Searches and catalogues wait a quarter of a second at most',
  ),
  databasePooler: choice(
    'DATABASE_POOLER',
    POOLERS,
    'none',
    'The mode of the connection pooler (PgBouncer) that DATABASE_URL leads to; one that is not named here is refused at the start, because it drops time limits',
  ),
  databaseStatements: choice(
    'DATABASE_STATEMENTS',
    ['auto', 'named', 'unnamed'],
    'auto',
    'Whether frequent statements are prepared by name; auto does so unless DATABASE_POOLER=transaction, where named needs PgBouncer 1.21 with max_prepared_statements',
  ),
  databaseConnections: integer(
    'DATABASE_CONNECTIONS',
    20,
    [2, 500],
    'Maximum number of database connections of a process',
  ),
  slowStatementMs: integer(
    'SLOW_STATEMENT_MS',
    1_000,
    [1, 60_000],
    'Milliseconds from which a statement of the database is logged as slow, with the trace of its request; statements of reports, exports and proofs are not',
  ),
  migrate: choice(
    'MIGRATE',
    ['auto', 'off'],
    'auto',
    'Whether a process migrates the database when it starts; with off it waits until the command "migrate" has done so',
  ),
  redisUrl: withSecret(
    optionalRedisUrl(
      'REDIS_URL',
      'Redis or Valkey, to share rate limits and live messages between processes, or some nodes of a cluster (redis+cluster://host1:6379,host2:6379); without it they are local to a process',
      'redis://localhost:6379',
    ),
  ),
  secretKey: neededInProduction(
    secret('SECRET_KEY', 32, 'Encrypts the signing keys in the database; keep it secret, and do not lose it'),
  ),
  secretKeyFallbacks: formerSecrets(
    'SECRET_KEY_FALLBACKS',
    32,
    'Other keys that are still accepted while SECRET_KEY is replaced, separated by commas; docs/deploying.md has the order of steps',
  ),
  adminEmail: optionalEmailAddress(
    'ADMIN_EMAIL',
    'E-mail of the first administrator, created if missing',
    'admin@example.com',
  ),
  adminPassword: secret('ADMIN_PASSWORD', 8, 'Password of the first administrator'),
  apiKey: headerSecret(
    'API_KEY',
    16,
    'A text of your choice that is installed as an API key of the Admin tier',
  ),
  logLevel: choice(
    'LOG_LEVEL',
    ['auto', 'debug', 'info', 'warn', 'error', 'silent'],
    'auto',
    'The log level, written to standard error; auto is info in production and warn in development',
  ),
  otlpEndpoint: optionalBaseUrl(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'Base URL of a collector that takes spans by OTLP over HTTP (JSON), to which /v1/traces is added; without it no spans are recorded',
    'http://localhost:4318',
  ),
  otlpHeaders: withSecret(
    headerList(
      'OTEL_EXPORTER_OTLP_HEADERS',
      'Headers for the collector, such as its key: name=value, separated by commas, values URL-encoded',
      'x-api-key=...',
    ),
  ),
  tracesSampler: choice(
    'OTEL_TRACES_SAMPLER',
    SAMPLERS,
    'parentbased_always_on',
    'Which traces are recorded where OTEL_EXPORTER_OTLP_ENDPOINT is set; the parent-based ones follow the caller, for at most 50 requests a second',
  ),
  tracesRatio: decimal(
    'OTEL_TRACES_SAMPLER_ARG',
    1,
    [0, 1],
    'The part of traces that the samplers with traceidratio record: 0.01 is one in a hundred',
  ),
  serviceName: text('OTEL_SERVICE_NAME', 'platform-api', 'The name of this service in spans'),
  commit: text('COMMIT', 'unknown', 'The commit of this build, for platform_build_info'),
} satisfies Record<string, Setting<unknown>>;

/** The settings of the local sandbox, used in development only. */
export const sandboxSettings = {
  port: optionalInteger(
    'SANDBOX_PORT',
    [0, 65_535],
    'In development, the port of the sandbox of external systems, 3001 by default; a free one if it is taken, which is kept from then on, or if it equals PORT, is 0, or PORT is 0',
    '3001',
  ),
  smtpPort: integer(
    'SANDBOX_SMTP_PORT',
    3002,
    [0, 65_535],
    "In development, the port of the sandbox's mail server; a free one if it is taken",
  ),
  payoutDelaySeconds: integer(
    'SANDBOX_PAYOUT_DELAY',
    30,
    [0, 86_400],
    'Seconds after which payouts of the sandbox settle automatically',
  ),
} satisfies Record<string, Setting<unknown>>;
