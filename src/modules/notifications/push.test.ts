import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createTrade,
  getVapidKey,
  listDeliveries,
  listDevices,
  listNotifications,
  listSubscribedTopics,
  registerDevice,
  sendNotification,
  setPreferences,
  subscribeToTopics,
  testPush,
  unsubscribeFromTopics,
} from '../../../sdk/src/index.ts';
import type { TypesOf } from '../../../sdk/src/operation.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import type { Push } from '../../../test/support/received.ts';
import { assertInvalid } from '../../../test/support/refused.ts';
import { fcmPush } from '../../external/push/fcm.ts';
import { sandboxPushes } from '../../sandbox/index.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin } = platform;
type Member = Awaited<ReturnType<typeof platform.newMember>>;

let tokens = 0;
const newToken = (kind = 'phone'): string => `${kind}-${++tokens}`;
const register = ({ client }: Member, token: string, platform: 'android' | 'ios' | 'web' = 'android') =>
  client.call(registerDevice, { body: { token, platform, name: 'My phone' } });
/** But for the welcome, which may come at any time. */
const pushesTo = async (token: string) =>
  (await platform.pushesTo(token)).filter(({ data }) => data.type !== 'welcome');
const control = (mode: string) => platform.standIn('push', { mode });
const sent = new Set<string>();
async function send({ id }: Member, body: object = {}) {
  const message = { type: 'reminder' as const, title: 'In an hour', message: 'The session begins.', ...body };
  const answer = await admin.call(sendNotification, { body: { userId: id, ...message } });
  sent.add(answer.data.notification.id);
  return answer;
}
const deliveriesOf = async ({ id }: Member) =>
  (await admin.call(listDeliveries, { query: { userId: id } })).data.filter(
    ({ channel, status, notificationId }) =>
      channel === 'push' && status !== 'unavailable' && sent.has(notificationId),
  );

test('a notification is pushed to every device in the specified format', async () => {
  const ada = await platform.newMember();
  const mine = [newToken(), newToken()];
  for (const token of mine) await register(ada, token);
  const metadata = {
    action: 'open-session',
    sessionId: '7',
    speakerId: '8',
    icon: 'https://example.com/i.png',
    badge: '3',
  };
  const { data } = await send(ada, { metadata });
  assert.deepEqual(data.deliveries, [{ channel: 'push', status: 'pending' }]);
  for (const token of mine) {
    await until(async () => (await pushesTo(token)).length === 1, 'it comes');
    const [push] = (await pushesTo(token)) as [Push];
    assert.deepEqual(push.notification, { title: 'In an hour', body: 'The session begins.' });
    assert.deepEqual(push.webpush?.notification, { icon: metadata.icon, badge: '3' });
    assert.deepEqual(push.android?.notification, { image: metadata.icon, notification_count: 3 });
    assert.deepEqual(push.apns?.payload.aps, { badge: 3, 'mutable-content': 1 });
    assert.deepEqual(push.apns?.fcm_options, { image: metadata.icon });
    assert.deepEqual(push.data, {
      action: 'open-session',
      sessionId: '7',
      speakerId: '8',
      type: 'reminder',
      notificationId: data.notification.id,
    });
  }
  await until(async () => (await deliveriesOf(ada)).every(({ status }) => status === 'sent'), 'it is told');
});

test('an unregistered token is removed, and other devices receive the push', async () => {
  const ada = await platform.newMember();
  const [dead, alive] = [newToken('dead'), newToken()];
  for (const token of [dead, alive]) await register(ada, token);
  await send(ada);
  await until(async () => (await pushesTo(alive)).length === 1, 'it comes');
  await until(async () => (await ada.client.call(listDevices)).data.length === 1, 'it goes');
  const tried = await ada.client.call(testPush);
  assert.deepEqual([tried.status, tried.data], [200, { reached: 1 }]);
  const ben = await platform.newMember();
  assert.equal((await ben.client.attempt(testPush)).body.error, 'NO_DEVICE');
});

test('an unknown project at the push service removes no device', async () => {
  const { account, apiUrl } = sandboxPushes({ url: platform.sandboxUrl });
  const mistaken = fcmPush({
    account: { ...account, project_id: 'mistyped' },
    apiUrl,
    clock: platform.clock,
  });
  await assert.rejects(
    mistaken.send({ token: 'phone' }, { title: 't', body: 'b', data: {} }),
    /FCM answered 404/,
  );
});

test('pushes wait while the push service is down and arrive once', async () => {
  const ada = await platform.newMember();
  const token = newToken();
  await register(ada, token);
  await control('fail');
  await send(ada);
  await until(async () => ((await deliveriesOf(ada))[0]?.attempts ?? 0) > 1, 'it is tried again');
  assert.match((await deliveriesOf(ada))[0]?.lastError ?? '', /503/);
  assert.equal((await ada.client.attempt(testPush)).status, 503);
  await control('ok');
  await until(async () => (await pushesTo(token)).length === 1, 'it comes');
  await sleep(300);
  assert.equal((await pushesTo(token)).length, 1);
});

test('muted notifications are not pushed, and others than urgent ones are bundled hourly', async () => {
  const ada = await platform.newMember();
  const token = newToken();
  await register(ada, token);
  await ada.client.call(setPreferences, {
    body: {
      preferences: { push: { types: ['achievement'] } },
    },
  });
  assert.equal((await send(ada)).data.deliveries[0]?.status, 'muted');
  for (const title of ['Bronze', 'Silver']) {
    assert.equal((await send(ada, { type: 'achievement', title })).data.deliveries[0]?.status, 'batched');
  }
  await platform.platform.runJob('notifications.digest');
  await until(async () => (await pushesTo(token)).length === 1, 'it comes');
  const [{ notification }] = (await pushesTo(token)) as [Push];
  assert.deepEqual(notification, { title: '2 new notifications', body: 'Bronze, Silver' });
});

