// The commands. Most need dependencies that take a second to load, so each loads its own when it runs.
import type { Config } from '../app/config.ts';
import type { Platform } from '../app/platform.ts';
import { platformVersion } from '../app/version.ts';
import { TIERS } from '../gateway/limits/tiers.model.ts';
import { ENVIRONMENTS } from '../kernel/database/environment.ts';
import type { Call, Command } from './command.ts';
import { makeDataFolder } from './data-folder.ts';
import { checkPorts } from './ports.ts';
import { progress } from './progress.ts';

/** Runs the work on a platform that neither listens nor runs jobs. */
async function onPlatform(
  config: Config,
  work: (platform: Platform, config: CompleteConfig) => Promise<void>,
  besideServer = true,
): Promise<void> {
  const { withPlatform } = await import('./with-platform.ts');
  return withPlatform(config, work, besideServer);
}

type CompleteConfig = ReturnType<typeof import('./with-platform.ts').completeConfig>;

const keys =
  (action: 'createKey' | 'listKeys' | 'revokeKey') =>
  async ({ values, config }: Call): Promise<void> => {
    const work = (await import('./keys.ts'))[action](values);
    return onPlatform(config(), work);
  };

const description =
  (which: 'api' | 'live') =>
  async ({ config }: Call): Promise<void> => {
    const { describePlatform } = await import('../app/description.ts');
    process.stdout.write(`${JSON.stringify(describePlatform(config())[which], null, 2)}\n`);
  };

