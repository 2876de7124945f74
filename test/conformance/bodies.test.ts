import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TSchema, Type } from 'typebox';
import { assignPermissions, listErrors, listUsersAsAdmin } from '../../sdk/src/index.ts';
import { malformedUrl } from '../../src/gateway/http/failures.ts';
import { jsonTooDense } from '../../src/gateway/http/json-body.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { DEFAULT_MAX_BODY_BYTES, type Operation } from '../../src/kernel/operations/operation.ts';
import { bodyCheck } from '../../src/kernel/operations/validation.ts';
import { lessonNotFound } from '../../src/modules/education/failures.ts';
import type { Envelope } from '../support/answer.ts';
import { closeConnections } from '../support/client.ts';
import type { JsonSchema } from '../support/descriptions.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';
import { assertInvalid, assertRefused } from '../support/refused.ts';

const platform = await startPlatform();
const { admin } = platform;
// Some operations are for educators alone.
await admin.call(assignPermissions, {
  params: { userId: platform.adminId },
  body: { permissions: ['educator'] },
});
const member = await platform.newMember();
const KIB = 1024;
const MIB = 1024 * KIB;

const withBody = platform.platform.operations.filter(({ body }) => body !== undefined);
/** Webhooks are limited only by their size: the signing system decides about their content. */
const isWebhook = ({ access }: Operation) => access.name === 'signed-webhook';
/** A thousand events with the maximum metadata exceed a body, so clients send them in several requests. */
const BATCHES = ['trackEvents'];

const sum = (numbers: number[]): number => numbers.reduce((all, one) => all + one, 0);
const PATTERN_WITHOUT_REPETITION = /^\^(?:[^*+]|\[[^\]]*\]|\{\d+,\d+\})*\$$/;

/** A shape that may state the maximum bytes of its JSON. */
interface Shape extends JsonSchema {
  maxBytes?: number;
}

/** Returns the maximum bytes of a value of this shape as JSON in UTF-8; Infinity if unbounded. */
function maxBytesOf(shape: Shape): number {
  if (shape.enum) return Math.max(...shape.enum.map((word) => JSON.stringify(word).length));
  if (shape.maxBytes) return shape.maxBytes;
  const type = Array.isArray(shape.type) ? shape.type[0] : shape.type;
  if (type === 'integer' || type === 'number' || type === 'boolean') return 32;
  if (type === 'string') {
    if (shape.maxLength) return 2 + shape.maxLength * 4;
    const { pattern } = shape;
    if (pattern === undefined || !PATTERN_WITHOUT_REPETITION.test(pattern)) return Number.POSITIVE_INFINITY;
    return 6 + sum([...pattern.matchAll(/(\d+)\}/g)].map(([, most]) => Number(most)));
  }
  if (type === 'array')
    return (shape.maxItems ?? Number.POSITIVE_INFINITY) * (maxBytesOf(shape.items ?? {}) + 1);
  const properties = Object.entries(shape.properties ?? {});
  return 2 + sum(properties.map(([name, property]) => name.length + 4 + maxBytesOf(property)));
}

for (const operation of withBody.filter((one) => !isWebhook(one) && !BATCHES.includes(one.id))) {
  test(`${operation.id}: every length is bounded, and the largest valid body fits within the limit`, () => {
    const limit = operation.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
    const most = maxBytesOf(operation.body as Shape);
    assert.ok(Number.isFinite(most), 'a text has no maxLength, or a list no maxItems');
    assert.ok(most <= limit, `${most} bytes, of which ${limit} are taken`);
  });
}

for (const operation of withBody) {
  test(`${operation.id}: a body of one byte more than its limit is 413, which names the limit`, async () => {
    const limit = operation.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
    const path = operation.path.replaceAll(/:\w+/g, 'f'.repeat(24));
    const text = `{"x":"${'a'.repeat(limit)}"}`;
    const { status, body } = await admin.sendText(operation.method, path, text);
    // Credentials are checked before the size of the body.
    if (status === 401) return;
    const size = limit === MIB ? '1 MiB' : `${limit / KIB} KiB`;
    assert.deepEqual([status, body.error], [413, 'PAYLOAD_TOO_LARGE']);
    assert.equal(body.message, `The body is larger than ${size}`);
  });
}

