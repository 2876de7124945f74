import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWallet, getProfile, signUp } from '../../sdk/src/index.ts';
import { isPostmasterOf, readPostmasterFile } from '../../src/embedded-postgres/postmaster-file.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { LiveClient, until } from '../support/live.ts';
import { type Program, startCommand, startProgram } from '../support/programs.ts';

const START = ['src/main.js', 'start'];
const folders: string[] = [];
function newDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'platform-stop-'));
  folders.push(folder);
  return folder;
}
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Tells whether the embedded PostgreSQL of a data folder runs. */
function postgresOf(dataDir: string) {
  const directory = join(dataDir, 'postgres', 'data');
  const file = join(directory, 'postmaster.pid');
  const pid = Number(readFileSync(file, 'utf8').split('\n', 1)[0]);
  return { pid, isAlive: () => isPostmasterOf(directory, pid), endedCleanly: () => !existsSync(file) };
}

/** Returns the parent of a process. */
const parentOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);

interface Heard {
  status: number;
  connection: string | undefined;
}

/** Sends a request over a connection of its own, as a load balancer's probe does. */
const ask = (url: string): Promise<Heard> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { connection: 'keep-alive' } }, (response) => {
      response.resume();
      response.on('end', () =>
        resolve({ status: response.statusCode as number, connection: response.headers.connection }),
      );
    }).on('error', reject);
  });

const isRefused = (url: string): Promise<boolean> =>
  ask(url).then(
    () => false,
    (error) => error.code === 'ECONNREFUSED',
  );

/** Signs up a member at a started development server. */
async function newMember({ readyValues }: Program): Promise<Client> {
  const client = new Client(readyValues.url as string, { 'x-api-key': readyValues.adminApiKey as string });
  const person = {
    email: newEmail(),
    password: PASSWORD,
    firstName: 'A',
    lastName: 'B',
    platform: 'web' as const,
  };
  return client.as((await client.call(signUp, { body: person })).data.accessToken);
}

test('npm start: SIGTERM to npm alone ends everything, PostgreSQL included, with 0', async () => {
  const dataDir = newDataDir();
  const npm = await startCommand('npm', ['start'], { DATA_DIR: dataDir, PORT: '0' });
  const postgres = postgresOf(dataDir);
  assert.ok(postgres.isAlive());
  assert.equal(await npm.end('SIGTERM'), 0, npm.complaints());
  assert.ok(await isRefused(`${npm.readyValues.url}/health/live`), 'the server has gone with npm');
  assert.ok(!postgres.isAlive() && postgres.endedCleanly());
});

test('on SIGTERM a process is not ready but serves, closes sockets with 1012, and ends with 0', async () => {
  const { url: databaseUrl, drop } = await newDatabase();
  const program = await startProgram(START, {
    DATABASE_URL: databaseUrl,
    DATA_DIR: newDataDir(),
    PORT: '0',
    METRICS_PORT: '0',
    DRAIN_SECONDS: '12',
  });
  const url = program.readyValues.url as string;
  const member = await newMember(program);
  const live = await LiveClient.open(url, member.headers.authorization?.slice('Bearer '.length));
  assert.equal((await ask(`${url}/health/ready`)).status, 200);

  const ended = program.end('SIGTERM');
  await until(async () => (await ask(`${url}/health/ready`)).status === 503, 'the sign for balancers');
  assert.deepEqual(await ask(`${url}/health/live`), { status: 200, connection: 'close' });
  assert.equal((await member.call(getProfile)).status, 200, 'a request that comes now is served');
  assert.equal((await member.call(createWallet)).status, 201, 'one that writes too');
  assert.equal(live.closed, undefined, 'sockets are served as well');
  assert.equal((await ask(`${url}/health/ready`)).status, 503);
  assert.equal((await live.closing()).code, 1012);
  assert.equal(await ended, 0, program.complaints());
  assert.ok(await isRefused(`${url}/health/live`));
  await drop();
});

test('on SIGTERM during an outage of the database, sockets are closed with 1012 and the exit code is 0', async () => {
  const { url: databaseUrl, drop } = await newDatabase();
  const program = await startProgram(START, {
    DATABASE_URL: databaseUrl,
    DATA_DIR: newDataDir(),
    PORT: '0',
    DRAIN_SECONDS: '0',
  });
  const member = await newMember(program);
  const token = member.headers.authorization?.slice('Bearer '.length);
  const live = await LiveClient.open(program.readyValues.url as string, token);
  await drop();
  assert.equal(await program.end('SIGTERM'), 0, program.complaints());
  assert.equal((await live.closing()).code, 1012);
});

test('two signals at once, as by Ctrl-C under npm, count as one; a later one ends at once', async () => {
  const dataDir = newDataDir();
  const environment = { DATA_DIR: dataDir, PORT: '0' };
  const patient = await startProgram(START, environment);
  patient.process.kill('SIGINT');
  assert.equal(await patient.end('SIGINT'), 0, patient.complaints());

  const slow = await startProgram(START, { ...environment, DRAIN_SECONDS: '299' });
  const postgres = postgresOf(dataDir);
  slow.process.kill('SIGTERM');
  await until(async () => (await ask(`${slow.readyValues.url}/health/ready`)).status === 503, 'the drain');
  await sleep(1_100); // within a second it would be the same signal
  assert.equal(await slow.end('SIGTERM'), 1);
  assert.match(slow.complaints(), /second SIGTERM/);
  await until(() => !postgres.isAlive(), 'the end of PostgreSQL');
});

test('a signal during the start ends what has been started', async () => {
  const dataDir = newDataDir();
  const starting = startProgram(START, { DATA_DIR: dataDir, PORT: '0' }).catch((error: Error) => error);
  const directory = join(dataDir, 'postgres', 'data');
  // The file exists before the process id is in it, and also while `initdb` runs a PostgreSQL of its own.
  const isStarting = () => isPostmasterOf(directory, readPostmasterFile(directory)?.pid ?? 0);
  await until(isStarting, 'the start of PostgreSQL');
  const postgres = postgresOf(dataDir);
  process.kill(parentOf(postgres.pid), 'SIGTERM');
  assert.match(String(await starting), /ended with 0/);
  await until(() => !postgres.isAlive(), 'the end of PostgreSQL');
});

/** Preloaded code that throws an uncaught error on a signal. */
const FAULTS = `--import=data:text/javascript,${encodeURIComponent(`
  process.on('SIGUSR2', () => { throw new Error('a fault of the tests'); });
  process.on('SIGHUP', () => { Promise.reject(new Error('a rejection of the tests')); });
`)}`;

for (const [signal, told] of [
  ['SIGUSR2', /a fault of the tests/],
  ['SIGHUP', /a rejection of the tests/],
] as const) {
  test(`after an uncaught error (${signal}) requests are answered, PostgreSQL is stopped, and the code is 1`, async () => {
    const dataDir = newDataDir();
    const program = await startProgram(START, { DATA_DIR: dataDir, PORT: '0', NODE_OPTIONS: FAULTS });
    const postgres = postgresOf(dataDir);
    const member = await newMember(program);
    const inFlight = Array.from({ length: 20 }, () => member.call(createWallet));
    await Promise.race(inFlight);
    const code = await program.end(signal);
    for (const answer of await Promise.allSettled(inFlight))
      if (answer.status === 'fulfilled') assert.ok([200, 201].includes(answer.value.status));
    assert.equal(code, 1);
    assert.match(program.complaints(), told);
    assert.match(program.complaints(), /"level":60/, 'as fatal');
    await until(() => !postgres.isAlive(), 'the end of PostgreSQL');
  });
}
