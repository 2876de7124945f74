import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import build, { type Schema } from 'fast-json-stringify';
import { Type } from 'typebox';
import { successEnvelope } from '../../src/gateway/http/envelope.ts';
import { HttpUrl } from '../../src/kernel/operations/shapes.ts';
import { bodyCheck, closed } from '../../src/kernel/operations/validation.ts';
import { codesOf } from '../support/api-contract.ts';
import { type ApiDescription, type JsonSchema, placeIn, type Reference } from '../support/descriptions.ts';
import { liveDescription } from '../support/live-contract.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const description = (await (await fetch(`${platform.url}/openapi.json`)).json()) as ApiDescription;
const described = Object.entries(description.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
);

/** Resolves a value if it is a reference. */
function resolved<Value extends Reference>(value: Value): Value {
  if (value.$ref === undefined) return value;
  const found = placeIn(description, value.$ref) as Value | undefined;
  assert.ok(found, value.$ref);
  return found;
}

test('the description is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate({ ...structuredClone(description) });
  assert.ok(valid, JSON.stringify(errors, null, 2));
  assert.equal(description.openapi, '3.1.0');
});

test('every operation is described completely', () => {
  assert.equal(described.length, platform.platform.operations.length);
  const ids = new Set<string>();
  for (const { method, path, operation } of described) {
    const name = `${method} ${path}`;
    assert.ok(operation.summary, name);
    assert.ok(!ids.has(operation.operationId), name);
    ids.add(operation.operationId);
    const [security = {}] = operation.security ?? description.security;
    assert.ok(Object.keys(security).length > 0, name);
    const statuses = Object.keys(operation.responses);
    assert.ok(
      statuses.some((status) => status.startsWith('2')),
      name,
    );
    // A signed link takes the place of credentials; a link with a wrong signature is malformed.
    const refusal = security.signedLink ? 'MALFORMED_REQUEST' : 'INVALID_';
    assert.match(codesOf({ is: operation }).join(' '), new RegExp(`\\b${refusal}`), name);
    for (const code of ['RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'])
      assert.ok(codesOf({ is: operation }).includes(code), `${name} ${code}`);
    for (const [status, response] of Object.entries(operation.responses)) {
      const schema = resolved(response).content['application/json']?.schema;
      assert.ok(schema, `${name} ${status}`);
      if (Number(status) < 400) continue;
      const [whole, own] = resolved(schema).allOf ?? [];
      assert.equal(whole?.$ref, '#/components/schemas/Failure');
      const { const: only, enum: several = [only] } = own?.properties?.status ?? {};
      if (status !== 'default') assert.deepEqual(several, [Number(status)]);
      for (const one of several) assert.ok(Number(one) >= 400, `${name} ${one}`);
      assert.ok(own?.properties?.error?.enum?.length, `${name} ${status}`);
    }
  }
});

/** Returns a schema and all schemas within it, with their paths. */
function schemasIn(schema: JsonSchema | boolean | undefined, place: string): [string, JsonSchema][] {
  if (typeof schema !== 'object') return [];
  const {
    properties = {},
    patternProperties = {},
    items,
    additionalProperties,
    allOf = [],
    anyOf = [],
  } = schema;
  const named = Object.entries({ ...properties, ...patternProperties, items, additionalProperties });
  const inner = [...named, ...Object.entries([...allOf, ...anyOf])];
  return [[place, schema], ...inner.flatMap(([name, one]) => schemasIn(one, `${place}.${name}`))];
}
const answers = described.flatMap(({ operation: { operationId, responses } }) =>
  Object.values(responses).map((one) => [operationId, one.content?.['application/json']?.schema] as const),
);
const schemas = [...Object.entries(description.components.schemas), ...answers].flatMap(([name, one]) =>
  schemasIn(one, name),
);
const bodyOf = (id: string): JsonSchema =>
  description.components.schemas[`${id[0]?.toUpperCase()}${id.slice(1)}Body`] ?? assert.fail(id);
const fieldOf = (id: string, name: string): JsonSchema =>
  bodyOf(id).properties?.[name] ?? assert.fail(`${id} ${name}`);

test('operations that always respond with 201, 202 or 204 declare this, so that no example shows 200', () => {
  for (const { operation } of described) {
    const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
    const [[status, response] = assert.fail(operation.operationId), ...others] = successes;
    if (status === '200' || others.length > 0) continue;
    const [, own] = resolved(resolved(response).content['application/json']?.schema ?? {}).allOf ?? [];
    assert.equal(own?.properties?.status?.const, Number(status), operation.operationId);
  }
});

