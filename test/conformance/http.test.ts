import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { buyKeys, createApiKey, getBalance, listApiKeys, revokeApiKey } from '../../sdk/src/index.ts';
import type { Envelope } from '../support/answer.ts';
import { assertFailure } from '../support/failure.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const { client, admin } = platform;
const member = await platform.newMemberWith(100);

/** Sends a text unchanged, and reads until the server closes the connection. */
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

test('successful responses have the envelope and the common headers', async () => {
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
});

test('a request keeps its own id if it is harmless, and gets one otherwise', async () => {
  const own = await member.client.with({ 'x-request-id': 'mine-1' }).call(getBalance);
  assert.equal(own.headers.get('x-request-id'), 'mine-1');
  const hostile = await member.client.with({ 'x-request-id': 'a b<script>' }).call(getBalance);
  assert.match(hostile.headers.get('x-request-id') ?? '', /^req_/);
});

test('requests without an API key are refused', async () => {
  const none = await client.with({ 'x-api-key': undefined }).attempt(getBalance);
  assertFailure(none, 401, 'API_KEY_REQUIRED');
  assert.equal(none.body.message, 'API key is required');
  assert.ok(none.headers.get('www-authenticate'));
});

test('malformed, unknown and foreign API keys are refused', async () => {
  const { key } = await platform.newKey('crm');
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
});

test('a revoked API key is refused at once', async () => {
  const { id, key } = await platform.newKey('crm');
  const withKey = member.client.with({ 'x-api-key': key });
  assert.equal((await withKey.call(getBalance)).status, 200);
  assert.equal((await admin.call(revokeApiKey, { params: { id } })).status, 200);
  assertFailure(await withKey.attempt(getBalance), 401, 'INVALID_API_KEY');
});

test('only a hash of an API key is stored', async () => {
  const { id, key } = await platform.newKey('crm');
  const rows = await platform.database.all('select * from gateway.api_key where id = $1', [id]);
  assert.equal(rows.length, 1);
  assert.ok(!JSON.stringify(rows).includes(key.slice(-20)));
});

test('an API key is shown once, when it is created', async () => {
  const created = await admin.call(createApiKey, { body: { name: 'Mobile app', tier: 'mobile' } });
  assert.equal(created.status, 201);
  const { id, key, createdAt, ...rest } = created.data;
  assert.deepEqual(rest, { name: 'Mobile app', tier: 'mobile', environment: 'development' });
  assert.match(key, new RegExp(`^pk_development_${id}_[\\w-]{43}$`));
  assert.ok(createdAt);
  const listed = (await admin.call(listApiKeys)).data.find((one) => one.id === id);
  assert.ok(listed && !('key' in listed));
});

test('only administrators manage API keys, with valid fields and ids', async () => {
  const misfit = await admin.raw('POST', '/v1/admin/api-keys', { name: '', tier: 'gold' });
  assertFailure(misfit, 422, 'VALIDATION_FAILED');
  assertFailure(await admin.attempt(revokeApiKey, { params: { id: 'nonsense' } }), 400, 'INVALID_ID');
  assertFailure(await admin.attempt(revokeApiKey, { params: { id: 'a'.repeat(24) } }), 404, 'NOT_FOUND');
  assertFailure(await member.client.attempt(listApiKeys), 403, 'FORBIDDEN');
});

test('unknown paths are 404, and paths are case-sensitive', async () => {
  assertFailure(await client.raw('GET', '/v1/nothing'), 404, 'ROUTE_NOT_FOUND');
  assert.equal((await member.client.call(getBalance)).status, 200);
  assertFailure(await member.client.raw('GET', '/v1/Wallets/balance'), 404, 'ROUTE_NOT_FOUND');
});

test('other methods of a path are 405 with Allow', async () => {
  const wrong = await member.client.raw('PUT', '/v1/wallets/balance', {});
  assertFailure(wrong, 405, 'METHOD_NOT_ALLOWED');
  assert.equal(wrong.headers.get('allow'), 'GET, HEAD, OPTIONS');
  assertFailure(await member.client.raw('PROPFIND', '/v1/wallets/balance'), 405, 'METHOD_NOT_ALLOWED');
});

test('HEAD answers like GET without a body', async () => {
  const head = await member.client.raw('HEAD', '/v1/wallets/balance');
  assert.deepEqual([head.status, head.body], [200, '']);
});

test('OPTIONS answers with the methods of the path', async () => {
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
  assert.equal((await raw('GET /health/live HTTP/1.0\r\n\r\n')).status, 200, 'HTTP/1.0 has no Host header');
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
