import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  getPreferences,
  listDeliveries,
  replayDeliveries,
  type sendNotification,
  setPreferences,
} from '../../../sdk/src/index.ts';
import type { TypesOf } from '../../../sdk/src/operation.ts';
import { until } from '../../../test/support/live.ts';
import { notificationTools, QUIET } from '../../../test/support/notifications.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import type { Mail } from '../../../test/support/received.ts';
import { assertInvalid } from '../../../test/support/refused.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin } = platform;
const { send, listOf, deliveriesOf, mailsTo, newMember } = notificationTools(platform);
const mail = (mode: string) => platform.standIn('mail', { mode });

test('a critical notification uses every channel that the member has not turned off for its type', async () => {
  const ada = await newMember();
  const critical = { ...QUIET, userId: ada.id, priority: 'critical' as const };
  const statuses = async (more: Partial<TypesOf<typeof sendNotification>['body']> = {}) => {
    const { data } = await send({ ...critical, ...more });
    return Object.fromEntries(data.deliveries.map(({ channel, status }) => [channel, status]));
  };
  const everywhere = { email: 'pending', push: 'unavailable', sms: 'unavailable' };
  assert.deepEqual(await statuses(), everywhere);
  assert.deepEqual(await statuses({ channels: ['push'] }), everywhere);
  assert.deepEqual((await listOf(ada))[0]?.channels.toSorted(), ['email', 'push', 'sms']);
  assert.deepEqual(await statuses({ priority: 'high' }), {});
  const preferences = { email: { types: ['alert' as const] } };
  await ada.client.call(setPreferences, { body: { preferences } });
  assert.deepEqual(await statuses(), { ...everywhere, email: 'muted' });
  assert.deepEqual(await statuses({ type: 'alert' }), everywhere);
});

