import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import {
  buyKeys,
  createApiKey,
  getBalance,
  listApiKeys,
  revokeApiKey,
  transferKeys,
} from '../../sdk/src/index.ts';
import type { Answer, Envelope } from '../support/answer.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const { client, admin } = platform;
const member = await platform.newMemberWith(100);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Every failure looks like this, wherever it came from. */
function assertFailure(answer: Pick<Answer, 'status' | 'body'>, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.body.error], [status, code]);
  const { success, status: told, message, errorId, meta } = answer.body;
  assert.deepEqual(
    [success, told, typeof message, meta.version, meta.errorId],
    [false, status, 'string', 'v1', errorId],
  );
  assert.match(errorId ?? '', UUID);
  assert.match(meta.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
}

/** Sends bytes as they are, and reads until the server closes. */
function raw(text: string): Promise<{ status: number; body: Envelope; head: string }> {
  const { hostname, port } = new URL(platform.url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', body = ''] = received.split('\r\n\r\n');
      resolve({ status: Number(head.slice(9, 12)), body: JSON.parse(body || 'null'), head });
    });
  });
}

test('successful responses have the envelope, rate-limit headers and a request id', async () => {
  const { status, body, headers } = await member.client.call(getBalance);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ['success', 'status', 'message', 'data', 'meta']);
  assert.deepEqual([body.success, body.status, body.meta.version], [true, 200, 'v1']);
  assert.equal(headers.get('x-ratelimit-limit'), '2147483647');
  assert.equal(headers.get('x-ratelimit-remaining'), '2147483647');
  assert.match(headers.get('x-ratelimit-reset') ?? '', /^\d{10}$/);
  assert.match(headers.get('x-request-id') ?? '', /^req_/);
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('cache-control'), 'no-store');
  const own = await member.client.with({ 'x-request-id': 'mine-1' }).call(getBalance);
  assert.equal(own.headers.get('x-request-id'), 'mine-1');
  const hostile = await member.client.with({ 'x-request-id': 'a b<script>' }).call(getBalance);
  assert.match(hostile.headers.get('x-request-id') ?? '', /^req_/);
});

test('missing, unknown, foreign and revoked API keys are refused', async () => {
  const none = await client.with({ 'x-api-key': undefined }).attempt(getBalance);
  assertFailure(none, 401, 'API_KEY_REQUIRED');
  assert.equal(none.body.message, 'API key is required');
  assert.ok(none.headers.get('www-authenticate'));
  const { id, key } = await platform.newKey('crm');
  for (const bad of [
    'x',
    'pk_development_1_2',
    key.replace('development', 'production'),
    `${key}x`,
    'é'.repeat(20),
  ]) {
    const answer = await client.with({ 'x-api-key': encodeURIComponent(bad) }).attempt(getBalance);
    assertFailure(answer, 401, 'INVALID_API_KEY');
    assert.equal(answer.body.message, 'Invalid API key');
  }
  const withKey = member.client.with({ 'x-api-key': key });
  assert.equal((await withKey.call(getBalance)).status, 200);
  assert.equal((await admin.call(revokeApiKey, { params: { id } })).status, 200);
  assertFailure(await withKey.attempt(getBalance), 401, 'INVALID_API_KEY');
  const rows = await platform.database.all('select * from gateway.api_key where id = $1', [id]);
  assert.ok(!JSON.stringify(rows).includes(key.slice(-20)), 'only a hash is stored');
});

test('API keys are managed by administrators and shown once', async () => {
  const created = await admin.call(createApiKey, { body: { name: 'Mobile app', tier: 'mobile' } });
  assert.equal(created.status, 201);
  const { id, key, createdAt, ...rest } = created.data;
  assert.deepEqual(rest, { name: 'Mobile app', tier: 'mobile', environment: 'development' });
  assert.match(key, new RegExp(`^pk_development_${id}_[\\w-]{43}$`));
  assert.ok(createdAt);
  const listed = (await admin.call(listApiKeys)).data.find((one) => one.id === id);
  assert.ok(listed && !('key' in listed));
  const misfit = await admin.raw('POST', '/v1/admin/api-keys', { name: '', tier: 'gold' });
  assertFailure(misfit, 422, 'VALIDATION_FAILED');
  assertFailure(await admin.attempt(revokeApiKey, { params: { id: 'nonsense' } }), 400, 'INVALID_ID');
  assertFailure(await admin.attempt(revokeApiKey, { params: { id: 'a'.repeat(24) } }), 404, 'NOT_FOUND');
  assertFailure(await member.client.attempt(listApiKeys), 403, 'FORBIDDEN');
});

