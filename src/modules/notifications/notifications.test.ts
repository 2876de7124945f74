import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import {
  cancelWithdrawal,
  countUnreadNotifications,
  deleteNotification,
  fundWalletAsAdmin,
  getBulkNotification,
  getPreferences,
  listDeliveries,
  listNotifications,
  readAllNotifications,
  readNotification,
  replayDeliveries,
  sendBulkNotification,
  sendNotification,
  setPreferences,
  transferKeys,
  withdrawKeys,
} from '../../../sdk/src/index.ts';
import type { TypesOf } from '../../../sdk/src/operation.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import type { Mail } from '../../../test/support/received.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { invalidId } from '../../kernel/failures.ts';
import { authenticationRequired } from '../../kernel/operations/access.ts';
import { userNotFound } from '../identity/contract.ts';
import { invalidUserId } from '../indicators/webhooks/failures.ts';
import { bulkNotFound } from './bulk.ts';
import { notificationNotFound } from './notifications.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database, client } = platform;
type Notification = TypesOf<typeof listNotifications>['data'][number];
type Member = Awaited<ReturnType<typeof platform.newMember>>;

const send = (body: TypesOf<typeof sendNotification>['body']) => admin.call(sendNotification, { body });
const sendRaw = (body: object) => admin.raw('POST', '/v1/notifications/send', body);
const quiet = { type: 'course_update' as const, title: 'A new lesson', message: 'Have a look.' };
const listOf = async ({ client }: Member, query: TypesOf<typeof listNotifications>['query'] = {}) =>
  (await client.call(listNotifications, { query })).data;
const unreadOf = async ({ client }: Member): Promise<number> =>
  (await client.call(countUnreadNotifications)).data.count;
const deliveriesOf = async ({ id }: Member) =>
  (await admin.call(listDeliveries, { query: { userId: id } })).data;
const mailsTo = async ({ email }: Member) =>
  (await platform.mailsTo(email)).filter(({ kind }) => kind === 'email.notification');
const mail = (mode: string) => platform.standIn('mail', { mode });
/** A member whose welcome has come, so that it is out of the way. */
async function newMember(): Promise<Member> {
  const member = await platform.newMember();
  await until(async () => (await listOf(member)).length === 1, 'the welcome comes');
  const [welcome] = await listOf(member);
  await member.client.call(deleteNotification, { params: { notificationId: welcome?.id ?? '' } });
  return member;
}

test('signing up sends a welcome by mail and in the app', async () => {
  const ada = await platform.newMember();
  await until(async () => (await unreadOf(ada)) === 1, 'the welcome comes');
  const [{ id, createdAt, ...welcome }] = (await listOf(ada)) as [Notification];
  assert.deepEqual(welcome, {
    userId: ada.id,
    type: 'welcome',
    priority: 'medium',
    read: false,
    channels: ['push'],
    metadata: {},
    title: 'Welcome, Test',
    message: 'Your account is ready. We are glad to have you.',
  });
  assert.match(id, /^[0-9a-f]{24}$/);
  assert.ok(Date.parse(createdAt));
});

test('members list, read and delete their own notifications only', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  for (const title of ['one', 'two', 'three'])
    assert.equal((await send({ ...quiet, userId: ada.id, title })).status, 201);
  await send({ ...quiet, userId: ada.id, type: 'announcement', channels: [], title: 'four' });
  assert.deepEqual(
    (await listOf(ada)).map(({ title }) => title),
    ['four', 'three', 'two', 'one'],
  );
  const [four, three] = (await listOf(ada)) as [Notification, Notification];
  assert.deepEqual([four.priority, three.priority, three.channels], ['high', 'medium', []]);
  for (const [method, path] of [
    ['PUT', `/v1/notifications/${three.id}/read`],
    ['DELETE', `/v1/notifications/${three.id}`],
  ] as const) {
    assertRefused(await ben.client.raw(method, path), notificationNotFound);
    assertRefused(
      await ben.client.raw(method, path.replace(three.id, 'nonsense')),
      invalidId('notification'),
    );
  }
  const read = await ada.client.call(readNotification, { params: { notificationId: three.id } });
  assert.deepEqual([read.status, read.data], [200, { id: three.id, read: true }]);
  assert.equal(
    (await ada.client.call(readNotification, { params: { notificationId: three.id } })).status,
    200,
    'again is the same',
  );
  assert.deepEqual(
    (await listOf(ada, { read: true })).map(({ title }) => title),
    ['three'],
  );
  assert.equal((await listOf(ada, { read: false, type: 'course_update' })).length, 2);
  assert.equal(await unreadOf(ada), 3);
  const all = await ada.client.call(readAllNotifications);
  assert.deepEqual([all.body.message, all.data], ['3 notifications marked as read', { count: 3 }]);
  assert.equal(await unreadOf(ada), 0);
  assert.equal(
    (await ada.client.call(deleteNotification, { params: { notificationId: four.id } })).status,
    200,
  );
  assertRefused(
    await ada.client.attempt(deleteNotification, { params: { notificationId: four.id } }),
    notificationNotFound,
  );
  const { body } = await ada.client.call(listNotifications, { query: { limit: 1000, page: 1 } });
  assert.deepEqual(body.pagination, { page: 1, limit: 50, total: 3, pages: 1 });
  assertInvalid(await ada.client.raw('GET', '/v1/notifications?type=gossip'));
});