test('a body without a length is refused as soon as it is too long', async () => {
  const sending = request(`${platform.url}/v1/wallets/transfer`, {
    method: 'POST',
    headers: { ...member.client.headers, 'content-type': 'application/json' },
  });
  const answered = once(sending, 'response');
  sending.on('error', () => undefined); // the server closes the connection
  sending.write('{"description":"');
  for (let sent = 0; sent < 128; sent++) sending.write('a'.repeat(KIB));
  // The request never ends, but the response arrives.
  const [response] = await answered;
  assert.equal(response.statusCode, 413);
  sending.destroy();
});

test('a list that is too long is reported by its length only, and at most a hundred faults are reported', async () => {
  const notification = { type: 'announcement', title: 'x', message: 'y' };
  const tooLong = await admin.raw('POST', '/v1/notifications/send-bulk', {
    notification,
    userIds: Array.from({ length: 30_001 }, () => 1),
  });
  assert.deepEqual(
    [tooLong.status, tooLong.body.errors],
    [422, [{ field: 'userIds', message: 'must have at most 30000 items' }]],
  );
  const wrong = { preferences: { email: { types: Array.from({ length: 20_000 }, () => 1), enabled: 'x' } } };
  const both = await member.client.raw('PUT', '/push-notifications/preferences', wrong);
  assertInvalid(both);
  const fields = both.body.errors?.map(({ field }) => field).sort();
  assert.deepEqual(
    fields,
    ['preferences.email.enabled', 'preferences.email.types'],
    'other faults stay told',
  );
});

test('up to a hundred faults of items are reported with their index', () => {
  const shape = Type.Object({
    rows: Type.Array(Type.Object({ name: Type.String({ maxLength: 5 }) }), { maxItems: 1_000 }),
    words: Type.Array(Type.Array(Type.String(), { maxItems: 500 }), { maxItems: 500 }),
  });
  const check = bodyCheck(shape);
  const faultsOf = (value: object) => {
    try {
      check(value);
    } catch (error) {
      assert.ok(error instanceof Failure);
      return error.details.errors ?? [];
    }
    return assert.fail('it was accepted');
  };
  assert.deepEqual(faultsOf({ rows: [{ name: 'a' }, { name: 'too long' }, {}], words: [['x', 5]] }), [
    { field: 'rows.1.name', message: 'must have at most 5 characters' },
    { field: 'rows.2.name', message: 'is required' },
    { field: 'words.0.1', message: 'must be string' },
  ]);
  const many = { rows: Array.from({ length: 1_000 }, () => ({})), words: [] };
  assert.equal(faultsOf(many).length, 100);
  const square = { rows: [], words: Array.from({ length: 500 }, () => Array.from({ length: 500 }, () => 5)) };
  assert.equal(faultsOf(square).length, 100);
  assert.deepEqual(check({ rows: [{ name: 'a', more: 1 }], words: [] }), {
    rows: [{ name: 'a' }],
    words: [],
  });
});

test('text that is not valid UTF-8 is 400, in a body and in a query', async () => {
  for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98], [0xc0, 0xaf]]) {
    const body = Buffer.concat([Buffer.from('{"description":"'), Buffer.from(bytes), Buffer.from('"}')]);
    const response = await fetch(`${platform.url}/v1/wallets/transfer`, {
      method: 'POST',
      headers: { ...member.client.headers, 'content-type': 'application/json' },
      body,
    });
    assert.deepEqual([response.status, ((await response.json()) as Envelope).error], [400, 'INVALID_UTF8']);
  }
  for (const text of ['%FF', '%C3%28', '%', '%zz']) {
    assertRefused(await admin.raw('GET', `/v1/admin/auth/users?search=${text}`), malformedUrl, text);
  }
  assert.equal((await admin.call(listUsersAsAdmin, { query: { search: 'ł +' } })).status, 200);
});

