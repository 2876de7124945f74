import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import Fastify from 'fastify';
import { systemClock } from '../../kernel/time/time.ts';
import { sandboxPushes } from '../../sandbox/index.ts';
import { addPush } from '../../sandbox/push.ts';
import { fcmPush } from './fcm.ts';
import { fitted } from './fitting.ts';
import type { PushMessage } from './port.ts';

/** Requests received by the sandbox's push service, unmodified. */
const bodies: { text: string; message: Received }[] = [];
interface Received {
  token: string;
  notification: { title: string; body: string };
  data: Record<string, string>;
}
const app = Fastify({ logger: false, forceCloseConnections: true });
app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
  const text = String(body);
  const parsed = JSON.parse(text);
  if (parsed.message) bodies.push({ text, message: parsed.message });
  done(null, parsed);
});
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, Object.fromEntries(new URLSearchParams(String(body)))),
);
/** What the token service answers instead of a token. */
let tokenAnswer: object | undefined;
/** What the service answers instead of accepting the push. */
let refusal: unknown;
app.addHook('preHandler', async (request, reply) => {
  if (tokenAnswer && !request.url.endsWith(':send')) return reply.send(tokenAnswer);
  if (refusal !== undefined && request.url.endsWith(':send')) return reply.code(400).send(refusal);
});
addPush(app, systemClock);
const url = await app.listen({ host: '127.0.0.1', port: 0 });
after(() => app.close());
const service = fcmPush({ ...sandboxPushes({ url }), clock: systemClock });

async function sent(push: PushMessage, token = 'a phone'): Promise<{ text: string; message: Received }> {
  assert.equal(await service.send({ token }, push), 'sent');
  return bodies.at(-1) as (typeof bodies)[number];
}
const character = fc.constantFrom('a', '"', '\\', '\n', '\u0001', 'é', '日', '🎉', '👨‍👩‍👧‍👦', '🇵🇱');
const text = (maxLength: number) =>
  fc.tuple(character, fc.integer({ min: 0, max: maxLength })).map(([one, times]) => one.repeat(times));
const name = fc.constantFrom(
  ...['from', 'message_type', 'collapse_key', 'google', 'google.c.a', 'gcm', 'gcm.n.e', 'From', 'aps'],
  ...['action', 'type', 'notificationId', 'x', 'data_from', 'fromage'],
);

test('every push fits the limits of FCM: at most 4,096 bytes and no reserved names', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        title: text(200),
        body: text(4000),
        icon: fc.oneof(
          text(1000),
          text(1000).map((path) => `https://example.com/${path}`),
        ),
        badge: fc.oneof(text(20), fc.double(), fc.nat().map(String), fc.integer()),
      }),
      fc.dictionary(name, text(3000)),
      async (rest, data) => {
        const { text, message } = await sent({ ...rest, data });
        assert.ok(Buffer.byteLength(text) <= 4096, `${Buffer.byteLength(text)} bytes`);
        for (const key of Object.keys(message.data))
          assert.doesNotMatch(key, /^(from|message_type|collapse_key|aps|google.*|gcm.*)$/i);
        const { body } = message.notification;
        assert.ok(body === rest.body || body === '' || body.endsWith('…'), body.slice(-20));
        assert.ok(!text.includes('\\ud') && text.isWellFormed(), 'no half of a character');
      },
    ),
    { numRuns: 400 },
  );
});

test('a push carries the badge number and the icon, by URL or by name', async () => {
  const shown = async (more: Partial<PushMessage>) => {
    const { message } = await sent({ title: 't', body: 'b', data: {}, ...more });
    const { android, apns, webpush } = message as Received & Record<string, unknown>;
    return { android, apns, webpush };
  };
  assert.deepEqual(await shown({ badge: 7, icon: 'ic_bell' }), {
    android: { notification: { icon: 'ic_bell', notification_count: 7 } },
    apns: { payload: { aps: { badge: 7 } } },
    webpush: { notification: { icon: 'ic_bell', badge: 7 } },
  });
  const url = 'https://example.com/badge.png';
  assert.deepEqual(await shown({ badge: url }), {
    android: { notification: {} },
    apns: { payload: { aps: {} } },
    webpush: { notification: { badge: url } },
  });
  for (const badge of [-1, 1.5, 2 ** 31, '-1', '1e3', '99999999999'])
    assert.deepEqual((await shown({ badge })).apns, { payload: { aps: {} } }, String(badge));
  assert.deepEqual(await shown({}), { android: undefined, apns: undefined, webpush: undefined });
});

