import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  listDeliveries,
  readAllNotifications,
  readNotification,
  registerDevice,
  sendNotification,
  setPreferences,
} from '../../../sdk/src/index.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import type { Mail } from '../../../test/support/received.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin } = platform;
type Member = Awaited<ReturnType<typeof platform.newMember>>;

const mailsTo = async ({ email }: Member) =>
  (await platform.mailsTo(email)).filter(({ kind }) => kind === 'email.notification');
const control = (what: 'mail' | 'push', mode: string) => platform.standIn(what, { mode });
const send = async ({ id }: Member, more: object = {}): Promise<string> => {
  const message = {
    type: 'reminder' as const,
    title: 'Soon',
    message: 'It begins.',
    channels: ['email' as const],
    ...more,
  };
  return (await admin.call(sendNotification, { body: { userId: id, ...message } })).data.notification.id;
};
const later = (member: Member, title: string, more: object = {}) =>
  send(member, { type: 'achievement', title, ...more });
const statusOf = async (notificationId: string): Promise<string> => {
  const rows = await platform.database.all(
    'select status from notifications.delivery where notification_id = $1',
    [notificationId],
  );
  return rows[0]?.status as string;
};
const becomes = (id: string, status: string) =>
  until(async () => (await statusOf(id)) === status, `${id} becomes ${status}`);
const turnOff = ({ client }: Member, preferences: object) =>
  client.call(setPreferences, { body: { preferences } });
const digest = () => platform.platform.runJob('notifications.digest');

test('a notification turned off between retries is not sent', async () => {
  const ada = await platform.newMember();
  await control('mail', 'fail');
  const id = await send(ada);
  await until(async () => {
    const { data } = await admin.call(listDeliveries, { query: { userId: ada.id } });
    return data.some((one) => one.notificationId === id && one.attempts > 0);
  }, 'a first attempt fails');
  await turnOff(ada, { email: { enabled: false } });
  await control('mail', 'ok');
  await becomes(id, 'muted');
  assert.deepEqual(await mailsTo(ada), []);
});

test('notifications turned off later are left out of the digest', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const [first, second] = [
    await later(ada, 'Bronze'),
    await later(ada, 'Sale', { priority: 'low', type: 'alert' }),
  ];
  const all = await later(ben, 'Silver');
  await turnOff(ada, { email: { types: ['achievement'] } });
  await turnOff(ben, { email: { enabled: false } });
  await digest();
  await becomes(first, 'sent');
  await becomes(second, 'muted');
  await becomes(all, 'muted');
  assert.deepEqual(
    (await mailsTo(ada)).map(({ subject }) => subject),
    ['Bronze'],
  );
  assert.deepEqual(await mailsTo(ben), [], 'a digest with nothing left is not sent');
});

test('notifications read in the app are left out of the digest, and an empty digest is not sent', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const [read, unread] = [await later(ada, 'Read'), await later(ada, 'Unread')];
  const only = await later(ben, 'Only');
  await ada.client.call(readNotification, { params: { notificationId: read } });
  await ben.client.call(readAllNotifications);
  await digest();
  await becomes(read, 'read');
  await becomes(unread, 'sent');
  await becomes(only, 'read');
  assert.deepEqual(
    (await mailsTo(ada)).map(({ subject }) => subject),
    ['Unread'],
  );
  assert.deepEqual(await mailsTo(ben), []);
});

test('a digest lists up to fifty notifications of the hour and counts the others', async () => {
  const ada = await platform.newMember();
  await ada.client.call(registerDevice, { body: { token: 'phone-of-digests', platform: 'ios' } });
  for (let number = 1; number <= 130; number++)
    await admin.call(sendNotification, {
      body: {
        userId: ada.id,
        type: 'achievement',
        channels: ['email', 'push'],
        title: `Number ${number}!`,
        message: '🎉'.repeat(4000),
      },
    });
  await digest();
  await until(async () => (await mailsTo(ada)).length === 1, 'the digest comes');
  const [{ subject, text, html }] = (await mailsTo(ada)) as [Mail];
  assert.equal(subject, '130 new notifications');
  assert.ok(text.includes('Number 1!') && text.includes('Number 50!') && !text.includes('Number 51!'));
  assert.match(text, /And 80 more, in the app\./);
  assert.ok(Buffer.byteLength(text) + Buffer.byteLength(html) < 256 * 1024, 'bounded');
  const waiting = async () =>
    (
      await platform.database.all(
        "select 1 from notifications.delivery where user_id = $1 and status = 'batched'",
        [ada.id],
      )
    ).length;
  await until(async () => (await waiting()) === 0, 'nothing waits for the next hour');
  const pushes = await platform.pushesTo('phone-of-digests');
  const [push] = pushes.filter(({ data }) => data.action === 'open-notifications');
  assert.equal(push?.notification.title, '130 new notifications');
  assert.match(push?.notification.body ?? '', /^Number 1!, Number 2!.*…$/);
});

test('a hanging mail server does not delay pushes', async () => {
  const [ada, crowd] = [await platform.newMember(), await platform.newMember()];
  await ada.client.call(registerDevice, { body: { token: 'phone-beside', platform: 'ios' } });
  await control('mail', 'hang');
  const hanging: string[] = [];
  for (let one = 0; one < 60; one++) hanging.push(await send(crowd, { title: `Mail ${one}` }));
  const id = await send(ada, { channels: ['push'] });
  await becomes(id, 'sent');
  const found = await platform.database.execute(
    "select 1 from notifications.delivery where notification_id = any($1) and status = 'pending'",
    [hanging],
  );
  assert.equal(found, hanging.length, 'no mail was through before it');
});

test('deliveries enqueued by an older version are carried out', async () => {
  const ada = await platform.newMember();
  const notificationId = await send(ada);
  await becomes(notificationId, 'sent');
  await platform.database.execute(
    "update notifications.delivery set status = 'pending' where notification_id = $1",
    [notificationId],
  );
  await platform.database.execute("insert into jobs.job (name, data) values ('notifications.deliver', $1)", [
    JSON.stringify({ notificationId, channel: 'email' }),
  ]);
  await becomes(notificationId, 'sent');
});