test('the description contains no internal fields', () => {
  const text = JSON.stringify(description);
  for (const word of ['refusal', 'clampTo', 'maxBytes', 'atLeastOne', 'exactlyOne', 'documented', '$id'])
    assert.ok(!text.includes(`"${word}":`), word);
  const formats = new Set(schemas.flatMap(([, { format = 'uri' }]) => format));
  assert.deepEqual([...formats].sort(), ['date', 'date-time', 'email', 'uri', 'uri-template', 'uuid']);
});

test('fields with a default are not required', () => {
  for (const [place, { required = [], properties = {} }] of schemas)
    for (const name of required) assert.equal(properties[name]?.default, undefined, `${place} ${name}`);
  assert.deepEqual(bodyOf('setExchangeRate').required, ['rate']);
});

test('enums, content types, currencies, dates and user names are described', () => {
  const one = (name: string) => ({ required: [name] });
  assert.deepEqual(bodyOf('grantIndicatorAccess').allOf, [{ anyOf: [one('userId'), one('email')] }]);
  assert.deepEqual(bodyOf('registerDevice').allOf, [{ oneOf: [one('token'), one('subscription')] }]);
  assert.deepEqual(bodyOf('signInSso').allOf, [{ anyOf: [one('userId'), one('customerId')] }]);
  assert.deepEqual(bodyOf('receiveActivityStatus').allOf, [
    { anyOf: [one('userId'), one('email')] },
    { anyOf: [one('active'), one('status')] },
  ]);
  const types = (id: string) => fieldOf(id, 'contentType').enum as string[];
  assert.deepEqual(types('requestLessonUpload')[0], 'video/mp4');
  assert.ok(types('presignProductImage').every((type) => type.startsWith('image/')));
  assert.ok(types('presignEducatorUpload').includes('video/mp4'));
  for (const [place, { properties = {} }] of schemas) {
    for (const [name, field] of Object.entries(properties)) {
      const schema = resolved(field.anyOf?.[0] ?? field);
      const isStated = schema.pattern ?? schema.enum ?? schema.format;
      if (/^(currency|startDate|endDate|scheduledStart|scheduledEnd|occurredAt)$/.test(name))
        assert.ok(isStated, `${place} ${name}`);
    }
  }
  for (const { operation } of described) {
    for (const { name, schema } of operation.parameters.map(resolved))
      if (/^(from|to|startDate|endDate|currency|timezone)$/.test(name))
        assert.ok(resolved(schema).pattern, `${operation.operationId} ${name}`);
  }
  for (const id of ['createUser', 'updateUser', 'markEducator'])
    assert.ok(fieldOf(id, 'username').pattern, id);
  const { pattern = '' } = fieldOf('setChartingUsername', 'chartingUsername');
  assert.match(pattern, /./);
  assert.match(' @ada_trades ', new RegExp(pattern));
});

test('`error` is an enum of all codes, and every code of the source is declared by the operations that use it', () => {
  const { schemas: shapes } = description.components;
  assert.equal(shapes.Failure?.properties?.error?.$ref, '#/components/schemas/ErrorCode');
  const codes = new Set(shapes.ErrorCode?.enum);
  const ofLive = JSON.stringify(liveDescription());
  const isDeclared = (code: string) => codes.has(code) || ofLive.includes(`"${code}"`);
  const undeclared = [...codesOfSource()].filter((code) => !isDeclared(code));
  assert.deepEqual(undeclared.sort(), INTERNAL);
  const declares = (id: string, code: string): void => {
    const found = described.find(({ operation }) => operation.operationId === id);
    assert.ok(found && codesOf({ is: found.operation }).includes(code), `${id} ${code}`);
  };
  for (const { operation } of described) declares(operation.operationId, 'MALFORMED_REQUEST');
  const buying = described.find(({ operation }) => operation.operationId === 'buyKeys');
  assert.match(buying?.operation.description ?? '', /rounded half-up to the cent/);
  declares('getLeaderboards', 'LEADERBOARD_LIMIT_EXCEEDED');
  declares('setChartingUsername', 'TOO_MANY_HANDLE_CHANGES');
  for (const id of ['transferKeys', 'tipEducator', 'enrollInCourse', 'fundWalletAsAdmin'])
    declares(id, 'VOLUME_LIMIT_EXCEEDED');
});

