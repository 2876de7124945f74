import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changePassword,
  endSessionsOfUser,
  listDevices,
  registerDevice,
  sendNotification,
  signIn as signInOperation,
  signOut,
  updateUser,
} from '../../../sdk/src/index.ts';
import { PASSWORD } from '../../../test/support/client.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, client } = platform;
type Member = Awaited<ReturnType<typeof platform.newMember>>;

let tokens = 0;
const newToken = (): string => `signed-${++tokens}`;
const register = (member: Pick<Member, 'client'>, token: string) =>
  member.client.call(registerDevice, { body: { token, platform: 'android' } });
const pushesTo = async (token: string) =>
  (await platform.pushesTo(token)).filter(({ data }) => data.type !== 'welcome');
const control = (mode: string) => platform.standIn('push', { mode });
const deliveryOf = async (notificationId: string, channel = 'push') => {
  const rows = await platform.database.all<{ status: string; attempts: number }>(
    'select status, attempts from notifications.delivery where notification_id = $1 and channel = $2',
    [notificationId, channel],
  );
  return rows[0] ?? assert.fail();
};
const send = async ({ id }: Pick<Member, 'id'>, more: object = {}): Promise<string> => {
  const message = {
    type: 'reminder' as const,
    title: 'Soon',
    message: 'It begins.',
    channels: ['push' as const],
    ...more,
  };
  return (await admin.call(sendNotification, { body: { userId: id, ...message } })).data.notification.id;
};
const becomes = (id: string, status: string, channel = 'push') =>
  until(async () => (await deliveryOf(id, channel)).status === status, `${id} becomes ${status}`);
/** Signs a member in once more, on a device of this name and id. */
async function signIn({ id, email }: Member, device?: string, deviceId?: string) {
  const { data } = await client.call(signInOperation, {
    body: {
      email,
      password: PASSWORD,
      platform: 'web',
      ...(device ? { device } : {}),
      ...(deviceId ? { deviceId } : {}),
    },
  });
  return { id, client: client.as(data.accessToken) };
}
/** A member with two devices on which they are signed in. */
async function withTwoDevices() {
  const member = await platform.newMember();
  const [phone, tablet] = [await signIn(member, 'phone'), await signIn(member, 'tablet')];
  const names = { phone: newToken(), tablet: newToken() };
  await register(phone, names.phone);
  await register(tablet, names.tablet);
  return { member, phone, tablet, phoneToken: names.phone, tabletToken: names.tablet };
}

const endings: [string, (all: Awaited<ReturnType<typeof withTwoDevices>>) => Promise<{ status: number }>][] =
  [
    [
      'signing out',
      ({ phone }) => phone.client.call(signOut, { body: { platform: 'web', device: 'phone' } }),
    ],
    [
      'a change of password elsewhere',
      ({ tablet }) =>
        tablet.client.call(changePassword, {
          body: { currentPassword: PASSWORD, newPassword: `${PASSWORD}!` },
        }),
    ],
    [
      'an administrator',
      ({ member }) =>
        admin.call(endSessionsOfUser, {
          params: { userId: member.id },
          query: { platform: 'web', device: 'phone' },
        }),
    ],
  ];
for (const [name, end] of endings) {
  test(`a device whose session ended by ${name} receives no more pushes, and other devices still do`, async () => {
    const all = await withTwoDevices();
    assert.equal((await end(all)).status, 200);
    const id = await send(all.member);
    await becomes(id, 'sent');
    assert.equal((await pushesTo(all.tabletToken)).length, 1);
    assert.deepEqual(await pushesTo(all.phoneToken), []);
    const { data } = await all.tablet.client.call(listDevices);
    assert.deepEqual(
      data.map(({ token }) => token),
      [all.tabletToken],
    );
  });
}

test('queued pushes and digests are not sent after a sign-out', async () => {
  const member = await platform.newMember();
  const phone = await signIn(member, 'phone');
  const token = newToken();
  await register(phone, token);
  await control('fail');
  const waiting = await send(member);
  const batched = await send(member, { type: 'achievement' });
  await until(async () => (await deliveryOf(waiting)).attempts > 0, 'a first attempt fails');
  assert.equal((await phone.client.call(signOut)).status, 200);
  await control('ok');
  await platform.platform.runJob('notifications.digest');
  await becomes(waiting, 'unavailable');
  await becomes(batched, 'unavailable');
  assert.deepEqual(await pushesTo(token), []);
});

test('inactive members receive neither pushes nor mails', async () => {
  const member = await platform.newMember();
  const token = newToken();
  await register(member, token);
  assert.equal(
    (await admin.call(updateUser, { params: { userId: member.id }, body: { isActive: false } })).status,
    200,
  );
  const id = await send(member, { channels: ['push', 'email'] });
  await becomes(id, 'unavailable');
  await becomes(id, 'unavailable', 'email');
  assert.deepEqual(await pushesTo(token), []);
});

test('a new sign-in on the same device keeps its registration', async () => {
  const member = await platform.newMember();
  for (const [device, deviceId] of [
    ['phone', undefined],
    ['phone', 'id-1'],
    [undefined, 'id-2'],
  ]) {
    const token = newToken();
    await register(await signIn(member, device, deviceId), token);
    await signIn(member, device, deviceId);
    const again = await signIn(member, device, deviceId);
    await becomes(await send(member), 'sent');
    await until(async () => (await pushesTo(token)).length === 1, 'it comes');
    // The first session is deleted eventually; the registration now belongs to the session that is still active.
    await platform.database.execute(
      'delete from identity.session where user_id = $1 and ended_at is not null',
      [member.id],
    );
    await becomes(await send(member), 'sent');
    await until(async () => (await pushesTo(token)).length === 2, 'it still comes');
    assert.equal((await again.client.call(signOut)).status, 200);
  }
});

test('a sign-in without a device, or after a sign-out, does not restore a registration', async () => {
  for (const [first, second] of [
    [[], []],
    [
      ['phone', 'id-1'],
      ['phone', 'id-2'],
    ],
  ] as [string[], string[]][]) {
    const member = await platform.newMember();
    const token = newToken();
    await register(await signIn(member, ...first), token);
    await signIn(member, ...second);
    await becomes(await send(member), 'unavailable');
    assert.deepEqual(await pushesTo(token), []);
  }
  const member = await platform.newMember();
  const phone = await signIn(member, 'phone');
  const token = newToken();
  await register(phone, token);
  const replacing = await signIn(member, 'phone');
  await replacing.client.call(signOut);
  await signIn(member, 'phone');
  await becomes(await send(member), 'unavailable');
  assert.deepEqual(await pushesTo(token), []);
});
