import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  forgotPassword,
  getPreferences,
  listDeliveries,
  readNotification,
  sendNotification,
  setPreferences,
} from '../../../sdk/src/index.ts';
import { until } from '../../../test/support/live.ts';
import { notificationTools, QUIET } from '../../../test/support/notifications.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid } from '../../../test/support/refused.ts';
import { HOUR_MS, SECOND_MS } from '../../kernel/time/time.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, clock, database } = platform;
const { send, listOf, mailsTo, newMember } = notificationTools(platform);

/** The local time in UTC, some hours from now. */
const timeIn = (hours: number) => new Date(clock.now() + hours * HOUR_MS).toISOString().slice(11, 16);
const around = (before: number, after: number) => ({
  from: timeIn(-before),
  to: timeIn(after),
  timeZone: 'UTC',
});
const put = ({ client }: Member, quietHours: unknown) =>
  client.raw('PUT', '/push-notifications/preferences', { preferences: { quietHours } });
const statusOf = async ({ id }: Member) =>
  (await admin.call(listDeliveries, { query: { userId: id, channel: 'email', kind: 'notification' } }))
    .data[0]?.status;
/** Jobs of the quiet hours that wait for their end. */
const waiting = (prefix: string, atLeast = '30 minutes') =>
  database.count(
    `select count(*) from jobs.job where name like $1 and state = 'created' and start_after > now() + $2::interval`,
    [`${prefix}%`, atLeast],
  );
/** Jobs of these queues that have not ended. */
const left = (prefix: string) =>
  database.count(`select count(*) from jobs.job where name like $1 and state < 'completed'`, [`${prefix}%`]);
/** The digest of an hour; those of members have run, or wait for the end of quiet hours. */
async function digest(): Promise<void> {
  await platform.platform.runJob('notifications.digest');
  await until(
    async () => (await left('notifications.digest')) === (await waiting('notifications.digest', '1 second')),
    'the digests of members',
  );
}
const startNow = () =>
  database.execute(
    `update jobs.job set start_after = now() where name like 'notifications.%' and state = 'created'`,
  );

/** Sends a notification of low priority; the administrator's token may have expired. */
async function sendForDigest({ id: userId }: Member, title: string): Promise<void> {
  const again = await platform.signInAdmin();
  await again.call(sendNotification, {
    body: { ...QUIET, userId, priority: 'low', channels: ['email'], title },
  });
}

test('quiet hours are set, shown and cleared beside the channels', async () => {
  const ada = await newMember();
  const shown = async () => (await ada.client.call(getPreferences)).data.preferences.quietHours;
  assert.equal(await shown(), null);
  const hours = { from: '22:00', to: '07:30', timeZone: 'Europe/Berlin' };
  assert.equal((await put(ada, hours)).status, 200);
  assert.deepEqual(await shown(), hours);
  await ada.client.call(setPreferences, { body: { preferences: { email: { enabled: false } } } });
  assert.deepEqual(await shown(), hours, 'fields that are left out keep their values');
  for (const wrong of [
    { ...hours, to: hours.from },
    { ...hours, from: '24:00' },
    { ...hours, from: '7:30' },
    { ...hours, timeZone: 'Mars/Olympus' },
    { from: '22:00', to: '23:00' },
    '22:00-07:30',
  ])
    assertInvalid(await put(ada, wrong), JSON.stringify(wrong));
  assert.equal((await put(ada, null)).status, 200);
  assert.equal(await shown(), null);
});

test('deliveries wait for the end of quiet hours, even critical ones; the app and codes do not', async () => {
  const ada = await newMember();
  await put(ada, around(1, 2));
  await send({ ...QUIET, userId: ada.id, title: 'At night', priority: 'critical' });
  assert.equal((await listOf(ada))[0]?.title, 'At night');
  await until(async () => (await waiting('notifications.deliver')) > 0, 'the postponed delivery');
  assert.deepEqual([await statusOf(ada), (await mailsTo(ada)).length], ['pending', 0]);
  await platform.client.call(forgotPassword, { body: { email: ada.email } });
  await platform.mailTo(ada.email, 'email.password-reset');

  clock.advance(2 * HOUR_MS);
  await startNow();
  await until(async () => (await mailsTo(ada)).length === 1, 'the mail');
  clock.advance(-2 * HOUR_MS);
  // The mail can be read before its delivery is recorded.
  await until(async () => (await statusOf(ada)) === 'sent', 'the record of the delivery');
});

test('a waiting delivery is sent on time once quiet hours are cleared, unless its channel was turned off', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  for (const one of [ada, ben]) {
    await put(one, around(1, 2));
    const before = await waiting('notifications.deliver');
    await send({ ...QUIET, userId: one.id, priority: 'high', channels: ['email'] });
    await until(async () => (await waiting('notifications.deliver')) > before, 'the postponed delivery');
  }
  await put(ada, null);
  await ben.client.call(setPreferences, { body: { preferences: { email: { enabled: false } } } });
  await startNow();
  await until(async () => (await mailsTo(ada)).length === 1, 'the mail');
  await until(async () => (await statusOf(ben)) === 'muted', 'the decision');
});

test('what was read in the app during quiet hours is not sent when they end', async () => {
  const ada = await newMember();
  await put(ada, around(1, 2));
  const before = await waiting('notifications.deliver');
  const { data } = await send({ ...QUIET, userId: ada.id, priority: 'high', channels: ['email'] });
  await until(async () => (await waiting('notifications.deliver')) > before, 'the postponed delivery');
  await ada.client.call(readNotification, { params: { notificationId: data.notification.id } });
  await put(ada, null);
  await startNow();
  await until(async () => (await statusOf(ada)) !== 'pending', 'the decision');
  assert.deepEqual([await statusOf(ada), await mailsTo(ada)], ['read', []]);
});

test('what waits for a digest is in one mail when quiet hours of several hours end', async () => {
  clock.advance(HOUR_MS - (clock.now() % HOUR_MS));
  const ada = await newMember();
  await put(ada, around(1, 2.5));
  for (const title of ['In the first hour', 'In the second hour', 'In the third hour']) {
    await sendForDigest(ada, title);
    await digest();
    clock.advance(HOUR_MS);
  }
  clock.advance(-HOUR_MS / 2);
  await startNow();
  await until(async () => (await mailsTo(ada)).length > 0, 'the mail');
  await until(async () => (await left('notifications.digest')) === 0, 'the end of all digests');
  assert.deepEqual(
    (await mailsTo(ada)).map(({ subject }) => subject),
    ['3 new notifications'],
  );
});

test('a digest that begins a little early by the clock of its process is sent when quiet hours end', async () => {
  clock.advance(HOUR_MS - (clock.now() % HOUR_MS) - 20 * SECOND_MS);
  const ada = await newMember();
  await put(ada, around(1, 1 / 60));
  await sendForDigest(ada, 'Before the hour');
  await digest();
  clock.advance(20 * SECOND_MS);
  await startNow();
  await until(async () => (await mailsTo(ada)).length === 1, 'the mail');
});
