import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createWallet, getBalance, getError, getProfile, signIn, signUp } from '../../sdk/src/index.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { until } from '../support/live.ts';
import { type Program, startProgram } from '../support/programs.ts';

const { url: databaseUrl, drop } = await newDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'platform-log-'));
const environment = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info' };
const programs: Program[] = [];
async function start(more: Record<string, string> = {}): Promise<Program> {
  const program = await startProgram(['src/main.js', 'start'], { ...environment, ...more });
  programs.push(program);
  return program;
}
after(async () => {
  for (const program of programs) await program.end('SIGKILL');
  await drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const program = await start();
const url = program.readyValues.url as string;
const client = new Client(url, { 'x-api-key': program.readyValues.adminApiKey as string });
const ID = '4bf92f3577b34da6a3ce929d0e0e4736';

/** A line of the log with the fields of a request. */
interface LogLine {
  level: number;
  msg: string;
  requestId: string;
  method: string;
  route?: string;
  path?: string;
  operation: string;
  status: number;
  code: string;
  errorId: string;
  ms: number;
  queries?: number;
  dbMs: number;
  waitMs: number;
  bytes: number;
  traceId: string;
  userId: string;
  keyId: string;
  address: string;
}

const linesOf = ({ complaints }: Program): LogLine[] =>
  complaints()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as LogLine);
const requestsOf = (program: Program) => linesOf(program).filter(({ msg }) => msg === 'request');

/** The line of the request with this id. */
async function lineOf(requestId: string): Promise<LogLine> {
  const find = () => requestsOf(program).find((line) => line.requestId === requestId);
  await until(() => find() !== undefined, `the line of ${requestId}`);
  return find() as LogLine;
}

const person = { email: newEmail(), password: PASSWORD, firstName: 'A', lastName: 'B' };
const { data: signedUp } = await client.call(signUp, { body: { ...person, platform: 'web' } });
const member = client.as(signedUp.accessToken);

test('each request is logged with caller, operation, outcome, duration, size and trace', async () => {
  const traceparent = `00-${ID}-00f067aa0ba902b7-01`;
  await member.with({ 'x-request-id': 'mine', traceparent }).call(createWallet);
  const { level, method, route, operation, status, ms, queries = 0, ...rest } = await lineOf('mine');
  const { bytes, dbMs, waitMs, ...line } = rest;
  assert.deepEqual(
    [level, method, route, operation, status],
    [30, 'POST', '/v1/wallets', 'createWallet', 201],
  );
  assert.ok(ms > 0 && bytes > 100);
  assert.ok(queries > 1 && dbMs > 0 && waitMs >= 0 && dbMs <= ms, `${queries} queries, ${dbMs} of ${ms} ms`);
  assert.deepEqual([line.traceId, line.userId, line.address], [ID, signedUp.user.id, '127.0.0.1']);
  assert.match(line.keyId, /^[\da-f]{24}$/);
  assert.equal(requestsOf(program).filter(({ requestId }) => requestId === 'mine').length, 1);
});

test('refusals are logged with code and errorId, including unknown routes and malformed requests', async () => {
  const refused = await client.with({ 'x-request-id': 'refused' }).attempt(getProfile);
  const line = await lineOf('refused');
  assert.deepEqual([line.status, line.code, line.errorId], [401, refused.body.error, refused.body.errorId]);
  await client
    .with({ 'x-request-id': 'nowhere' })
    .raw('GET', '/v1/nowhere/at/all?token=a-secret-of-the-tests');
  const unknown = await lineOf('nowhere');
  assert.deepEqual([unknown.status, unknown.path, unknown.route], [404, '/v1/nowhere/at/all', undefined]);
  await client.with({ 'x-request-id': 'bad-url' }).raw('GET', '/v1/%zz');
  const bad = await lineOf('bad-url');
  assert.deepEqual([bad.status, bad.queries], [400, undefined], 'no query was made');
});

test('a client that disconnects before the response is logged as 499', async () => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const body = JSON.stringify({ email: person.email, password: PASSWORD, platform: 'web' });
  const head = [
    'POST /v1/auth/signin HTTP/1.1',
    'Host: x',
    'X-Request-Id: gone',
    `X-API-Key: ${client.headers['x-api-key']}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  // Hashing a password takes a while, so the client disconnects before the response.
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => setImmediate(() => socket.destroy()));
  assert.equal((await lineOf('gone')).status, 499);
});

test('the log contains no secrets, queries or ids of paths, and no probes', async () => {
  const secret = 'a-canary-of-the-tests';
  await member
    .with({ 'x-request-id': 'query' })
    .raw('GET', `/v1/wallets/transactions?token=${secret}&limit=1`);
  await member
    .with({ 'x-request-id': 'path' })
    .attempt(getError, { params: { errorId: 'a-canary-of-the-tests' } });
  await member.attempt(signIn, { body: { email: secret, password: secret, platform: 'web' } });
  for (const path of ['/health/live', '/health/ready', '/metrics']) await fetch(url + path);
  await member.with({ 'x-request-id': 'last' }).attempt(getBalance);
  await lineOf('last');
  assert.equal((await lineOf('path')).route, '/v1/errors/:errorId');
  const whole = program.complaints();
  for (const canary of [secret, PASSWORD, signedUp.accessToken, client.headers['x-api-key'] as string])
    assert.ok(!whole.includes(canary));
  assert.deepEqual(
    requestsOf(program).filter(({ route }) => /health|metrics/.test(route ?? '')),
    [],
  );
});

test('a proxy that is not in TRUSTED_PROXIES is reported once', async () => {
  const warnings = () => linesOf(program).filter(({ msg }) => /TRUSTED_PROXIES/.test(msg));
  for (let number = 0; number < 3; number++)
    await client.with({ 'x-forwarded-for': `203.0.113.${number}` }).attempt(getBalance);
  await until(() => warnings().length > 0, 'the warning');
  // Once the line of a later request has been written, all earlier lines have been, too.
  const { headers } = await member.attempt(getBalance);
  await lineOf(headers.get('x-request-id') as string);
  assert.deepEqual(
    warnings().map(({ level, address }) => [level, address]),
    [[40, '127.0.0.1']],
  );
});

test('the access log can be turned off and is silent above level info', async () => {
  const others = await Promise.all([start({ ACCESS_LOG: 'off' }), start({ LOG_LEVEL: 'warn' })]);
  for (const other of others) {
    await fetch(`${other.readyValues.url}/openapi.json`);
    assert.equal(await other.end('SIGTERM'), 0);
    assert.deepEqual(requestsOf(other), []);
  }
});
