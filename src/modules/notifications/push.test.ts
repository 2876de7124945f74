import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Loose } from '../../../test/support/client.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { fcmPush } from '../../external/push/fcm.ts';
import { sandboxPushes } from '../../sandbox/index.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin } = platform;
type Member = Awaited<ReturnType<typeof platform.newMember>>;

let tokens = 0;
const newToken = (kind = 'phone'): string => `${kind}-${++tokens}`;
const register = ({ client }: Member, token: string, platform = 'android') =>
  client.post('/push-notifications/register', { token, platform, name: 'My phone' });
/** But for the welcome, which may come at any time. */
const pushesTo = async (token: string): Promise<Loose[]> => {
  const response = await fetch(`${platform.sandboxUrl}/push?format=json&token=${token}`);
  return ((await response.json()) as Loose[]).filter(({ data }) => data.type !== 'welcome');
};
const control = (mode: string) =>
  fetch(`${platform.sandboxUrl}/control/push`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode }),
  });
const sent = new Set<string>();
async function send({ id }: Member, body: object = {}) {
  const message = { type: 'reminder', title: 'In an hour', message: 'The session begins.', ...body };
  const answer = await admin.post('/v1/notifications/send', { userId: id, ...message });
  sent.add(answer.data.notification.id);
  return answer;
}
const deliveriesOf = async ({ id }: Member): Promise<Loose[]> =>
  (await admin.get(`/v1/notifications/deliveries?userId=${id}`)).data.filter(
    ({ channel, status, notificationId }: Loose) =>
      channel === 'push' && status !== 'unavailable' && sent.has(notificationId),
  );
async function until(what: () => Promise<boolean>, message: string): Promise<void> {
  for (const deadline = Date.now() + 20_000; !(await what()); await sleep(40))
    assert.ok(Date.now() < deadline, message);
}

test('devices: registered, renewed, listed, unregistered; a token belongs to whoever showed it last', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const token = newToken();
  const { status, data } = await register(ada, token);
  assert.equal(status, 201);
  assert.deepEqual([data.token, data.platform, data.name], [token, 'android', 'My phone']);
  assert.equal((await register(ada, token, 'ios')).data.id, data.id, 'renewed');
  const listed = await ada.client.get('/push-notifications/devices');
  assert.deepEqual(
    listed.data.map((one: Loose) => one.platform),
    ['ios'],
  );
  assert.equal((await ben.client.send('DELETE', '/push-notifications/unregister', { token })).status, 404);
  await register(ben, token);
  assert.deepEqual((await ada.client.get('/push-notifications/devices')).data, []);
  assert.equal((await ben.client.send('DELETE', '/push-notifications/unregister', { token })).status, 200);
  assert.deepEqual((await ben.client.get('/push-notifications/devices')).data, []);
  assert.equal((await register(ada, token, 'toaster')).status, 422);
  assert.equal((await register(ada, '')).status, 422);
});

test('a notification comes to every device, in the format of pushes', async () => {
  const ada = await platform.newMember();
  const mine = [newToken(), newToken()];
  for (const token of mine) await register(ada, token);
  const metadata = { action: 'open-session', sessionId: 7, icon: 'https://example.com/i.png', badge: '3' };
  const { data } = await send(ada, { metadata });
  assert.deepEqual(data.deliveries, [{ channel: 'push', status: 'pending' }]);
  for (const token of mine) {
    await until(async () => (await pushesTo(token)).length === 1, 'it comes');
    const [push] = (await pushesTo(token)) as [Loose];
    assert.deepEqual(push.notification, { title: 'In an hour', body: 'The session begins.' });
    assert.deepEqual(push.webpush.notification, { icon: metadata.icon, badge: '3' });
    assert.deepEqual(push.data, {
      ...{ action: 'open-session', sessionId: '7', type: 'reminder', notificationId: data.notification.id },
    });
  }
  await until(async () => (await deliveriesOf(ada)).every(({ status }) => status === 'sent'), 'it is told');
});

test('a token that the service calls dead is removed; the others have it', async () => {
  const ada = await platform.newMember();
  const [dead, alive] = [newToken('dead'), newToken()];
  for (const token of [dead, alive]) await register(ada, token);
  await send(ada);
  await until(async () => (await pushesTo(alive)).length === 1, 'it comes');
  await until(async () => (await ada.client.get('/push-notifications/devices')).data.length === 1, 'it goes');
  const tried = await ada.client.post('/push-notifications/test');
  assert.deepEqual([tried.status, tried.data], [200, { reached: 1 }]);
  const ben = await platform.newMember();
  assert.equal((await ben.client.post('/push-notifications/test')).body.error, 'NO_DEVICE');
});

test('a project that the service does not know makes no device dead', async () => {
  const { account, apiUrl } = sandboxPushes({ url: platform.sandboxUrl });
  const mistaken = fcmPush({
    account: { ...account, project_id: 'mistyped' },
    apiUrl,
    clock: platform.clock,
  });
  await assert.rejects(mistaken.send('phone', { title: 't', body: 'b', data: {} }), /FCM answered 404/);
});

test('while the service is down pushes wait, and come once', async () => {
  const ada = await platform.newMember();
  const token = newToken();
  await register(ada, token);
  await control('fail');
  await send(ada);
  await until(async () => (await deliveriesOf(ada))[0]?.attempts > 1, 'it is tried again');
  assert.match((await deliveriesOf(ada))[0].lastError, /503/);
  assert.equal((await ada.client.post('/push-notifications/test')).status, 503);
  await control('ok');
  await until(async () => (await pushesTo(token)).length === 1, 'it comes');
  await sleep(300);
  assert.equal((await pushesTo(token)).length, 1);
});

test('muted is muted, and what is not urgent comes as one an hour', async () => {
  const ada = await platform.newMember();
  const token = newToken();
  await register(ada, token);
  await ada.client.put('/push-notifications/preferences', {
    preferences: { push: { types: ['achievement'] } },
  });
  assert.equal((await send(ada)).data.deliveries[0].status, 'muted');
  for (const title of ['Bronze', 'Silver']) {
    assert.equal((await send(ada, { type: 'achievement', title })).data.deliveries[0].status, 'batched');
  }
  await platform.platform.runJob('notifications.digest');
  await until(async () => (await pushesTo(token)).length === 1, 'it comes');
  const [{ notification }] = (await pushesTo(token)) as [Loose];
  assert.deepEqual(notification, { title: '2 new notifications', body: 'Bronze, Silver' });
});

test('the six topics: subscribe, unsubscribe, and no other', async () => {
  const ada = await platform.newMember();
  const post = (path: string, topics: unknown) => ada.client.post(`/push-notifications/${path}`, { topics });
  assert.deepEqual((await post('subscribe', ['SESSIONS', 'GENERAL', 'SESSIONS'])).data.topics, [
    'GENERAL',
    'SESSIONS',
  ]);
  assert.deepEqual((await post('subscribe', ['EDUCATION'])).data.topics, [
    'EDUCATION',
    'GENERAL',
    'SESSIONS',
  ]);
  assert.deepEqual((await post('unsubscribe', ['GENERAL', 'CHATROOM'])).data.topics, [
    'EDUCATION',
    'SESSIONS',
  ]);
  for (const topics of [['GOSSIP'], [], 'GENERAL', undefined])
    assert.equal((await post('subscribe', topics)).status, 422);
});
