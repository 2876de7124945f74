import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deleteUser,
  forgotPassword,
  listDeliveries,
  listNotificationsOfUser,
  replayDeliveries,
  setPreferences,
  testNotification,
} from '../../../sdk/src/index.ts';
import { until } from '../../../test/support/live.ts';
import { notificationTools, QUIET } from '../../../test/support/notifications.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { userNotFound } from '../identity/contract.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, client } = platform;
const { send, newMember, mailsTo } = notificationTools(platform);

type Query = NonNullable<Parameters<typeof admin.call<typeof listDeliveries>>[1]>['query'];
const list = async (query: Query) => (await admin.call(listDeliveries, { query })).data;
const ofType = async ({ id }: Member, type: string) =>
  (await list({ userId: id })).find((one) => one.type === type);

test("a delivery by e-mail shows its content, its recipient and the mail server's answer", async () => {
  const ada = await newMember();
  const { data } = await send({ userId: ada.id, type: 'alert', title: 'Closed', message: 'At once.' });
  const notificationId = data.notification.id;
  const delivery = async () => (await list({ notificationId, channel: 'email' }))[0];
  await until(async () => (await delivery())?.status === 'sent', 'the mail');
  const sent = (await delivery()) ?? assert.fail();
  assert.deepEqual(
    [sent.kind, sent.type, sent.title, sent.suppressed, sent.user],
    ['notification', 'alert', 'Closed', false, { id: ada.id, name: 'Test Member', email: ada.email }],
  );
  assert.equal(sent.to, `${ada.email[0]}***@${ada.email.split('@')[1]}`);
  const [mail] = await mailsTo(ada);
  assert.equal(sent.messageId, mail?.headers['message-id']);
  assert.match(sent.lastResponse ?? '', /^250 /);
});

test('mails that are not notifications are also listed as deliveries, with every attempt', async () => {
  const ada = await platform.newMember();
  await until(async () => (await ofType(ada, 'email.welcome'))?.status === 'sent', 'the welcome');
  const welcome = (await ofType(ada, 'email.welcome')) ?? assert.fail();
  assert.deepEqual([welcome.kind, welcome.channel, welcome.attempts], ['transactional', 'email', 1]);
  assert.match(welcome.title ?? '', /^Welcome/);

  await platform.standIn('mail', { mode: 'fail' });
  await client.call(forgotPassword, { body: { email: ada.email } });
  await until(async () => ((await ofType(ada, 'email.password-reset'))?.attempts ?? 0) > 0, 'an attempt');
  const failing = (await ofType(ada, 'email.password-reset')) ?? assert.fail();
  assert.deepEqual([failing.status, failing.messageId], ['pending', null]);
  assert.ok(failing.lastError);
  await platform.standIn('mail', { mode: 'ok' });
  await until(async () => (await ofType(ada, 'email.password-reset'))?.status === 'sent', 'the code');
  const kinds = await list({ userId: ada.id, kind: 'transactional' });
  assert.deepEqual(kinds.map(({ type }) => type).sort(), [
    'email.password-reset',
    'email.verification',
    'email.welcome',
  ]);
  assert.ok(!JSON.stringify(kinds).match(/\b\d{6}\b/), 'no code');

  const ben = await platform.newMember();
  for (const type of ['email.welcome', 'email.verification'])
    await until(async () => (await ofType(ben, type))?.status === 'sent', type);
  await platform.standIn('mail', { mode: 'reject' });
  await client.call(forgotPassword, { body: { email: ben.email } });
  const rejected = async () => (await list({ userId: ben.id, status: 'failed' }))[0];
  await until(async () => (await rejected())?.type === 'email.password-reset', 'the rejection');
  assert.match((await rejected())?.lastResponse ?? '', /^5/);
  await platform.standIn('mail', { mode: 'ok' });
  const delivery = { notificationId: (await rejected())?.notificationId ?? '', channel: 'email' as const };
  assert.equal(
    (await admin.call(replayDeliveries, { body: { delivery } })).data.count,
    0,
    'its text is not kept',
  );
});

