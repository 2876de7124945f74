import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  type ApiDescription,
  type LiveDescription,
  type MessageObject,
  placeIn,
  type Reference,
} from '../support/descriptions.ts';
import { checkLiveMessage, liveDescription, violationOf } from '../support/live-contract.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const get = (path: string, headers: Record<string, string> = {}) => fetch(platform.url + path, { headers });
const served = (await (await get('/asyncapi.json')).json()) as LiveDescription;
const operations = Object.entries(served.operations);
const messages = Object.entries(served.components.messages);

/** Resolves a value, following references until there is none left. */
function resolved<Value extends Reference>(value: Value): Value {
  if (value.$ref === undefined) return value;
  assert.match(value.$ref, /^#\//);
  const found = placeIn(served, value.$ref) as Value | undefined;
  assert.ok(found, value.$ref);
  return resolved(found);
}
const messageAt = (reference: Reference): MessageObject => resolved(reference) as MessageObject;

test('/asyncapi.json is valid AsyncAPI 3.0', () => {
  const rootFields = [
    'asyncapi',
    'info',
    'servers',
    'defaultContentType',
    'channels',
    'operations',
    'components',
  ];
  assert.deepEqual(Object.keys(served), rootFields);
  assert.equal(served.asyncapi, '3.0.0');
  assert.ok(served.info.title && served.info.version);
  for (const server of Object.values(served.servers)) {
    assert.ok(server.host && ['ws', 'wss'].includes(server.protocol));
  }
  const { live } = served.channels;
  assert.equal(live.address, '/v1/live');
  for (const server of live.servers) assert.ok(resolved(server));
  assert.deepEqual(Object.keys(live.messages), Object.keys(served.components.messages));
  for (const [id, operation] of operations) {
    assert.match(id, /^[A-Za-z0-9_-]+$/);
    assert.ok(['send', 'receive'].includes(operation.action), id);
    assert.equal(resolved(operation.channel), live, id);
    for (const message of [...operation.messages, ...(operation.reply?.messages ?? [])]) {
      assert.match(message.$ref, /^#\/channels\/live\/messages\//, id);
      assert.ok(messageAt(message).payload, id);
    }
  }
});

test('each message belongs to one operation, and has a title, a summary and examples that match its shape', () => {
  const named = operations.map(([, { messages: of }]) => of[0]?.$ref.split('/').at(-1)).sort();
  assert.deepEqual(named, messages.map(([id]) => id).sort());
  for (const [id, { name, title, summary, payload, examples }] of messages) {
    assert.ok(name && title && /\.$/.test(summary), id);
    assert.ok(payload.required.includes('type'), id);
    const [first] = examples;
    assert.ok(first, id);
    for (const example of examples) assert.equal(violationOf(id, example.payload), undefined, id);
    assert.ok(violationOf(id, { ...first.payload, unknown: 1 }), `${id} takes a field that it does not name`);
    assert.ok(violationOf(id, { ...first.payload, type: 'other' }), `${id} takes another type`);
  }
});

test('messages of the specification have exactly its fields, with complete members and notifications', () => {
  const specified = {
    'chat:message': 'chatroomId, messageId, userId, user, message, timestamp',
    'user:online': 'chatroomId, userId, user, status',
    'market:price': 'symbol, price, change, changePercent',
    'post:created': 'postId, userId, user, communityId, content',
    'trade:created': 'tradeId, user, symbol, direction, entryPrice',
    'notification:new': 'id, userId, type, title, message, priority, read, channels, metadata, createdAt',
    'session:started': 'sessionId, title, speakerId, startedAt',
  };
  for (const [type, fields] of Object.entries(specified)) {
    const [, message] = messages.find(([, { name }]) => name === type) ?? assert.fail(type);
    const { properties } = resolved(message.payload.properties.data ?? {});
    assert.deepEqual(Object.keys(properties ?? {}).sort(), fields.split(', ').sort());
  }
  const commands = operations.filter(([, { action }]) => action === 'receive');
  const titles = commands.flatMap(
    ([
      ,
      {
        messages: [first],
      },
    ]) => (first ? messageAt(first).title : []),
  );
  for (const title of [
    'auth',
    'subscribe chatroom',
    'subscribe notifications',
    'subscribe market',
    'chat:send',
    'ping',
  ])
    assert.ok(titles.includes(title), title);
});

test('tests reject live messages of unknown types or shapes', () => {
  const id = 'a'.repeat(24);
  const user = { id, name: 'Ada', username: 'ada', avatar: null, isEducator: false };
  const data = { chatroomId: id, userId: id, user, status: 'online' };
  checkLiveMessage({ type: 'user:online', data });
  assert.throws(() => checkLiveMessage({ type: 'user:unknown', data }), /is not described/);
  assert.throws(
    () => checkLiveMessage({ type: 'user:online', data: { ...data, status: 'away' } }),
    /violates its description/,
  );
  assert.throws(
    () => checkLiveMessage({ type: 'user:online', data: { ...data, more: 1 } }),
    /violates its description/,
  );
  assert.throws(
    () => checkLiveMessage({ type: 'error', data: { code: 'NONE_OF_OURS', message: 'x' } }),
    /violates its description/,
  );
});

test('/asyncapi.json equals the printed description, has an ETag and contains no internal fields', async () => {
  assert.deepEqual(served, liveDescription());
  const main = fileURLToPath(new URL('../../src/main.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'asyncapi'], {
    maxBuffer: 16 * 1024 * 1024,
  });
  assert.deepEqual(JSON.parse(stdout), served);
  const tag = (await get('/asyncapi.json')).headers.get('etag') ?? '';
  assert.equal((await get('/asyncapi.json', { 'if-none-match': tag })).status, 304);
  for (const word of ['"refusal"', '"$id"', '"maxBytes"'])
    assert.ok(!JSON.stringify(served).includes(word), word);
});

test('the HTML reference lists every command and message, runs no script, and is linked', async () => {
  const page = await get('/reference/live');
  assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  const html = await page.text();
  assert.doesNotMatch(html, /<script|javascript:| on\w+=/i);
  for (const [id, { title }] of messages) {
    assert.ok(html.includes(`<h3 id="${id}"><code>${title}</code></h3>`), id);
    assert.ok(html.includes(`<a href="#${id}">`), id);
  }
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length, 'an id stands twice');
  for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.includes(target), target);
  for (const [, path] of html.matchAll(/href="(\/[^"]*)"/g))
    assert.equal((await get(path as string)).status, 200);
  const { info } = (await (await get('/openapi.json')).json()) as ApiDescription;
  assert.ok(info.description.includes('(/reference/live)'));
});
