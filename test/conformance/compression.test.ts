import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { codingOf, namesSecret } from '../../src/gateway/http/compression.ts';
import { anyClient } from '../../src/kernel/operations/access.ts';
import { ok, operation, Streamed } from '../../src/kernel/operations/operation.ts';
import { startPlatform } from '../support/platform.ts';

/** Yields half a megabyte and then fails. */
async function* broken(): AsyncGenerator<unknown[]> {
  yield Array.from({ length: 5_000 }, (_, place) => ({ place, noise: Math.random() }));
  throw new Error('the disk is gone');
}
const breaking = operation({
  method: 'GET',
  path: '/v1/broken',
  id: 'readBroken',
  tag: 'Test',
  summary: 'Breaks off',
  access: anyClient,
  success: ok(Type.Object({ items: Type.Array(Type.Object({})) })),
  handle: async () => new Streamed({ kind: 'list', head: {}, field: 'items', items: broken() }),
});
const platform = await startPlatform({ LOG_LEVEL: 'silent' }, [
  { name: 'test', service: {}, operations: [breaking] },
]);
const { admin } = platform;
const member = await platform.newMemberWith(10);

/** Returns a response as it is sent, without decompressing it. */
async function raw(path: string, headers: Record<string, string | undefined>, method = 'GET', body?: string) {
  const sentHeaders = Object.entries({ ...admin.headers, ...headers }).filter(
    ([, value]) => value !== undefined,
  );
  const sending = request(platform.url + path, {
    method,
    headers: Object.fromEntries(sentHeaders) as Record<string, string>,
  });
  sending.end(body);
  const [response] = await once(sending, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) };
}

const LONG = '/v1/admin/audit?limit=100';
for (let count = 0; count < 20; count++) await platform.newMemberWith(1);

test('responses of more than 1 KB are compressed as the client accepts, with unchanged content', async () => {
  const plain = await raw(LONG, {});
  assert.ok(plain.bytes.length > 1024);
  assert.deepEqual([plain.headers['content-encoding'], plain.headers.vary], [undefined, 'Accept-Encoding']);
  const { data } = JSON.parse(plain.bytes.toString());
  for (const [accepted, coding, open] of [
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['br;q=0.5, gzip;q=0.9', 'gzip', gunzipSync],
  ] as const) {
    const { headers, bytes } = await raw(LONG, { 'accept-encoding': accepted });
    assert.equal(headers['content-encoding'], coding, accepted);
    assert.equal(headers.vary, 'Accept-Encoding');
    assert.ok(bytes.length < plain.bytes.length / 2);
    assert.deepEqual(JSON.parse(open(bytes).toString()).data, data);
  }
});

test('documents that are sent as they are name `Accept-Encoding` once, too', async () => {
  for (const path of ['/openapi.json', '/reference/', '/llms.txt'])
    for (const accepted of [undefined, 'br']) {
      const { status, headers } = await raw(path, { 'accept-encoding': accepted });
      assert.deepEqual([path, status, headers.vary], [path, 200, 'Accept-Encoding']);
    }
});

test('short answers, HEAD and answers with secrets are not compressed', async () => {
  const accepting = { 'accept-encoding': 'gzip, br' };
  const short = await raw('/v1/wallets/balance', { ...accepting, ...member.client.headers });
  assert.deepEqual(
    [short.status, short.headers['content-encoding'], short.headers.vary],
    [200, undefined, undefined],
  );
  const head = await raw(LONG, accepting, 'HEAD');
  assert.equal(head.headers['content-encoding'], undefined);
  // Longer than 1 KB, so that it would be compressed if it contained no secret.
  const key = await raw(
    '/v1/admin/api-keys',
    { ...accepting, 'content-type': 'application/json' },
    'POST',
    JSON.stringify({ name: 'x'.repeat(100), tier: 'crm' }),
  );
  assert.deepEqual([key.status, key.headers['content-encoding']], [201, undefined]);
  const secret = platform.platform.operations
    .filter(({ success }) => namesSecret(success.data))
    .map(({ id }) => id);
  for (const id of ['signUp', 'signIn', 'refreshToken', 'signInSso', 'redeemSsoToken', 'createApiKey'])
    assert.ok(secret.includes(id), id);
  for (const id of ['listAudit', 'listTransactions', 'listChatMessages', 'getStatement'])
    assert.ok(!secret.includes(id), id);
});

test('streams are compressed as well, and Vary names both Origin and Accept-Encoding', async () => {
  const path = `/v1/wallets/admin/${member.id}/statement`;
  for (const [query, type] of [
    ['', 'application/json; charset=utf-8'],
    ['?format=csv', 'text/csv; charset=utf-8'],
  ] as const) {
    const plain = await raw(path + query, {});
    const { headers, bytes } = await raw(path + query, { 'accept-encoding': 'br' });
    assert.deepEqual([headers['content-encoding'], headers['content-type']], ['br', type]);
    const strip = (text: string) => text.replace(/"timestamp":"[^"]+"/, '').replace(/"to":"[^"]+"/, '');
    assert.equal(strip(brotliDecompressSync(bytes).toString()), strip(plain.bytes.toString()));
  }
});

test('a stream that breaks off is an incomplete response, compressed or not', async () => {
  for (const accepted of ['gzip', 'br', 'identity']) {
    const reading = fetch(`${platform.url}/v1/broken`, {
      headers: { ...admin.headers, 'accept-encoding': accepted },
    }).then((response) => response.text());
    await assert.rejects(reading, accepted);
  }
});

test('Accept-Encoding is interpreted according to RFC 9110', () => {
  for (const [accepted, coding] of [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['gzip;q=0, *', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip;q=1.0, br;q=1.0', 'br'],
    ['gzip ; q=0.001', 'gzip'],
    ['gzip;q=nonsense', undefined],
    ['deflate, zstd', undefined],
  ] as const) {
    assert.equal(codingOf(accepted), coding, String(accepted));
  }
});