/** Codes that only rules use internally, or that only the pages of the console are sent. */
const INTERNAL = [
  'ALREADY_ENROLLED',
  'CLIENT_CLOSED_REQUEST',
  'CONSOLE_NOT_BUILT',
  'CONSOLE_SESSION_ENDED',
  'COURSE_OWNER_CHANGED',
  'ENROLLED_BEFORE',
  'NOT_FROM_CONSOLE',
  'PASSWORD_REQUIRED',
  'RECIPIENT_WITHOUT_WALLET',
];

/** The codes of all failures that the source makes. */
function codesOfSource(): Set<string> {
  const failurePattern = /(?:\bfailure|\bFailure|tooManyRequests)\(\s*(?:\d{3},\s*)?'([A-Z][A-Z0-9_]+)'/g;
  const texts = globSync('src/**/*.ts', { exclude: ['**/*.test.ts'] }).map((file) =>
    readFileSync(file, 'utf8'),
  );
  return new Set(
    texts.flatMap((text) => [...text.matchAll(failurePattern)].map(([, code]) => code as string)),
  );
}

test('addresses must be valid URIs without unencoded characters', () => {
  const check = bodyCheck(Type.Object({ url: HttpUrl }));
  const good = [
    'https://a.example',
    'http://localhost:3000/a%20b?c=d&e#f',
    'https://[::1]/x',
    'HTTPS://A.example/~a',
  ];
  for (const url of good) assert.deepEqual(check({ url }), { url });
  const bad = [
    'https://a.example/ä',
    'https://a.example/a b',
    'https://a.example/"',
    'https:a.example',
    'https:///a',
  ];
  const worse = [
    'https://a.example/%zz',
    'https://u:p@a.example',
    'https://a.example/a|b',
    'ftp://a.example',
    '//a.example',
  ];
  for (const url of [...bad, ...worse]) assert.throws(() => check({ url }), url);
});

test('the description supports ETags and compression', async () => {
  const url = `${platform.url}/openapi.json`;
  const first = await fetch(url);
  const tag = first.headers.get('etag') ?? '';
  assert.match(tag, /^"[\w-]{27}-(br|gzip)"$/);
  assert.ok(['gzip', 'br'].includes(first.headers.get('content-encoding') ?? ''));
  for (const condition of [tag, `"other", ${tag}`, `W/${tag}`, '*']) {
    const again = await fetch(url, { headers: { 'if-none-match': condition } });
    assert.deepEqual(
      [again.status, await again.text(), again.headers.get('etag')],
      [304, '', tag],
      condition,
    );
  }
  assert.equal((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status, 200);
});

test('the description is printed without a database and equals the served one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-openapi-'));
  const main = fileURLToPath(new URL('../../src/main.js', import.meta.url));
  // Nothing listens at this address, so any attempt to connect would fail.
  const env = {
    ...process.env,
    DATABASE_URL: 'postgresql://127.0.0.1:1/none',
    REDIS_URL: 'redis://127.0.0.1:1',
    DATA_DIR: folder,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'openapi'], {
    cwd: folder,
    env,
    maxBuffer: 16 * 1024 * 1024,
  });
  assert.deepEqual(JSON.parse(stdout), description);
  assert.deepEqual(readdirSync(folder), [], 'it writes nothing');
  rmSync(folder, { recursive: true });
});

test('a serializer can be built for every response', () => {
  for (const { success } of platform.platform.operations) build(closed(successEnvelope(success)) as Schema);
});

test('the reference opens with getting started, and the address itself leads there', async () => {
  for (const word of [
    'Getting started',
    'X-API-Key',
    'refreshToken',
    'Idempotency-Key',
    'Retry-After',
    '/v1/live',
  ]) {
    assert.ok(description.info.description.includes(word), word);
  }
  const home = await fetch(platform.url);
  assert.deepEqual([home.status, home.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  const links = [...(await home.text()).matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href as string);
  assert.deepEqual(links, [
    '/console',
    '/reference',
    '/reference/live',
    '/openapi.json',
    '/asyncapi.json',
    '/llms.txt',
    '/health/ready',
    platform.sandboxUrl,
  ]);
  for (const link of links) assert.equal((await fetch(new URL(link, platform.url))).status, 200, link);
});