test('the stored counts are exact after concurrent changes', async () => {
  const ada = await newMember();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('send', 'send', 'read', 'delete', 'read-all'), {
        minLength: 1,
        maxLength: 15,
      }),
      async (acts) => {
        const known = await listOf(ada, { limit: 50 });
        await Promise.all(
          acts.map((act, place) => {
            const one = known[place % Math.max(1, known.length)];
            if (act === 'send' || !one) return send({ ...quiet, userId: ada.id });
            if (act === 'read-all') return ada.client.call(readAllNotifications);
            return act === 'read'
              ? ada.client.attempt(readNotification, { params: { notificationId: one.id } })
              : ada.client.attempt(deleteNotification, { params: { notificationId: one.id } });
          }),
        );
        const rows = await database.all(
          `select count(*) as total, count(*) filter (where read_at is null) as unread
           from notifications.notification where user_id = $1`,
          [ada.id],
        );
        const { body } = await ada.client.call(listNotifications);
        assert.deepEqual([body.pagination.total, await unreadOf(ada)], [rows[0]?.total, rows[0]?.unread]);
      },
    ),
    { numRuns: 12 },
  );
});

test('a critical notification uses every channel that the member has not turned off for its type', async () => {
  const ada = await newMember();
  const critical = { ...quiet, userId: ada.id, priority: 'critical' as const };
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
  const sent = (await deliveriesOf(ada)).find(({ channel }) => channel === 'email');
  assert.deepEqual([sent?.status, sent?.attempts, sent?.lastError], ['sent', 1, null]);

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
  assert.equal(data?.preferences.push.types.length, 8);
  const statusOf = async (type: 'announcement' | 'reminder') =>
    (await send({ ...quiet, userId: ada.id, type, channels: ['email'] })).data.deliveries[0]?.status;
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

test('notifications that are not urgent are collected into one mail an hour', async () => {
  const ada = await newMember();
  for (const title of ['First', 'Second', 'Third']) {
    const { data } = await send({
      ...quiet,
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
  await send({ ...quiet, userId: ada.id, channels: ['email'] });
  await until(async () => ((await deliveriesOf(ada))[0]?.attempts ?? 0) > 1, 'it is tried again');
  const [waiting] = await deliveriesOf(ada);
  assert.ok(waiting);
  assert.equal(waiting.status, 'pending');
  assert.match(waiting.lastError ?? '', /failing on request/);
  await mail('ok');
  await until(async () => (await mailsTo(ada)).length === 1, 'it comes');
  await until(async () => (await deliveriesOf(ada))[0]?.status === 'sent', 'it is told');

  await mail('reject');
  const { data } = await send({ ...quiet, userId: ada.id, channels: ['email'], title: 'Refused' });
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

test('members are notified once of received Keys and ended withdrawals', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  await admin.call(fundWalletAsAdmin, { body: { userId: ada.id, amount: 100 } });
  await ada.client.call(transferKeys, { body: { toUserId: ben.id, amount: 1, metadata: { gift: true } } });
  const { data } = await ada.client.call(withdrawKeys, { body: { amount: 10 } });
  await ada.client.call(cancelWithdrawal, { params: { transactionId: data.transaction.transactionId } });
  await until(async () => (await listOf(ada)).length === 2 && (await listOf(ben)).length === 1, 'they come');
  assert.deepEqual((await listOf(ada)).map(({ title }) => title).sort(), [
    '100 Keys added',
    'Your withdrawal was cancelled',
  ]);
  assert.equal((await listOf(ben))[0]?.title, 'A gift of 1 Key');
});

test('a bulk notification is accepted at once, shows its progress and reaches each member once', async () => {
  const members = await Promise.all(Array.from({ length: 12 }, newMember));
  const userIds = [...members, ...members].map(({ id }) => id);
  const { status, data } = await admin.call(sendBulkNotification, {
    body: {
      userIds: [...userIds, 'f'.repeat(24)],
      notification: { ...quiet, title: 'To all' },
    },
  });
  assert.deepEqual([status, data.requested], [201, 13]);
  const progress = async () =>
    (await admin.call(getBulkNotification, { params: { jobId: data.jobId } })).data;
  await until(async () => (await progress()).status === 'finished', 'it finishes');
  const { done, unknown, finishedAt } = await progress();
  assert.deepEqual([done, unknown], [13, 1]);
  assert.ok(finishedAt);
  for (const one of members) assert.equal((await listOf(one)).length, 1);
  assertRefused(
    await admin.attempt(getBulkNotification, { params: { jobId: 'f'.repeat(24) } }),
    bulkNotFound,
  );
});

test('invalid notifications are refused', async () => {
  const ada = await newMember();
  for (const body of [
    { ...quiet },
    { ...quiet, userId: ada.id, type: 'gossip' },
    { ...quiet, userId: ada.id, priority: 'now' },
    { ...quiet, userId: ada.id, channels: ['pigeon'] },
    { ...quiet, userId: ada.id, title: '' },
    { ...quiet, userId: ada.id, message: 'x'.repeat(4001) },
  ])
    assertInvalid(await sendRaw(body), JSON.stringify(body).slice(0, 80));
  assertRefused(await sendRaw({ ...quiet, userId: 'nobody' }), invalidUserId);
  assertRefused(await sendRaw({ ...quiet, userId: 'f'.repeat(24) }), userNotFound);
  const bulk = (userIds: unknown) =>
    admin.raw('POST', '/v1/notifications/send-bulk', { userIds, notification: quiet });
  for (const userIds of [[], 'all', undefined]) assertInvalid(await bulk(userIds));
  assertRefused(await bulk([ada.id, 'nobody']), invalidUserId);
  assertRefused(await client.attempt(listNotifications), authenticationRequired);
});