/** Collects the shapes of all texts with a pattern or a format. */
function textShapes(shape: unknown, found: Map<string, TSchema> = new Map()): Map<string, TSchema> {
  if (typeof shape !== 'object' || shape === null) return found;
  const { pattern, format } = shape as JsonSchema;
  if (typeof pattern === 'string' || typeof format === 'string') {
    const bare = Type.String({ ...(pattern && { pattern }), ...(format && { format }) });
    found.set(JSON.stringify(bare), bare);
  }
  for (const inner of Object.values(shape)) textShapes(inner, found);
  return found;
}

test('every pattern is checked in linear time, even on a megabyte of hostile text', {
  timeout: 120_000,
}, () => {
  const shapes = platform.platform.operations.flatMap(({ body, query, params }) => [body, query, params]);
  const found = [...textShapes(shapes).values()];
  assert.ok(found.length > 10);
  const parts = [
    'a',
    'A',
    '0',
    '-',
    '.',
    '@',
    ' ',
    '\t',
    '\n',
    ', ',
    'a.',
    'a@',
    'a@b.',
    '_:',
    '/',
    '%',
    '2026-',
    '\u200b',
    'ł',
  ];
  for (const shape of found) {
    const checked = bodyCheck(Type.Object({ text: shape }));
    for (const part of parts) {
      const text = part.repeat(MIB / part.length);
      for (const hostile of [text, `${text}!`, `https://${text}\n`]) {
        try {
          checked({ text: hostile });
        } catch {
          // Valid or not, only the time counts.
        }
      }
    }
  }
  closeConnections();
});

test('a large body with too long a list, or too many values, is refused after its path was checked', async () => {
  const bulk = (text: string) => admin.sendText('POST', '/v1/analytics/track/bulk', text);
  for (const name of ['events', '\\u0065vents']) {
    const { status, body } = await bulk(`{"x":1,"${name}":[${'[],'.repeat(300_000)}[]]}`);
    const errors = [{ field: 'events', message: 'must have at most 1000 items' }];
    assert.deepEqual([status, body.errors], [422, errors], name);
  }
  const names = Array.from({ length: 60_000 }, (_, index) => `"\\u0061${index}":1`).join(',');
  for (const text of [`{"events":[{"metadata":{${names}}}]}`, `{"unknown":[${'[],'.repeat(60_000)}[]]}`]) {
    assertRefused(await bulk(text), jsonTooDense);
  }
  const questions = `{"passingScore":1,"questions":[${'{},'.repeat(30_000)}{}]}`;
  const quiz = await admin.sendText('PUT', `/v1/lessons/${'f'.repeat(24)}/quiz`, questions);
  assertRefused(quiz, lessonNotFound, 'before 422');
});

test('a client that disconnects before its body is complete does not count as an outage', async () => {
  const seen = async () => {
    const { data } = await admin.call(listErrors, { query: { operation: 'rateCourse' } });
    // The bodies above, which are too large, may be reported too.
    return data.filter(({ errorCode }) => errorCode !== 'PAYLOAD_TOO_LARGE');
  };
  await until(async () => {
    const leaving = request(`${platform.url}/v1/courses/${'f'.repeat(24)}/rating`, {
      method: 'PUT',
      headers: { ...member.client.headers, 'content-type': 'application/json', 'content-length': '1000' },
    });
    leaving.on('error', () => undefined);
    leaving.write('{');
    // There is no way to see when the server has begun to read.
    await sleep(50);
    leaving.destroy();
    return (await seen()).length > 0;
  }, 'a report');
  const [report] = await seen();
  assert.deepEqual([report?.statusCode, report?.errorCode], [499, 'CLIENT_CLOSED_REQUEST']);
});
