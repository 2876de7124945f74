import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { revokeApiKey, signIn } from '../../sdk/src/index.ts';
import { Client } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { newInstallation } from '../support/installation.ts';
import { until } from '../support/live.ts';
import { freePort } from '../support/ports.ts';
import { runProgram, startProgram } from '../support/programs.ts';

const START = ['src/main.js', 'start'];
const { folder, environment } = await newInstallation();
const databaseUrl = environment.DATABASE_URL;

/** The program that provides a terminal, for programs that check for one (util-linux's `script`). */
const TERMINAL = ['/usr/bin/script', '/bin/script'].find(existsSync);
const noTerminal = TERMINAL ? false : 'no script(1) here';

/** Runs a command line on a terminal; returns what it shows, and a function that types. */
function onTerminal(command: string, more: Record<string, string> = {}) {
  // Without `exec` some shells keep running beside the program, and are killed by a Ctrl-C that the program survives.
  const child = spawn(TERMINAL as string, ['-qec', `exec ${command}`, '/dev/null'], {
    env: { ...process.env, LOG_LEVEL: 'error', ...environment, ...more },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.on('data', (chunk) => {
    shown += String(chunk).replaceAll('\r', '');
  });
  const ended = once(child, 'exit').then(([code]) => code as number);
  after(() => child.kill('SIGKILL'));
  return { shown: () => shown, type: (text: string) => child.stdin.write(text), ended };
}

test('a database that is still starting is waited for', async () => {
  const { searchParams } = new URL(databaseUrl);
  const fields = ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up', ''].join('\0');
  const refusal = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), Buffer.from(`${fields}\0`)]);
  refusal.writeInt32BE(refusal.length - 1, 1);
  let refusals = 2;
  const front = createServer((client) => {
    client.on('error', () => undefined);
    if (refusals-- > 0) client.once('data', () => client.end(refusal));
    else client.pipe(connect(`${searchParams.get('host')}/.s.PGSQL.5432`)).pipe(client);
  }).listen(0, '127.0.0.1');
  after(() => front.close());
  await once(front, 'listening');
  const url = new URL(databaseUrl);
  url.searchParams.set('host', '127.0.0.1');
  url.searchParams.set('port', String((front.address() as { port: number }).port));
  const { code, complaints } = await runProgram(['src/main.js', 'keys', 'list'], {
    ...environment,
    DATABASE_URL: url.href,
  });
  assert.equal(code, 0, complaints);
  assert.ok(refusals < 0);
});

for (const variable of ['PORT', 'METRICS_PORT']) {
  test(`a ${variable} that is taken is reported before anything is started`, async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as { port: number };
    const dataDir = join(folder, `of-${variable}`);
    const { DATABASE_URL: _, ...embedded } = environment;
    const { code, output, complaints } = await runProgram(START, {
      ...embedded,
      DATA_DIR: dataDir,
      [variable]: String(port),
    });
    squatter.close();
    assert.equal(code, 1);
    assert.match(complaints, new RegExp(`Port ${port} is taken: set ${variable} to another`));
    assert.equal(output, '');
    assert.ok(!existsSync(dataDir), 'no data folder, so no PostgreSQL');
  });
}

test('without a terminal, progress goes to standard error and one line to standard output', async () => {
  let output = '';
  const program = await startProgram(START, environment);
  program.process.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  assert.match(program.complaints(), /^Platform API \S+ is starting \.\.\.\n/);
  assert.match(program.complaints(), /^Starting the platform \.\.\.$/m);
  assert.deepEqual(Object.keys(program.readyValues), [
    'url',
    'reference',
    'sandbox',
    'apiKey',
    'adminApiKey',
    'adminEmail',
    'adminPassword',
  ]);
  const { reference, apiKey } = program.readyValues as Record<string, string>;
  const page = await (await fetch(`${reference}/interactive`)).text();
  assert.ok(page.includes(`"securitySchemes":{"apiKey":{"value":"${apiKey}"}}`), 'the key is filled in');
  assert.equal(await program.end('SIGTERM'), 0);
  assert.equal(output, '', 'nothing after the ready line');
  assert.match(program.complaints(), /\nStopping \.\.\.\nStopped\.\n$/);
});