test('unknown routes are 404, other methods 405 with Allow, and paths are case-sensitive', async () => {
  assertFailure(await client.raw('GET', '/v1/nothing'), 404, 'ROUTE_NOT_FOUND');
  const wrong = await member.client.raw('PUT', '/v1/wallets/balance', {});
  assertFailure(wrong, 405, 'METHOD_NOT_ALLOWED');
  assert.equal(wrong.headers.get('allow'), 'GET, HEAD, OPTIONS');
  assert.equal((await member.client.call(getBalance)).status, 200);
  assertFailure(await member.client.raw('GET', '/v1/Wallets/balance'), 404, 'ROUTE_NOT_FOUND');
  assertFailure(await member.client.raw('PROPFIND', '/v1/wallets/balance'), 405, 'METHOD_NOT_ALLOWED');
});

test('HEAD answers like GET without a body; OPTIONS tells the methods', async () => {
  const head = await member.client.raw('HEAD', '/v1/wallets/balance');
  assert.deepEqual([head.status, head.body], [200, '']);
  const options = await client.with({ 'x-api-key': undefined }).raw('OPTIONS', '/v1/admin/api-keys');
  assert.deepEqual([options.status, options.headers.get('allow')], [204, 'GET, HEAD, OPTIONS, POST']);
});

test('browsers of any origin may call in development, and read our headers', async () => {
  const preflight = await client
    .with({
      'x-api-key': undefined,
      origin: 'https://app.example.com',
      'access-control-request-method': 'POST',
    })
    .raw('OPTIONS', '/v1/wallets');
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
  assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /POST/);
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /X-API-Key/);
  const answer = await member.client.with({ origin: 'https://app.example.com' }).raw('GET', '/v1/nothing');
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  assert.match(
    answer.headers.get('access-control-expose-headers') ?? '',
    /X-RateLimit-Remaining.*Retry-After.*X-Request-Id/,
  );
});