export const COMMANDS: readonly Command[] = [
  {
    name: 'start',
    about: 'start everything (what npm start does)',
    details:
      'Migrates the database first, unless MIGRATE=off. In development it starts PostgreSQL and the sandbox of external systems, too, and prints their addresses. Ctrl-C or SIGTERM stops it.',
    database: 'migrates',
    example: 'npm run platform -- start',
    run: async ({ config }) => {
      const settings = config();
      const { supervise, supervises, isSupervised } = await import('./processes.ts');
      if (!isSupervised()) {
        progress(settings)(`Platform API ${platformVersion()} is starting`);
        await checkPorts(settings);
      }
      if (supervises(settings)) return supervise(settings);
      makeDataFolder(settings);
      const { start } = await import('./start.ts');
      return start(settings);
    },
  },
  {
    name: 'migrate',
    about: 'migrate the database to the newest schema',
    details:
      'Prints the migrations that it applied. With MIGRATE=off, start waits until this command has run.',
    database: 'migrates',
    example: 'npm run platform -- migrate',
    run: async ({ config }) => {
      const { migrateCommand } = await import('./migrate.ts');
      return migrateCommand(config());
    },
  },
  {
    name: 'environment set',
    about: 'say whether a database is of production',
    options: {
      to: { value: 'ENVIRONMENT', about: ENVIRONMENTS.join(' or '), isRequired: true },
    },
    details:
      'The first process stores its ENVIRONMENT in the database, and those of the other one refuse to work on it. Only this command changes it: for a copy of production that is now for development, or the other way round. Stop all processes first.',
    database: 'as it is',
    example: 'npm run platform -- environment set --to production',
    run: async ({ values, config }) => {
      const { setEnvironment } = await import('./environment.ts');
      return setEnvironment(values.to)(config());
    },
  },
  {
    name: 'seed',
    about: 'fill a development database with sample members',
    options: { large: { about: 'half a year of two thousand members, while no server runs' } },
    details:
      'Without --large it creates five members and prints what they have; repeated, it adds nothing. With --large it takes a minute or two.',
    database: 'migrates',
    example: 'npm run platform -- seed',
    run: async ({ switches, config }) => {
      const settings = { ...config(), port: 0 };
      if (switches.has('large')) {
        const { seedLarge } = await import('./seed-large.ts');
        // A running server would write records among the past days that the seed adds.
        return onPlatform(settings, seedLarge, false);
      }
      const { seed } = await import('./seed.ts');
      return onPlatform(settings, seed);
    },
  },
  {
    name: 'tour',
    about: 'demonstrate the platform, request by request',
    options: {
      year: { about: 'a year of a few members instead: moves the clock on, which cannot be undone' },
    },
    details:
      'Runs the commands of docs/tour.md, or of docs/year.md, against the local server, with bash and curl. On a terminal it pauses between chapters.',
    example: 'npm run platform -- tour',
    run: async ({ switches, config }) => {
      const { tour } = await import('./tour.ts');
      return tour(config(), switches.has('year') ? 'year' : 'tour');
    },
  },
  {
    name: 'keys create',
    about: 'issue an API key; it is shown once',
    options: {
      name: {
        value: 'NAME',
        about: 'the purpose of the key, such as the name of a client',
        isRequired: true,
      },
      tier: { value: 'TIER', about: `its limits and rights: ${TIERS.join(', ')}`, isRequired: true },
    },
    database: 'as it is',
    example: 'npm run platform -- keys create --name "Mobile app" --tier mobile',
    run: keys('createKey'),
  },
  {
    name: 'keys list',
    about: 'list API keys',
    database: 'as it is',
    example: 'npm run platform -- keys list',
    run: keys('listKeys'),
  },
  {
    name: 'keys revoke',
    about: 'revoke an API key',
    options: {
      id: { value: 'ID', about: '24 hexadecimal characters, from "keys list"', isRequired: true },
    },
    database: 'as it is',
    example: 'npm run platform -- keys revoke --id 6740f1c2a9b3e4d5f6a7b8c9',
    run: keys('revokeKey'),
  },
  {
    name: 'signing-keys rotate',
    about: 'sign tokens with a new key; sessions continue',
    options: {
      leaked: { about: 'tokens of former keys are refused within a minute; clients refresh theirs' },
    },
    database: 'as it is',
    example: 'npm run platform -- signing-keys rotate',
    run: ({ switches, config }) =>
      onPlatform(config(), async ({ identity }) =>
        console.log(await identity.rotateSigningKey({ isLeaked: switches.has('leaked') })),
      ),
  },
  {
    name: 'secret-key rotate',
    about: 'seal stored secrets with a new SECRET_KEY',
    options: { count: { about: 'only count what is sealed with which key' } },
    details:
      'Set the new key as SECRET_KEY and the former one as SECRET_KEY_FALLBACKS first; docs/deploying.md has the steps. May be interrupted and repeated. Exits with 1 while anything is not sealed with SECRET_KEY.',
    database: 'as it is',
    example: 'npm run platform -- secret-key rotate',
    run: async ({ switches, config }) => {
      const { rotateSecretKey } = await import('./secret-key.ts');
      return onPlatform(config(), rotateSecretKey(switches.has('count')));
    },
  },
  {
    name: 'admin create',
    about: 'create an administrator',
    options: { email: { value: 'EMAIL', about: 'of an account that does not exist yet', isRequired: true } },
    refused: ['password'],
    details: 'Asks for the password, or reads it from standard input.',
    database: 'as it is',
    example: 'npm run platform -- admin create --email admin@example.com',
    run: async ({ values, config }) => {
      const { createAdministrator, emailOf } = await import('./admin.ts');
      const { readPassword } = await import('./password.ts');
      const email = emailOf(values);
      const settings = config();
      return onPlatform(settings, createAdministrator(email, await readPassword()));
    },
  },
  {
    name: 'verify',
    about: 'check every invariant of the ledger',
    details: 'Exits with 1 if one is violated.',
    database: 'as it is',
    example: 'npm run platform -- verify',
    run: async ({ config }) => {
      const { verifyCommand } = await import('./verify.ts');
      return onPlatform(config(), verifyCommand);
    },
  },
  {
    name: 'payments replay',
    about: 'apply past events of the payment provider again',
    options: {
      since: { value: 'TIME', about: 'such as 2026-11-29T03:00:00Z, at most 30 days ago', isRequired: true },
    },
    details:
      'For a database that was restored: payments, refunds, disputes and payouts that the provider reported after the dump. What is known already changes nothing; it prints how many events were news. Exits with 1 if an event cannot be applied or read, or if the time is over 30 days ago.',
    database: 'as it is',
    example: 'npm run platform -- payments replay --since 2026-11-29T03:00:00Z',
    run: async ({ values, config }) => {
      const { replayPayments } = await import('./replay-payments.ts');
      const work = replayPayments(values.since);
      return onPlatform(config(), work);
    },
  },
  {
    name: 'backup',
    about: 'dump the database into a folder',
    options: {
      to: { value: 'FOLDER', about: 'where the dump and its manifest are written', isRequired: true },
    },
    details:
      'Needs pg_dump of the version of the server or later. Requests go on meanwhile. Copy both files to another place, without the SECRET_KEY.',
    database: 'as it is',
    example: 'npm run platform -- backup --to /var/backups/platform',
    run: async ({ values, config }) => {
      const { backupTo } = await import('./backups/backup.ts');
      return onPlatform(config(), backupTo(values.to as string));
    },
  },
  {
    name: 'restore-check',
    about: 'restore a dump into a scratch database, and check it',
    options: {
      file: { value: 'FILE', about: 'a dump of "backup", with its manifest beside it', isRequired: true },
    },
    details:
      'The scratch database is made on the server of DATABASE_URL, and dropped again. Exits with 1 for any fault.',
    example: 'npm run platform -- restore-check --file platform.dump',
    run: async ({ values, config }) => {
      const { restoreCheck } = await import('./backups/restore-check.ts');
      return restoreCheck(config(), values.file as string);
    },
  },
  {
    name: 'openapi',
    about: 'print the OpenAPI description',
    example: 'npm run --silent platform -- openapi > openapi.json',
    run: description('api'),
  },
  {
    name: 'asyncapi',
    about: 'print the AsyncAPI description of the live channel',
    example: 'npm run --silent platform -- asyncapi > asyncapi.json',
    run: description('live'),
  },
  {
    name: 'env',
    about: 'print .env.example, which lists all settings',
    example: 'npm run platform -- env',
    run: async () => {
      const { envExample } = await import('./env-example.ts');
      process.stdout.write(envExample());
    },
  },
];
