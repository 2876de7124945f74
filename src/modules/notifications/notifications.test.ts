import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  cancelWithdrawal,
  deleteNotification,
  fundWalletAsAdmin,
  getBulkNotification,
  getNotification,
  listDeliveries,
  listNotifications,
  readAllNotifications,
  readNotification,
  sendBulkNotification,
  transferKeys,
  withdrawKeys,
} from '../../../sdk/src/index.ts';
import type { TypesOf } from '../../../sdk/src/operation.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { notificationTools, QUIET } from '../../../test/support/notifications.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
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
const { send, listOf, unreadOf, newMember } = notificationTools(platform);
const sendRaw = (body: object) => admin.raw('POST', '/v1/notifications/send', body);

test('signing up sends a welcome by one mail and in the app, on the channels of its type', async () => {
  const ada = await platform.newMember();
  await until(async () => (await unreadOf(ada)) === 1, 'the welcome comes');
  const [{ id, createdAt, ...welcome }] = (await listOf(ada)) as [Notification];
  assert.deepEqual(welcome, {
    userId: ada.id,
    type: 'welcome',
    priority: 'medium',
    read: false,
    channels: ['email', 'push'],
    metadata: {},
    title: 'Welcome, Test',
    message: 'Your account is ready. We are glad to have you.',
  });
  assert.match(id, /^[0-9a-f]{24}$/);
  assert.ok(Date.parse(createdAt));
  const { data } = await admin.call(listDeliveries, { query: { notificationId: id } });
  assert.deepEqual(
    data.map(({ channel }) => channel),
    ['push'],
    'the mail has a delivery of its own',
  );
  assert.ok(await platform.mailTo(ada.email, 'email.welcome'));
});

/** Opens a device of a member that listens to their notifications. */
async function listening({ accessToken, id: userId }: Member): Promise<LiveClient> {
  const device = await LiveClient.open(platform.url, accessToken);
  await device.ask({ type: 'subscribe', channel: 'notifications', userId });
  return device;
}

test('reading one notification, or all, tells every device of the member what is left', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  for (const title of ['one', 'two', 'three']) await send({ ...QUIET, userId: ada.id, title });
  const [device, other] = [await listening(ada), await listening(ben)];
  const [{ id: notificationId }] = (await listOf(ada)) as [Notification];
  // Reading again changes nothing, and tells nobody.
  for (let time = 0; time < 2; time++)
    await ada.client.call(readNotification, { params: { notificationId } });
  for (let time = 0; time < 2; time++) await ada.client.call(readAllNotifications);
  await device.next(({ type, data }) => type === 'notification:read' && data.all === true);
  assert.deepEqual(
    device.all('notification:read').map(({ data }) => data),
    [
      { ids: [notificationId], all: false, unreadCount: 2 },
      { ids: [], all: true, unreadCount: 0 },
    ],
  );
  assert.deepEqual(other.all('notification:read'), []);
  for (const one of [device, other]) one.close();
});

test('deleting a notification tells every device of the member, with what is left unread', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  for (const title of ['one', 'two']) await send({ ...QUIET, userId: ada.id, title });
  const [device, other] = [await listening(ada), await listening(ben)];
  const [unread, read] = (await listOf(ada)) as [Notification, Notification];
  await ada.client.call(readNotification, { params: { notificationId: read.id } });
  for (const { id: notificationId } of [unread, read])
    await ada.client.call(deleteNotification, { params: { notificationId } });
  await device.next(({ type, data }) => type === 'notification:deleted' && data.ids[0] === read.id);
  assert.deepEqual(
    device.all('notification:deleted').map(({ data }) => data),
    [
      { ids: [unread.id], unreadCount: 0 },
      { ids: [read.id], unreadCount: 0 },
    ],
  );
  assert.deepEqual(other.all('notification:deleted'), []);
  for (const one of [device, other]) one.close();
});

test('members list, read and delete their own notifications only', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  for (const title of ['one', 'two', 'three'])
    assert.equal((await send({ ...QUIET, userId: ada.id, title })).status, 201);
  await send({ ...QUIET, userId: ada.id, type: 'announcement', channels: [], title: 'four' });
  assert.deepEqual(
    (await listOf(ada)).map(({ title }) => title),
    ['four', 'three', 'two', 'one'],
  );
  const [four, three] = (await listOf(ada)) as [Notification, Notification];
  assert.deepEqual([four.priority, three.priority, three.channels], ['high', 'medium', []]);
  const one = await ada.client.call(getNotification, { params: { notificationId: four.id } });
  assert.deepEqual(one.data, four);
  for (const [method, path] of [
    ['GET', `/v1/notifications/${three.id}`],
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
            if (act === 'send' || !one) return send({ ...QUIET, userId: ada.id });
            if (act === 'read-all') return ada.client.callPatiently(readAllNotifications);
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
      notification: { ...QUIET, title: 'To all' },
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
    { ...QUIET },
    { ...QUIET, userId: ada.id, type: 'gossip' },
    { ...QUIET, userId: ada.id, priority: 'now' },
    { ...QUIET, userId: ada.id, channels: ['pigeon'] },
    { ...QUIET, userId: ada.id, title: '' },
    { ...QUIET, userId: ada.id, message: 'x'.repeat(4001) },
  ])
    assertInvalid(await sendRaw(body), JSON.stringify(body).slice(0, 80));
  assertRefused(await sendRaw({ ...QUIET, userId: 'nobody' }), invalidUserId);
  assertRefused(await sendRaw({ ...QUIET, userId: 'f'.repeat(24) }), userNotFound);
  const bulk = (userIds: unknown) =>
    admin.raw('POST', '/v1/notifications/send-bulk', { userIds, notification: QUIET });
  for (const userIds of [[], 'all', undefined]) assertInvalid(await bulk(userIds));
  assertRefused(await bulk([ada.id, 'nobody']), invalidUserId);
  assertRefused(await client.attempt(listNotifications), authenticationRequired);
});