test('in production each step is a line of the log', async () => {
  const { url, drop } = await newDatabase(); // the shared one has signing keys of another SECRET_KEY
  after(drop);
  const program = await startProgram(START, {
    ...environment,
    DATABASE_URL: url,
    ENVIRONMENT: 'production',
    PUBLIC_URL: 'https://api.example.com',
    TRUSTED_PROXIES: 'none',
    SECRET_KEY: 'a secret key of the tests of the start',
    INTERNAL_API_KEY: 'internal key of the tests',
    WEBHOOK_SECRET: 'webhook secret of the tests',
    LOG_LEVEL: '',
    DRAIN_SECONDS: '0',
  });
  const page = await (await fetch(`${program.readyValues.url}/reference/interactive`)).text();
  assert.ok(!page.includes('pk_'), 'nobody is given a key');
  assert.equal(await program.end('SIGTERM'), 0);
  const lines = program.complaints().trim().split('\n');
  const parsed = lines.map((line) => JSON.parse(line));
  assert.match(parsed[0].msg, /^Platform API \S+ is starting$/);
  for (const { level, time, pid } of parsed)
    assert.ok(level >= 30 && time > 1.7e12 && pid === program.process.pid);
});

test('on a terminal the summary has a line for each fact, and Ctrl-C ends with 0', {
  skip: noTerminal,
}, async () => {
  const { shown, type, ended } = onTerminal(`${process.execPath} src/main.js start`);
  await until(() => /To try it .*\n/.test(shown()), 'the summary');
  const [, url] = /^ {2}API {2,}(http:\S+)$/m.exec(shown()) ?? [];
  assert.equal((await fetch(`${url}/health/ready`)).status, 200);
  assert.match(shown(), /^Platform API \S+ is ready\. Ctrl-C stops it\.$/m);
  assert.match(shown(), /^ {2}Reference {2,}http:\S+\/reference$/m);
  assert.match(shown(), /^ {2}Sandbox {2,}http:\S+ \(.*\)$/m);
  assert.match(shown(), /^ {2}API key {2,}pk_\S+$/m);
  assert.ok(shown().includes(join(folder, 'data', 'development.json')), 'where the keys are saved');
  for (const line of shown().replaceAll(folder, '').split('\n')) assert.ok(line.length <= 80, line);
  type('\x03');
  assert.equal(await ended, 0);
  assert.match(shown(), /\nStopped\.\n$/);
});

test('Ctrl-C while the database is being created stops without an error', { skip: noTerminal }, async () => {
  const dataDir = join(folder, 'interrupted');
  const { shown, type, ended } = onTerminal(`${process.execPath} src/main.js start`, {
    DATABASE_URL: '',
    DATA_DIR: dataDir,
  });
  const postgres = join(dataDir, 'postgres');
  const initializes = () =>
    existsSync(postgres) && readdirSync(postgres).some((name) => name.startsWith('data.partial'));
  await until(initializes, 'initdb');
  type('\x03');
  assert.equal(await ended, 0, shown());
  assert.match(shown(), /Stopping \.\.\.\nStopped\.\n$/);
});

test('a sandbox whose port is taken prints its own port, reuses it, and stores it beside the keys', async () => {
  const squatter = createServer();
  after(() => squatter.close());
  await once(squatter.listen(3001, '127.0.0.1'), 'listening').catch(() => undefined); // anybody else's serves as well
  const settings = { ...environment, PORT: await freePort() };
  const first = await startProgram(START, settings);
  const { url, sandbox } = first.readyValues;
  assert.ok(
    first
      .complaints()
      .includes(`Port 3001 is taken: the sandbox is at ${sandbox}. SANDBOX_PORT sets another.\n`),
    first.complaints(),
  );
  const saved = JSON.parse(readFileSync(join(settings.DATA_DIR, 'development.json'), 'utf8'));
  assert.deepEqual([saved.api, saved.sandbox], [url, sandbox]);
  await first.end('SIGTERM');
  squatter.close();
  const second = await startProgram(START, settings);
  assert.equal(second.readyValues.sandbox, sandbox);
  assert.doesNotMatch(second.complaints(), /is taken/);
  await second.end('SIGTERM');
});

/** Whether an administrator can sign in with these credentials. */
async function canSignIn(email: string, password: string): Promise<boolean> {
  const { end, readyValues } = await startProgram(START, environment);
  const client = new Client(readyValues.url as string, { 'x-api-key': readyValues.adminApiKey as string });
  const { status } = await client.call(signIn, { body: { email, password, platform: 'backoffice' } });
  await end('SIGTERM');
  return status === 200;
}

