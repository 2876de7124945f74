// The parts of the command line that need no database.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { platformVersion } from '../../src/app/version.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { helpOf } from '../../src/cli/help.ts';
import { type Ended, runProgram } from '../support/programs.ts';

const MAIN = resolve('src/main.js');
const folder = mkdtempSync(join(tmpdir(), 'platform-commands-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Settings of which none is valid, for commands that read none. */
const NOTHING = { DATABASE_URL: 'no url', PORT: 'no port', DATA_DIR: join(folder, 'data') };
const run = (line: string, environment: Record<string, string> = NOTHING): Promise<Ended> =>
  runProgram([MAIN, ...line.split(' ')], environment);

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
const fitsATerminal = (text: string): boolean => text.split('\n').every((line) => line.length <= 80);

test('--version and --help need nothing', async () => {
  assert.equal(
    (await run('--version')).output,
    `platform-api ${platformVersion()} (Node ${process.version})\n`,
  );
  assert.match(platformVersion(), /^\d+\.\d+\.\d+$/);
  const { code, output } = await run('--help');
  assert.equal(code, 0);
  for (const { name, about } of COMMANDS)
    assert.ok(output.split('\n').some((line) => line.startsWith(`  ${name} `) && line.endsWith(` ${about}`)));
  assert.match(oneLine(output), /Only start, migrate and seed migrate the database\./);
  assert.ok(fitsATerminal(output), output);
});

test('each command has a help of its own, with its options and an example', async () => {
  const { output } = await run('keys create --help');
  assert.match(output, /^Usage: npm run platform -- keys create --name NAME --tier TIER$/m);
  assert.match(output, /mobile, live_platform, crm/);
  assert.match(output, /npm run platform -- keys create --name "Mobile app" --tier mobile/);
  assert.equal((await run('help keys create')).output, output);
  for (const command of COMMANDS) {
    const help = helpOf(command);
    assert.match(help, new RegExp(`^Usage: npm run platform -- ${command.name}`));
    assert.match(help, new RegExp(`\nFor example:\n {2}npm run .* ${command.name}`));
    assert.ok(fitsATerminal(help), help);
    const isAsItIs = oneLine(help).includes(
      'It never migrates the database, and refuses one whose schema is too old.',
    );
    assert.equal(isAsItIs, command.database === 'as it is', command.name);
  }
});

test('a faulty command line is answered with the reason and one line', async () => {
  const faults = {
    'keys create --nam x':
      /^Unknown option '--nam'\.\nUsage: npm run platform -- keys create --name NAME .*\n$/,
    'keys create --tier mobile': /^--name must be given\.\nUsage: .* keys create --name NAME .*\n$/,
    'keys create': /^--name and --tier must be given\.\n.*\n$/,
    'keys create --name a\u0007b --tier crm': /^--name has 1 to 100 characters on one line\n.*\n$/,
    'keys create --name x --tier big': /^--tier is one of mobile, live_platform, .*\n.*\n$/,
    'keys revoke --id 1': /^--id has 24 hexadecimal characters\n.*\n$/,
    'admin create --email foo': /^--email must be an e-mail address\n.*\n$/,
    'keys revoke --id': /^Option '--id <value>' argument missing\.\nUsage: .* --id ID .*\n$/,
    'verify everything': /^Unexpected argument 'everything'\.\nUsage: npm run platform -- verify .*\n$/,
    sed: /^"sed" is not a command\. Did you mean "seed"\?\n.* --help lists the commands\.\n$/,
    'keys crate': /^The command is one of: keys create, keys list, keys revoke\.\n.*\n$/,
    '--large': /^No command was given\.\n.*\n$/,
  };
  for (const [line, expected] of Object.entries(faults)) {
    const { code, output, complaints } = await run(line);
    assert.deepEqual([code, output], [2, ''], line);
    assert.match(complaints, expected);
  }
});

/** Runs a command in a folder with this `.env`. */
function runBeside(env: string, line: string): Promise<Ended> {
  writeFileSync(join(folder, '.env'), env);
  return runProgram([MAIN, ...line.split(' ')], {}, { cwd: folder });
}

test('unknown settings in .env are reported with the one that was probably meant', async () => {
  const env = 'SANBOX_PORT=1\nSECRET_KEY_FILE=\nNODE_OPTIONS=\nHAT=x\nHOST=192.0.2.1\n';
  const result = await runBeside(env, 'start');
  assert.match(
    result.complaints,
    /^\.env has unknown settings, which are ignored: HAT, SANBOX_PORT \(did you mean SANDBOX_PORT\?\)\n/,
  );
  assert.match(
    result.complaints,
    /\nHOST=192\.0\.2\.1 is not an address of this machine\.\n$/,
    'the rest is read',
  );
  const faulty = await runBeside('ADMIN_EMAIL=a@b.test\nADMIN_PASWORD=long enough\n', 'start');
  assert.equal(faulty.code, 1);
  assert.match(faulty.complaints, /ADMIN_PASWORD \(did you mean ADMIN_PASSWORD\?\)\n.*\n.*set together\n$/);
});

test('misspelt settings of the environment are reported, and not what a host sets for other programs', async () => {
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere, { recursive: true });
  const begin = (environment: Record<string, string>) =>
    runProgram([MAIN, 'start'], { HOST: '192.0.2.1', ...environment }, { cwd: elsewhere });
  const misspelt = { DATABASE_CONECTIONS: '5', DATABSE_URL: 'x', STRIPE_SECRET_KEY_FIL: 'x' };
  assert.equal(
    (await begin(misspelt)).complaints.split('\n')[0],
    `The environment has unknown settings, which are ignored: DATABASE_CONECTIONS (did you mean DATABASE_CONNECTIONS?), DATABSE_URL (did you mean DATABASE_URL?), STRIPE_SECRET_KEY_FIL (did you mean STRIPE_SECRET_KEY_FILE?)`,
  );
  const foreign = [
    ...['HOSTS', 'ROLES', 'POST', 'PGHOST', 'PGPORT', 'PGUSER', 'PGDATABASE', 'PGPASSWORD', 'HOSTNAME'],
    ...[
      'DATABASE_PUBLIC_URL',
      'DATABASE_PRIVATE_URL',
      'DATABASE_NAME',
      'REDIS_HOST',
      'REDIS_PORT',
      'REDIS_TLS_URL',
    ],
    ...['REDIS_SERVICE_HOST', 'PLATFORM_PORT_3000_TCP', 'SMTP_PORT', 'SMTP_HOST', 'AWS_REGION', 'LOG_FORMAT'],
    ...[
      'OTEL_RESOURCE_ATTRIBUTES',
      'RENDER_SERVICE_NAME',
      'FLY_REGION',
      'RAILWAY_PUBLIC_DOMAIN',
      'HEROKU_APP_NAME',
    ],
    ...['KUBERNETES_SERVICE_HOST', 'KUBERNETES_PORT', 'SOURCE_VERSION', 'WEB_CONCURRENCY', 'NODE_ENV'],
  ];
  const silent = await begin(Object.fromEntries(foreign.map((name) => [name, ''])));
  assert.doesNotMatch(silent.complaints, /unknown settings/);
});

test('a command that works on an installation makes no embedded database where there is none', async () => {
  const DATA_DIR = join(folder, 'mistyped');
  const lines = [
    'verify',
    'keys list',
    'secret-key rotate --count',
    'environment set --to production',
    'payments replay --since 2026-01-01T00:00:00Z',
  ];
  const refuses = async (line: string) => {
    const { code, complaints } = await run(line, { DATA_DIR });
    assert.equal(code, 1, line);
    assert.match(complaints, /^There is no installation in the database\. .*DATA_DIR/, line);
  };
  for (const line of lines) {
    await refuses(line);
    assert.equal(existsSync(DATA_DIR), false, line);
  }
  // As a start leaves it that was interrupted, or a volume that is not mounted.
  mkdirSync(join(DATA_DIR, 'postgres', 'data'), { recursive: true });
  for (const line of ['verify', 'environment set --to production']) {
    await refuses(line);
    assert.deepEqual(readdirSync(join(DATA_DIR, 'postgres', 'data')), [], line);
  }
});

test('a data folder that cannot be created or written is reported in a sentence', async () => {
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  for (const dataDir of ['/proc/nope', '/proc/nope/below', '/sys/nope', file, join(file, 'below')]) {
    const { code, complaints } = await run('start', { DATA_DIR: dataDir, PORT: '0' });
    assert.equal(code, 1, dataDir);
    assert.match(
      complaints,
      /^DATA_DIR=\S+ cannot be used: .*\. Set it to a folder that this user may write to\.$/m,
    );
    assert.doesNotMatch(complaints, /\n +at /);
  }
});

/** Makes `process.versions` report another version of Node. */
const asNode = (version: string): string =>
  `--import=data:text/javascript,${encodeURIComponent(`
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
    Object.defineProperty(process, 'version', { value: 'v${version}' });
  `)}`;

test('an unsupported Node and missing dependencies are reported in a sentence', async () => {
  const older = await runProgram([asNode('20.19.1'), MAIN, 'start'], NOTHING);
  assert.equal(older.code, 1);
  assert.match(older.complaints, /^The platform needs Node 24, and this is v20\.19\.1\. Use "npm start" or /);

  const bare = join(folder, 'bare');
  mkdirSync(bare);
  for (const name of ['src', 'package.json']) cpSync(name, join(bare, name), { recursive: true });
  const main = join(bare, 'src/main.js');
  const both = await runProgram([asNode('18.0.0'), main, 'start'], NOTHING);
  assert.match(both.complaints, /^The platform needs Node 24, and this is v18\.0\.0\. Run "npm ci" first:/);
  const { code, complaints } = await runProgram([main, 'start'], { DATA_DIR: NOTHING.DATA_DIR, PORT: '0' });
  assert.equal(code, 1);
  assert.match(complaints, /^The package \S+ is not installed\. Run "npm ci" first\.$/m);
  assert.doesNotMatch(complaints, /\n +at /);

  mkdirSync(join(bare, 'test'));
  for (const name of ['test/main.js', 'test/run.ts']) cpSync(name, join(bare, name));
  const tests = await runProgram([asNode('20.19.1'), join(bare, 'test/main.js')], NOTHING);
  assert.equal(tests.code, 1);
  assert.equal(tests.complaints, 'The dependencies are not installed. Run "npm ci" first.\n');
});
