import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countUnreadNotifications,
  getInstallationHealth,
  listDeliveries,
  listNotifications,
  readAllNotifications,
  sendNotification,
  signIn,
} from '../../../sdk/src/index.ts';
import { PASSWORD } from '../../../test/support/client.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { idMaker } from '../../kernel/ids.ts';
import { DAY_MS } from '../../kernel/time/time.ts';
import { notificationStore } from './notifications.store.ts';

const platform = await startPlatform({ NOTIFICATION_RETENTION_DAYS: '60', DELIVERY_RETENTION_DAYS: '60' });
const { clock, database } = platform;
let { admin } = platform;
const ada = await platform.newMember();

const send = async (title: string, channels: 'email'[] = []): Promise<string> => {
  const body = { userId: ada.id, type: 'reminder' as const, title, message: title, channels };
  return (await admin.call(sendNotification, { body })).data.notification.id;
};
const unread = async () => (await ada.client.call(countUnreadNotifications)).data.count;
const unreadInList = async () =>
  (await ada.client.call(listNotifications, { query: { read: false } })).body.pagination.total;
const listed = async () => {
  const { data, body } = await ada.client.call(listNotifications, { query: { type: 'reminder' } });
  return { titles: data.map(({ title }) => title), total: body.pagination.total };
};
/** Moves the clock on, after which everybody signs in again. */
async function pass(days: number): Promise<void> {
  clock.advance(days * DAY_MS);
  admin = await platform.signInAdmin();
  const body = { email: ada.email, password: PASSWORD, platform: 'web' as const };
  ada.client = platform.client.as((await platform.client.call(signIn, { body })).data.accessToken);
}
const turn = () => platform.platform.runJob('notifications.turn-months');

test('members see and count what is left after months were dropped; what is being delivered stays', async () => {
  await platform.standIn('mail', { mode: 'fail' });
  await send('old');
  const waiting = await send('waiting', ['email']);
  await pass(70);
  await send('first of a later month');
  await pass(10);
  await send('new');
  await turn();
  assert.deepEqual(await listed(), { titles: ['new', 'first of a later month', 'waiting', 'old'], total: 4 });
  // The part from before the tables were divided ends one or two months after the installation.
  await pass(100);
  await send('newest');
  await turn();
  assert.deepEqual(await listed(), { titles: ['newest', 'waiting'], total: 2 });
  // The notice of the sign-in may come meanwhile.
  await until(async () => {
    const listedUnread = (await ada.client.call(listNotifications)).data.length;
    return (await unread()) === listedUnread && (await unreadInList()) === listedUnread;
  }, 'counts that agree with the list');
  const { data } = await admin.call(listDeliveries, { query: { userId: ada.id } });
  assert.deepEqual(
    data.filter(({ title }) => title === 'old' || title === 'waiting').map((one) => one.notificationId),
    [waiting],
  );
  await platform.standIn('mail', { mode: 'ok' });
  await database.execute(`update notifications.delivery set status = 'sent' where notification_id = $1`, [
    waiting,
  ]);
  await turn();
  assert.deepEqual(await listed(), { titles: ['newest'], total: 1 });
  await until(async () => {
    await ada.client.call(readAllNotifications);
    return (await unread()) === 0;
  }, 'no unread one, also after the notice of the sign-in');
});

test('an event notifies a member once, also within one delivery and after the notification is gone', async () => {
  const newId = idMaker(clock);
  const store = notificationStore(database);
  const subject = `demo.happened:${newId()}`;
  const one = () => ({
    id: newId(),
    userId: ada.id,
    type: 'reminder',
    title: 'T',
    message: 'M',
    priority: 'low' as const,
    channels: [],
    metadata: {},
    subject,
  });
  const insert = async (...all: ReturnType<typeof one>[]) =>
    (await database.transaction((tx) => store.insert(tx, all, clock.date()))).size;
  assert.equal(await insert(one(), one(), { ...one(), subject: null as unknown as string }), 2);
  assert.equal(await insert(one()), 0);
  await database.execute('delete from notifications.notification where user_id = $1', [ada.id]);
  assert.equal(await insert(one()), 0);
});

test('operators see for how long each kind of rows is kept', async () => {
  const { settings } = (await admin.call(getInstallationHealth)).data;
  const kept = Object.fromEntries(
    settings.filter(({ name }) => name.endsWith('_RETENTION_DAYS')).map(({ name, value }) => [name, value]),
  );
  assert.deepEqual(kept, {
    ERROR_REPORT_RETENTION_DAYS: '30',
    AUDIT_RETENTION_DAYS: 'keep',
    ANALYTICS_RETENTION_DAYS: '400',
    NOTIFICATION_RETENTION_DAYS: '60',
    DELIVERY_RETENTION_DAYS: '60',
    WATCH_SESSION_RETENTION_DAYS: '800',
  });
});