test('deliveries are filtered by channel, kind and period, and paged by a cursor', async () => {
  const ada = await newMember();
  for (const title of ['One', 'Two']) await send({ ...QUIET, userId: ada.id, title, priority: 'critical' });
  const of = (query: Query) => list({ ...query, userId: ada.id, kind: 'notification' });
  const all = (await of({ limit: 100 })).filter(({ title }) => title === 'One' || title === 'Two');
  assert.deepEqual(
    all.map(({ title, channel }) => `${title} ${channel}`),
    ['Two email', 'Two push', 'Two sms', 'One email', 'One push', 'One sms'],
  );
  const seen: string[] = [];
  for (let before: string | undefined; seen.length < 6; ) {
    const [one] = await of({ limit: 1, before });
    seen.push(`${one?.title} ${one?.channel}`);
    before = `${one?.notificationId}_${one?.channel}`;
  }
  assert.deepEqual(
    seen,
    all.map(({ title, channel }) => `${title} ${channel}`),
  );
  assert.ok((await of({ channel: 'push' })).every(({ channel }) => channel === 'push'));
  const [newest] = all;
  assert.deepEqual(await of({ from: new Date(platform.clock.now() + 60_000).toISOString() }), []);
  assert.deepEqual(await of({ to: '2020-01-01' }), []);
  assert.equal((await of({ from: newest?.createdAt, limit: 1 }))[0]?.notificationId, newest?.notificationId);
  for (const query of [
    'before=x',
    `before=${'f'.repeat(24)}`,
    'kind=mail',
    'from=soon',
    'from=2026-02-01&to=2026-01-01',
  ])
    assertInvalid(await admin.raw('GET', `/v1/notifications/deliveries?${query}`), query);
});

test("an administrator reads a member's notifications with their deliveries", async () => {
  const ada = await platform.newMember();
  const told = async () => (await admin.call(listNotificationsOfUser, { params: { userId: ada.id } })).data;
  await until(async () => (await told()).length === 3, 'both welcomes, and the mail to verify with');
  await send({ userId: ada.id, type: 'alert', title: 'Closed', message: 'At once.' });
  const [newest, ...rest] = await told();
  assert.deepEqual(
    [newest?.kind, newest?.type, newest?.message, newest?.read, newest?.deliveries.length],
    ['notification', 'alert', 'At once.', false, 3],
  );
  assert.deepEqual(rest.map(({ kind }) => kind).sort(), ['notification', 'transactional', 'transactional']);
  const { data, body } = await admin.call(listNotificationsOfUser, {
    params: { userId: ada.id },
    query: { limit: 1, before: newest?.id },
  });
  assert.deepEqual([data.length, data[0]?.id, body.pagination.total], [1, rest[0]?.id, 4]);
  await admin.call(deleteUser, { params: { userId: ada.id } });
  assertRefused(await admin.attempt(listNotificationsOfUser, { params: { userId: ada.id } }), userNotFound);
  await until(async () => (await list({ userId: ada.id })).length === 0, 'the erasure');
});

test('an administrator sends a test notification by one channel to themselves or to another member', async () => {
  const ada = await newMember();
  const attempt = (body: { channel: 'email' | 'push' | 'sms'; userId?: string }) =>
    admin.attempt(testNotification, { body: { type: 'alert', ...body } });
  const { status, data } = await attempt({ channel: 'email', userId: ada.id });
  assert.equal(status, 200);
  assert.deepEqual(data?.deliveries, [{ channel: 'email', status: 'pending' }]);
  await until(async () => (await mailsTo(ada))[0]?.subject === 'Test of alert', 'the mail');
  assert.equal((await attempt({ channel: 'push' })).data?.notification.userId, platform.adminId);
  await ada.client.call(setPreferences, { body: { preferences: { email: { enabled: false } } } });
  assert.equal((await attempt({ channel: 'email', userId: ada.id })).data?.deliveries[0]?.status, 'muted');
  assertRefused(await attempt({ channel: 'sms', userId: 'f'.repeat(24) }), userNotFound);
  assertInvalid(await admin.raw('POST', '/v1/notifications/test', { channel: 'pigeon', type: 'alert' }));
  assertInvalid(await admin.raw('POST', '/v1/notifications/test', { channel: 'email', type: 'unknown' }));
});