test('an e-mail goes out with text, HTML, and a link that ends them with one click', async () => {
  const ada = await newMember();
  const { status, data } = await send({
    userId: ada.id,
    type: 'alert',
    title: 'Market <b>closed</b>',
    message: 'At once.\nSee you.',
    metadata: { action: 'open-notifications' },
  });
  assert.equal(status, 201);
  assert.deepEqual(data.deliveries, [
    { channel: 'push', status: 'unavailable' },
    { channel: 'email', status: 'pending' },
    { channel: 'sms', status: 'unavailable' },
  ]);
  await until(async () => (await mailsTo(ada)).length === 1, 'the mail comes');
  const [{ subject, text, html, headers }] = (await mailsTo(ada)) as [Mail];
  assert.equal(subject, 'Market <b>closed</b>');
  assert.match(text, /^At once\.\nSee you\./);
  assert.ok(html.includes('Market &#60;b&#62;closed') && html.includes('At once.<br>See you.'));
  // The mail can be read before its delivery is recorded.
  const byMail = async () => (await deliveriesOf(ada)).find(({ channel }) => channel === 'email');
  await until(async () => (await byMail())?.status === 'sent', 'the record of the delivery');
  const sent = await byMail();
  assert.deepEqual([sent?.attempts, sent?.lastError], [1, null]);

  const link = /<(.+)>/.exec(headers['list-unsubscribe'] ?? '')?.[1] as string;
  assert.equal(headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
  assert.ok(link.startsWith(platform.url));
  const forged = await fetch(link.replace(ada.id, 'f'.repeat(24)), { method: 'POST' });
  assert.equal(forged.status, 400);
  assert.equal((await fetch(link, { method: 'POST' })).status, 200);
  const { data: after } = await ada.client.call(getPreferences);
  assert.equal(after.preferences.email.enabled, false);
  const { data: again } = await send({ userId: ada.id, type: 'alert', title: 'x', message: 'y' });
  assert.equal(again.deliveries[1]?.status, 'muted');
  assert.equal((await listOf(ada)).length, 2, 'in the app it stands all the same');
});

test('preferences are set by channel and type, and omitted ones stay', async () => {
  const ada = await newMember();
  const set = (preferences: object) => ada.client.attempt(setPreferences, { body: { preferences } });
  const { data } = await set({ email: { types: ['alert', 'reminder'] } });
  assert.deepEqual(data?.preferences.email, { enabled: true, types: ['alert', 'reminder'] });
  assert.equal(data?.preferences.push.types.length, 10);
  const statusOf = async (type: 'announcement' | 'reminder') =>
    (await send({ ...QUIET, userId: ada.id, type, channels: ['email'] })).data.deliveries[0]?.status;
  assert.deepEqual([await statusOf('announcement'), await statusOf('reminder')], ['muted', 'pending']);
  await set({ email: { enabled: false } });
  assert.equal(await statusOf('reminder'), 'muted');
  assertInvalid(await set({ email: { types: ['gossip'] } }));
  assert.equal(
    (await set({ pigeon: { enabled: true } })).status,
    200,
    'a channel that is not there is ignored',
  );
});

test('types that a later release adds are on for members who have chosen before, until they choose again', async () => {
  const ada = await newMember();
  const set = async (preferences: object) =>
    (await ada.client.call(setPreferences, { body: { preferences } })).data.preferences;
  const shown = async () => (await ada.client.call(getPreferences)).data.preferences;
  const statusOf = async (type: 'announcement' | 'reminder' | 'chat') =>
    (await send({ ...QUIET, userId: ada.id, type, channels: ['email'] })).data.deliveries[0]?.status;
  await set({ email: { types: ['alert', 'reminder'] } });
  assert.equal(await statusOf('chat'), 'muted');
  const rewrite = (set: string) =>
    platform.database.execute(`update notifications.preference set preferences = ${set} where user_id = $1`, [
      ada.id,
    ]);

  // As a release saved it that did not know chatrooms yet.
  await rewrite(`jsonb_set(preferences, '{email,known}', (preferences #> '{email,known}') - 'chat')`);
  assert.deepEqual((await set({ quietHours: null })).email.types, ['alert', 'chat', 'reminder']);
  // As the first release saved it, which did not save what it knew.
  await rewrite(`preferences #- '{email,known}'`);
  assert.deepEqual((await shown()).email.types, ['alert', 'chat', 'moderation', 'reminder']);
  assert.deepEqual([await statusOf('chat'), await statusOf('announcement')], ['pending', 'muted']);

  assert.deepEqual((await set({ email: { types: ['reminder'] } })).email, {
    enabled: true,
    types: ['reminder'],
  });
  assert.equal(await statusOf('chat'), 'muted');
});

test('notifications that are not urgent are collected into one mail an hour', async () => {
  const ada = await newMember();
  for (const title of ['First', 'Second', 'Third']) {
    const { data } = await send({
      ...QUIET,
      userId: ada.id,
      type: 'achievement',
      channels: ['email'],
      title,
    });
    assert.equal(data.deliveries[0]?.status, 'batched');
  }
  await sleep(300);
  assert.equal((await mailsTo(ada)).length, 0);
  await platform.platform.runJob('notifications.digest');
  await until(async () => (await mailsTo(ada)).length === 1, 'the digest comes');
  const [{ subject, text }] = (await mailsTo(ada)) as [Mail];
  assert.equal(subject, '3 new notifications');
  assert.match(text, /First[\s\S]*Second[\s\S]*Third/);
  await until(async () => (await deliveriesOf(ada)).every(({ status }) => status === 'sent'), 'settled');
  await platform.platform.runJob('notifications.digest');
  await sleep(500);
  assert.equal((await mailsTo(ada)).length, 1);
});

test('deliveries wait with a reason while mail is down, and refused ones can be repeated', async () => {
  const ada = await newMember();
  await mail('fail');
  await send({ ...QUIET, userId: ada.id, channels: ['email'] });
  await until(async () => ((await deliveriesOf(ada))[0]?.attempts ?? 0) > 1, 'it is tried again');
  const [waiting] = await deliveriesOf(ada);
  assert.ok(waiting);
  assert.equal(waiting.status, 'pending');
  assert.match(waiting.lastError ?? '', /failing on request/);
  await mail('ok');
  await until(async () => (await mailsTo(ada)).length === 1, 'it comes');
  await until(async () => (await deliveriesOf(ada))[0]?.status === 'sent', 'it is told');

  await mail('reject');
  const { data } = await send({ ...QUIET, userId: ada.id, channels: ['email'], title: 'Refused' });
  await until(async () => (await deliveriesOf(ada))[0]?.status === 'failed', 'it fails');
  const failed = (await admin.call(listDeliveries, { query: { status: 'failed' } })).data;
  assert.ok(failed.some(({ notificationId }) => notificationId === data.notification.id));
  await mail('ok');
  const delivery = { notificationId: data.notification.id, channel: 'email' as const };
  const replayed = await admin.attempt(replayDeliveries, { body: { delivery } });
  assert.deepEqual([replayed.status, replayed.data], [200, { count: 1 }]);
  await until(async () => (await mailsTo(ada)).length === 2, 'it comes now');
  assert.deepEqual((await admin.call(replayDeliveries, { body: { delivery } })).data, {
    count: 0,
  });
});