test('a development key that was revoked is replaced at the next start, which says so', async () => {
  const first = await startProgram(START, environment);
  const before = first.readyValues as Record<string, string>;
  const client = new Client(before.url as string, { 'x-api-key': before.adminApiKey as string });
  const [email, password] = [before.adminEmail as string, before.adminPassword as string];
  const { data } = await client.call(signIn, { body: { email, password, platform: 'web' } });
  const [, id] = /_([0-9a-f]{24})_/.exec(before.adminApiKey as string) ?? [];
  await client.as(data.accessToken).call(revokeApiKey, { params: { id: id as string } });
  assert.equal(await first.end('SIGTERM'), 0);

  const second = await startProgram(START, environment);
  const now = second.readyValues as Record<string, string>;
  const told = /^adminApiKey was revoked or has expired; \S+development\.json has a new one\.$/m;
  assert.match(second.complaints(), told);
  assert.equal(now.apiKey, before.apiKey, 'the other key stays');
  const codeOf = async (key = '') => {
    const answer = await fetch(`${now.url}/v1/courses`, { headers: { 'x-api-key': key } });
    return ((await answer.json()) as { error: string }).error;
  };
  assert.equal(await codeOf(before.adminApiKey), 'INVALID_API_KEY');
  assert.equal(await codeOf(now.adminApiKey), await codeOf(now.apiKey));
  assert.notEqual(await codeOf(now.apiKey), 'INVALID_API_KEY');
  const saved = JSON.parse(readFileSync(join(folder, 'data', 'development.json'), 'utf8'));
  assert.equal(saved.adminApiKey, now.adminApiKey);
  assert.equal(await second.end('SIGTERM'), 0);
});

test('keys are created, listed and revoked from a shell', async () => {
  const keys = async (...args: string[]) => {
    const { code, output, complaints } = await runProgram(['src/main.js', 'keys', ...args], environment);
    assert.equal(code, 0, complaints);
    return JSON.parse(output);
  };
  const { id, key } = await keys('create', '--name', 'A shell', '--tier', 'crm');
  assert.match(key, new RegExp(`^pk_development_${id}_`));
  const listed = (await keys('list')).find((one: { id: string }) => one.id === id);
  assert.deepEqual([listed.name, listed.tier, listed.revokedAt], ['A shell', 'crm', null]);
  assert.ok((await keys('revoke', '--id', id)).revokedAt);
  assert.ok((await keys('list')).find((one: { id: string }) => one.id === id).revokedAt);
});

test('admin create reads the password from standard input, and refuses it on the command line', async () => {
  const create = (email: string, input: string, ...more: string[]) =>
    runProgram(['src/main.js', 'admin', 'create', '--email', email, ...more], environment, { input });
  const refused = await create('eve@example.com', '', '--password', 'a password of the tests');
  assert.equal(refused.code, 2);
  assert.match(refused.complaints, /--password would show it/);
  assert.equal((await create('eve@example.com', '')).code, 2, 'none was given');
  assert.equal((await create('eve@example.com', 'short\n')).code, 1);
  const created = await create('eve@example.com', 'a password of the tests\nand another line\n');
  assert.equal(created.code, 0, created.complaints);
  assert.match(created.output, /eve@example\.com is an administrator/);
  assert.ok(await canSignIn('eve@example.com', 'a password of the tests'));
});

test('admin create asks on a terminal, twice, and shows nothing of it', { skip: noTerminal }, async () => {
  const command = `${process.execPath} src/main.js admin create --email`;
  const createOnTerminal = async (email: string, second: string) => {
    const { shown, type, ended } = onTerminal(`${command} ${email}`);
    await until(() => /Password: $/.test(shown()), 'the question');
    type('a hidden password\r');
    await until(() => /Once more: $/.test(shown()), 'the second question');
    type(`${second}\r`);
    return { code: await ended, shown: shown() };
  };
  const differing = await createOnTerminal('fay@example.com', 'another password');
  assert.equal(differing.code, 2);
  assert.match(differing.shown, /The two passwords differ/);
  const { code, shown } = await createOnTerminal('fay@example.com', 'a hidden password');
  assert.equal(code, 0, shown);
  assert.ok(!shown.includes('hidden'));
  assert.ok(await canSignIn('fay@example.com', 'a hidden password'));
});