test('members subscribe to the six topics and no others', async () => {
  const ada = await platform.newMember();
  type Topics = TypesOf<typeof subscribeToTopics>['body']['topics'];
  const subscribe = async (topics: Topics) =>
    (await ada.client.call(subscribeToTopics, { body: { topics } })).data.topics;
  const unsubscribe = async (topics: Topics) =>
    (await ada.client.call(unsubscribeFromTopics, { body: { topics } })).data.topics;
  assert.deepEqual(await subscribe(['SESSIONS', 'GENERAL', 'SESSIONS']), ['GENERAL', 'SESSIONS']);
  assert.deepEqual(await subscribe(['EDUCATION']), ['EDUCATION', 'GENERAL', 'SESSIONS']);
  assert.deepEqual(await unsubscribe(['GENERAL', 'CHATROOM']), ['EDUCATION', 'SESSIONS']);
  assert.deepEqual((await ada.client.call(listSubscribedTopics)).data.topics, ['EDUCATION', 'SESSIONS']);
  const other = await platform.newMember();
  assert.deepEqual((await other.client.call(listSubscribedTopics)).data.topics, []);
  for (const topics of [['GOSSIP'], [], 'GENERAL', undefined])
    assertInvalid(await ada.client.raw('POST', '/push-notifications/subscribe', { topics }));
});

test('a notification to a topic reaches every subscriber once, also in several portions', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  await ada.client.call(subscribeToTopics, { body: { topics: ['TRADE_IDEAS'] } });
  await ben.client.call(subscribeToTopics, { body: { topics: ['COMMUNITIES'] } });
  // Recipients without accounts: the parts continue past them.
  await platform.database.execute(
    `insert into notifications.topic_subscription (topic, user_id, created_at)
     select 'TRADE_IDEAS', lpad(to_hex(n), 24, '0'), now() from generate_series(1, 1200) n`,
  );
  const author = await platform.newMember();
  await author.client.call(createTrade, { body: { symbol: 'XAUUSD', direction: 'long', entryPrice: 1 } });
  const told = async ({ client }: Member) =>
    (await client.call(listNotifications, { query: { type: 'trade_update' } })).data;
  const settled = () =>
    until(async () => {
      const found = await platform.database.execute(
        "select 1 from jobs.job where name like 'notifications.fan-out-to%' and state <> 'completed'",
      );
      return found === 0;
    }, 'all parts are done');
  await until(async () => (await told(ada)).length === 1, 'she is told');
  await settled();
  // Once more, as after a crash before the job was completed.
  const again = await platform.database.execute(
    `update jobs.job set state = 'created', completed_on = null, started_on = null
     where name = 'notifications.fan-out-to-topic' returning 1`,
  );
  assert.equal(again, 1);
  await settled();
  assert.equal((await told(ada)).length, 1);
  assert.deepEqual(await told(ben), []);
});

/** Subscribes with the browser's push service and registers with the platform, as a browser does. */
async function newBrowser() {
  const response = await fetch(`${platform.sandboxUrl}/control/web-push`, { method: 'POST' });
  return (await response.json()) as { endpoint: string; keys: { p256dh: string; auth: string } };
}

test('browsers receive encrypted pushes until their service reports the subscription as expired', async () => {
  const ada = await platform.newMember();
  const vapid = await ada.client.call(getVapidKey);
  assert.equal(Buffer.from(vapid.data.publicKey, 'base64url').length, 65);
  const subscription = await newBrowser();
  const registered = await ada.client.call(registerDevice, { body: { subscription, platform: 'web' } });
  assert.deepEqual([registered.status, registered.data.token], [201, subscription.endpoint]);
  assert.ok(!('keys' in registered.data));
  await send(ada, {
    title: 'Zażółć 🎉',
    metadata: { action: 'open-notifications', icon: 'https://example.com/i.png' },
  });
  const token = subscription.endpoint;
  await until(async () => (await pushesTo(token)).length === 1, 'it comes');
  const [push] = (await pushesTo(token)) as [Push];
  assert.deepEqual(push.notification, { title: 'Zażółć 🎉', body: 'The session begins.' });
  assert.equal(push.data.action, 'open-notifications');
  assert.deepEqual(push.webpush?.notification, { icon: 'https://example.com/i.png' });

  await send(ada, { message: '"\\🎉'.repeat(1000), metadata: { long: 'x'.repeat(10_000) } });
  await until(async () => (await pushesTo(token)).length === 2, 'texts that are too long are shortened');

  const id = new URL(subscription.endpoint).pathname.split('/').at(-1);
  await fetch(`${platform.sandboxUrl}/control/web-push/${id}`, { method: 'DELETE' });
  await send(ada);
  await until(async () => (await ada.client.call(listDevices)).data.length === 0, 'it goes');
});

test('malformed push subscriptions are refused with all faults', async () => {
  const ada = await platform.newMember();
  const { endpoint, keys } = await newBrowser();
  const faultsOf = async (body: object) => {
    const { status, body: answered } = await ada.client.raw('POST', '/push-notifications/register', body);
    assert.equal(status, 422);
    return answered.errors?.map(({ field }) => field);
  };
  assert.deepEqual(await faultsOf({ platform: 'web' }), ['token']);
  assert.deepEqual(await faultsOf({ platform: 'web', token: 't', subscription: { endpoint, keys } }), [
    'token',
  ]);
  assert.deepEqual(
    await faultsOf({
      platform: 'ios',
      subscription: { endpoint: 'http://169.254.169.254/latest', keys: { ...keys, auth: 'x' } },
    }),
    ['platform', 'subscription.endpoint', 'subscription.keys'],
  );
});
