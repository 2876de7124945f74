import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transferKeys } from '../../sdk/src/index.ts';
import { assertFailure } from '../support/failure.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const { client } = platform;
const member = await platform.newMemberWith(100);

/** Posts a transfer with this text as its body. */
const send = (text: string, headers: Record<string, string> = {}) =>
  member.client.with(headers).sendText('POST', '/v1/wallets/transfer', text);

test('bodies that are not well-formed JSON are refused', async () => {
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
  for (const text of ['[]', '"text"', '5', 'null']) {
    const answer = await send(text);
    assert.ok([400, 422].includes(answer.status), text);
  }
});

test('bodies of another type or encoding than JSON in UTF-8 are refused', async () => {
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
});

test('bodies of more than a mebibyte are refused', async () => {
  assertFailure(await send(`{"x":"${'a'.repeat(1024 * 1024)}"}`), 413, 'PAYLOAD_TOO_LARGE');
});

test('texts that PostgreSQL cannot store are refused', async () => {
  assertFailure(await send('{"description":"\\u0000"}'), 400, 'UNSAFE_TEXT');
  assertFailure(await send('{"metadata":{"x":["\\ud800"]}}'), 400, 'UNSAFE_TEXT');
  assertFailure(await send('{"metadata":{"\\udfff":1}}'), 400, 'UNSAFE_TEXT');
});

test('numbers beyond the range of JSON are a fault of their field, and not stored as null', async () => {
  const transfer = (number: string) =>
    send(`{"toUserId": "${platform.adminId}", "amount": 1, "metadata": {"list": [null, {"a": ${number}}]}}`);
  for (const number of ['1e400', '-1E+400', `${'9'.repeat(400)}`, `1${'0'.repeat(299)}e10`]) {
    const { status, body } = await transfer(number);
    assert.equal(status, 422, number);
    assert.deepEqual(body.errors, [{ field: 'metadata', message: 'has a number beyond the range of JSON' }]);
  }
  for (const number of ['1e300', '1e-400', `0.${'1'.repeat(400)}`, '"1e400"', 'null'])
    assert.equal((await transfer(number)).status, 201, number);
});

test('bodies may be nested 32 levels deep', async () => {
  const nested = (depth: number) =>
    `{"amount":1,"metadata":{"a":${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}}`;
  assertFailure(await send(nested(33)), 400, 'JSON_TOO_DEEP');
  assertFailure(await send(nested(32)), 422, 'VALIDATION_FAILED');
  assertFailure(await send(nested(30_000)), 400, 'JSON_TOO_DEEP');
});

test('an empty body counts as no body', async () => {
  assert.equal((await member.client.sendText('POST', '/v1/wallets', '')).status, 200);
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
});

test('metadata of more than 16 KiB is a fault of its field', async () => {
  const big = await member.client.attempt(transferKeys, {
    body: {
      toUserId: platform.adminId,
      amount: 1,
      metadata: { text: 'x'.repeat(17 * 1024) },
    },
  });
  assert.deepEqual([big.status, big.body.errors?.[0]?.field], [422, 'metadata']);
});