test('bodies must be well-formed JSON in UTF-8 within limits of size and depth', async () => {
  const path = '/v1/wallets/transfer';
  const send = (text: string, headers: Record<string, string> = {}) =>
    member.client.with(headers).sendText('POST', path, text);
  for (const text of [
    '{',
    'nope',
    '{"amount":1,}',
    '{"__proto__":{}}',
    '{"constructor":{"prototype":{}}}',
    '\u0000',
  ]) {
    assertFailure(await send(text), 400, 'MALFORMED_JSON');
  }
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'application/json;',
    ' ',
  ]) {
    const answer = await send('{"amount":1}', { 'content-type': type });
    assert.ok([415, 400, 422].includes(answer.status), `${type} ${answer.status}`);
    assert.equal(answer.body.success, false);
  }
  assertFailure(await send('{"amount":1}', { 'content-type': 'text/plain' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  assertFailure(
    await send('{}', { 'content-type': 'application/json; charset=utf-16' }),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  );
  assertFailure(await send('{}', { 'content-encoding': 'gzip' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  assertFailure(await send(`{"x":"${'a'.repeat(1024 * 1024)}"}`), 413, 'PAYLOAD_TOO_LARGE');
  assertFailure(await send('{"description":"\\u0000"}'), 400, 'UNSAFE_TEXT');
  assertFailure(await send('{"metadata":{"x":["\\ud800"]}}'), 400, 'UNSAFE_TEXT');
  assertFailure(await send('{"metadata":{"\\udfff":1}}'), 400, 'UNSAFE_TEXT');
  const nested = (depth: number) =>
    `{"amount":1,"metadata":{"a":${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}}`;
  assertFailure(await send(nested(33)), 400, 'JSON_TOO_DEEP');
  assertFailure(await send(nested(32)), 422, 'VALIDATION_FAILED');
  assertFailure(await send(nested(30_000)), 400, 'JSON_TOO_DEEP');
  for (const text of ['[]', '"text"', '5', 'null']) {
    const answer = await send(text);
    assert.ok([400, 422].includes(answer.status), text);
  }
  assert.equal(
    (await member.client.sendText('POST', '/v1/wallets', '')).status,
    200,
    'an empty body is no body',
  );
});

test('all faults of a body are reported at once with dotted paths', async () => {
  const { status, body } = await client.raw('POST', '/v1/auth/signup', {
    platform: 'web',
    email: 'nobody',
    password: 'short',
  });
  assert.equal(status, 422);
  assert.equal(body.message, 'Validation failed');
  const fields = body.errors?.map(({ field }) => field).sort();
  assert.deepEqual(fields, ['email', 'firstName', 'lastName', 'password']);
  const big = await member.client.attempt(transferKeys, {
    body: {
      toUserId: platform.adminId,
      amount: 1,
      metadata: { text: 'x'.repeat(17 * 1024) },
    },
  });
  assert.deepEqual([big.status, big.body.errors?.[0]?.field], [422, 'metadata']);
});

test('malformed HTTP requests are answered in the envelope', async () => {
  assertFailure(await raw('NONSENSE\r\n\r\n'), 400, 'MALFORMED_REQUEST');
  assertFailure(await raw(`GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`), 431, 'HEADERS_TOO_LARGE');
  assertFailure(await raw('GET /v1/wallets HTTP/1.1\r\nconnection: close\r\n\r\n'), 400, 'MALFORMED_REQUEST');
  const expecting = await raw('GET /v1/wallets HTTP/1.1\r\nhost: x\r\nexpect: y\r\n\r\n');
  assertFailure(expecting, 417, 'EXPECTATION_FAILED');
  const badUrl = await raw('GET /v1/%E0%A4%A HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  assertFailure(badUrl, 400, 'MALFORMED_URL');
  assert.match(badUrl.head, /x-ratelimit-limit/i);
  assert.match((await raw('NONSENSE\r\n\r\n')).head, /x-ratelimit-limit/i);
});

test('requests without exactly one Host are 400, WebSockets included', async () => {
  const key = `x-api-key: ${client.headers['x-api-key']}\r\nconnection: close`;
  const upgrade = 'Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13';
  const nonce = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  for (const hosts of ['Host: a\r\nHost: b', 'Host: a\r\nhOST: a', 'host:\r\nhost:', 'x: y']) {
    for (const line of ['GET /v1/wallets/balance', 'GET /', 'GET /nowhere', 'OPTIONS /v1/wallets']) {
      const answer = await raw(`${line} HTTP/1.1\r\n${hosts}\r\n${key}\r\n\r\n`);
      assertFailure(answer, 400, 'MALFORMED_REQUEST');
    }
    const live = await raw(`GET /v1/live HTTP/1.1\r\n${hosts}\r\n${nonce}\r\n${upgrade}\r\n\r\n`);
    assertFailure(live, 400, 'MALFORMED_REQUEST');
  }
  assert.equal((await raw('GET /health/live HTTP/1.0\r\n\r\n')).status, 200, 'HTTP/1.0 knows no hosts');
});

test('a URL whose host is tens of thousands of characters long is a fault of its field', async () => {
  const successUrl = `https://${'2025-01-01T'.repeat(2_500)}`;
  const { status, body } = await member.client.attempt(buyKeys, {
    body: {
      amount: 10,
      successUrl,
      cancelUrl: successUrl,
    },
  });
  assert.equal(status, 422);
  assert.deepEqual(body.errors?.map(({ field }) => field).sort(), ['cancelUrl', 'successUrl']);
});

test('hostile paths and ids are 4xx', async () => {
  const ids = [
    '%00',
    '%2f',
    '..%2f..',
    "'%20or%201=1",
    '%F0%9F%98%80',
    'a'.repeat(2000),
    '0x10',
    'A'.repeat(24),
  ];
  for (const id of ids) {
    const { status, body } = await admin.attempt(revokeApiKey, { params: { id } });
    assert.ok(status >= 400 && status < 500, `${id} ${status}`);
    assert.equal(body.success, false);
  }
});

test('health reflects the state of the platform', async () => {
  const read = (path: string) => fetch(platform.url + path);
  assert.deepEqual(await (await read('/health/live')).json(), { status: 'live' });
  const { status } = (await (await read('/health/ready')).json()) as { status: string };
  assert.equal(status, 'ready');
  assert.match(
    await (await read('/metrics')).text(),
    /http_request_duration_seconds_count\{operation="getBalance",status="200"\} [1-9]/,
  );
});
