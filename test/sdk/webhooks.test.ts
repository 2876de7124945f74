import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { verifyWebhook } from '../../sdk/src/index.ts';

interface Reference {
  Webhook: new (secret: string) => { sign(id: string, at: Date, body: string): string };
}
// A development dependency of the SDK; without it there is nothing to compare with.
const reference = (await import('standardwebhooks' as string).catch(() => undefined)) as
  | Reference
  | undefined;
const skip = reference ? false : 'SKIPPED: standardwebhooks is not installed, run npm ci';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const NOW = new Date('2026-11-22T12:00:00.000Z');
const body = JSON.stringify({ id: 'evt_1', type: 'wallet.funded', data: { amount: 25, text: 'ä €' } });

/** The headers that the library of Standard Webhooks makes. */
function headers(secret = SECRET, at = NOW, id = 'evt_1') {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new (reference as Reference).Webhook(secret).sign(id, at, body),
  };
}
const verify = (more: object = {}, secrets: string | string[] = SECRET, text: string | Uint8Array = body) =>
  verifyWebhook(text, { ...headers(), ...more }, secrets, NOW.getTime());

test('webhooks signed by the reference implementation are genuine, in every form of headers and body', {
  skip,
}, async () => {
  assert.deepEqual(await verify(), JSON.parse(body));
  assert.deepEqual(await verify({}, SECRET, Buffer.from(body)), JSON.parse(body));
  assert.deepEqual(
    await verifyWebhook(body, new Headers(headers()), SECRET.slice('whsec_'.length), NOW.getTime()),
    JSON.parse(body),
  );
  const upper = Object.fromEntries(
    Object.entries(headers()).map(([name, value]) => [name.toUpperCase(), [value]]),
  );
  assert.deepEqual(await verifyWebhook(body, upper, SECRET, NOW.getTime()), JSON.parse(body));
});

test('the example of the specification of Standard Webhooks is genuine', async () => {
  const text = '{"test": 2432232314}';
  const given = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  assert.deepEqual(await verifyWebhook(text, given, secret, 1_614_265_330_000), { test: 2432232314 });
});

test('webhooks that are not genuine are refused', { skip }, async () => {
  const other = `whsec_${randomBytes(32).toString('base64')}`;
  const signature = headers()['webhook-signature'];
  const wrong: [string, () => Promise<unknown>][] = [
    ['another secret', () => verify({}, other)],
    ['another body', () => verify({}, SECRET, `${body} `)],
    ['another id', () => verify({ 'webhook-id': 'evt_2' })],
    ['no signature', () => verify({ 'webhook-signature': undefined })],
    ['an empty signature', () => verify({ 'webhook-signature': 'v1,' })],
    ['a cut signature', () => verify({ 'webhook-signature': signature.slice(0, -8) })],
    ['a longer signature', () => verify({ 'webhook-signature': `${signature.slice(0, -1)}AAAA` })],
    ['no base64', () => verify({ 'webhook-signature': 'v1,%%%' })],
    ['another version', () => verify({ 'webhook-signature': signature.replace('v1,', 'v1a,') })],
    ['no timestamp', () => verify({ 'webhook-timestamp': '' })],
    ['a strange timestamp', () => verify({ 'webhook-timestamp': ' 1e9' })],
    ['no secret', () => verify({}, 'whsec_')],
    ['no secrets', () => verify({}, [])],
    ['a secret that is not set', () => verify({}, null as never)],
    ['one of two secrets that is not set', () => verify({}, [SECRET, undefined as never])],
    ['a body that was parsed already', () => verify({}, SECRET, JSON.parse(body))],
    ['a second id', () => verify({ 'webhook-id': ['evt_1', 'evt_2'] })],
    ['a second timestamp', () => verify({ 'webhook-timestamp': ['1', '2'] })],
  ];
  for (const [what, verified] of wrong)
    await assert.rejects(verified, (error: Error) => !/undefined|null|bounds/.test(error.message), what);
});

test('a webhook may be five minutes old or early, and no more', { skip }, async () => {
  for (const seconds of [-300, 300]) {
    const at = new Date(NOW.getTime() + seconds * 1_000);
    await verifyWebhook(body, headers(SECRET, at), SECRET, NOW.getTime());
    const beyond = new Date(at.getTime() + Math.sign(seconds) * 1_000);
    await assert.rejects(verifyWebhook(body, headers(SECRET, beyond), SECRET, NOW.getTime()), /old|future/);
  }
  await assert.rejects(verifyWebhook(body, headers(), SECRET, Number.NaN), /old|future/);
});

test('while a secret is replaced, both are accepted, and several signatures may come', { skip }, async () => {
  const fresh = `whsec_${randomBytes(32).toString('base64')}`;
  await verify({}, [fresh, SECRET]);
  const both = `${headers(fresh)['webhook-signature']} ${headers()['webhook-signature']}`;
  await verify({ 'webhook-signature': both });
  await verify({ 'webhook-signature': both.split(' ') });
  await verify({ 'webhook-signature': both }, fresh);
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
  const mac = createHmac('sha256', key)
    .update(`evt_1.${Math.floor(NOW.getTime() / 1_000)}.${body}`)
    .digest('base64');
  await verify({ 'webhook-signature': `v2,nonsense v1,${mac}` });
});