test('reserved data names are renamed without collisions', async () => {
  const data = { from: 'Ada', data_gcm: 'kept', gcm: 'lost', action: 'open', fromage: 'brie' };
  const { message } = await sent({ title: 't', body: 'b', data });
  assert.deepEqual(message.data, { data_from: 'Ada', data_gcm: 'kept', action: 'open', fromage: 'brie' });
});

test('a long push loses data before text, and keeps what opens the notification', async () => {
  const data = { action: 'open', type: 'alert', notificationId: 'n1', long: 'x'.repeat(4000) };
  const { message } = await sent({ title: 'Title', body: 'é'.repeat(500), data });
  assert.deepEqual(message.data, { action: 'open', type: 'alert', notificationId: 'n1' });
  assert.equal(message.notification.body, 'é'.repeat(500));
});

test('emoji sequences are never split', async () => {
  const family = '👨‍👩‍👧‍👦';
  const { message } = await sent({ title: 'Title', body: family.repeat(400), data: {} });
  const { body } = message.notification;
  assert.match(body, /…$/);
  assert.equal(body.slice(0, -1).replaceAll(family, ''), '');
});

test('the text of a push keeps as much as fits', () => {
  const sizeOf = ({ title, body }: PushMessage): number => title.length + body.length;
  assert.equal(
    fitted({ title: 'ab', body: 'x'.repeat(50), data: {} }, sizeOf, 20).body,
    `${'x'.repeat(17)}…`,
  );
  const tiny = fitted({ title: 'a'.repeat(50), body: 'x', data: {} }, sizeOf, 10);
  assert.deepEqual([tiny.title, tiny.body], [`${'a'.repeat(9)}…`, '']);
});

test('a long device token does not shorten the text', async () => {
  const { message } = await sent({ title: 'Title', body: 'x'.repeat(1000), data: {} }, 'p'.repeat(4096));
  assert.equal(message.notification.body.length, 1000);
});

test('a refusal is reported with its message, whatever its details are', async () => {
  const push = { title: 'Title', body: 'Text', data: {} };
  for (const details of [undefined, null, {}, [null], ['text'], [{ errorCode: 'QUOTA_EXCEEDED' }]]) {
    refusal = { error: { message: 'no', details } };
    await assert.rejects(service.send({ token: 'a phone' }, push), /^ExternalFault: FCM answered 400 no$/);
  }
  refusal = { error: { message: 'no', details: [null, { errorCode: 'UNREGISTERED' }] } };
  assert.equal(await service.send({ token: 'a phone' }, push), 'gone');
  refusal = undefined;
});

test('a token that cannot be sent is not kept, and the next push asks for another', async () => {
  const push = { title: 'Title', body: 'Text', data: {} };
  const other = fcmPush({ ...sandboxPushes({ url }), clock: systemClock });
  for (const token of ['line\nbreak', 'żółw', { toString: 1 }, 7, '']) {
    tokenAnswer = { access_token: token, expires_in: 1e300 };
    await assert.rejects(
      other.send({ token: 'a phone' }, push),
      /^ExternalFault: the token service answered 200$/,
    );
  }
  tokenAnswer = undefined;
  assert.equal(await other.send({ token: 'a phone' }, push), 'sent');
});

test('of a long reason the beginning is reported, and of one that is no text nothing', async () => {
  for (const [message, length] of [
    ['x'.repeat(100_000), 300],
    [{ toString: 1 }, 0],
  ] as const) {
    refusal = { error: { message } };
    const error = await service
      .send({ token: 'a phone' }, { title: '', body: '', data: {} })
      .catch((one) => one);
    assert.equal(error.message.length, 'FCM answered 400 '.length + length);
  }
  refusal = undefined;
});
