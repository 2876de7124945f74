import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PASSWORD } from '../../../../test/support/client.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { USER_CHANGED_CHANNEL } from '../contract.ts';

const platform = await startPlatform();
const { client, admin } = platform;

const heard: string[] = [];
after(await platform.platform.bus.subscribe(USER_CHANGED_CHANNEL, (userId) => void heard.push(userId)));

type Member = Awaited<ReturnType<typeof platform.newMember>>;

const signIn = ({ email }: Member) =>
  client.post('/v1/auth/signin', { email, password: PASSWORD, platform: 'web' });
const user = ({ id }: Member) => `/v1/admin/auth/users/${id}`;

const CHANGES: Record<string, (member: Member) => Promise<unknown>> = {
  'signing out': ({ client }) => client.post('/v1/auth/signout', {}),
  'signing out one device': ({ client }) =>
    client.post('/v1/auth/signout', { platform: 'web', device: 'unnamed' }),
  'a session that another replaces': signIn,
  'a refresh token that is used twice': async ({ refreshToken }) => {
    await client.post('/v1/auth/refresh-token', { refreshToken });
    return client.post('/v1/auth/refresh-token', { refreshToken });
  },
  'a new password': ({ client }) =>
    client.post('/auth/change-password', { currentPassword: PASSWORD, newPassword: 'another password' }),
  deactivation: (member) => admin.put(user(member), { isActive: false }),
  deletion: (member) => admin.delete(user(member)),
  'sessions ended by an administrator': (member) => admin.delete(`${user(member)}/sessions`),
  'a permission given': ({ id }) =>
    admin.post(`/v1/user/${id}/permissions/assign`, { permissions: ['moderator'] }),
};

for (const [what, change] of Object.entries(CHANGES)) {
  test(`every process is told of ${what}, once it is committed`, async () => {
    const ada = await platform.newMember();
    assert.ok(!heard.includes(ada.id), 'signing up changes nobody');
    await change(ada);
    await until(() => heard.includes(ada.id), what);
  });
}

test('nobody is told of what changes neither sessions nor permissions', async () => {
  const ada = await platform.newMember();
  await admin.put(user(ada), { firstName: 'Augusta' });
  await client.post('/v1/auth/signin', {
    email: ada.email,
    password: PASSWORD,
    platform: 'web',
    device: 'second',
  });
  await ada.client.post('/v1/auth/signout', { platform: 'app', device: 'nothing there' });
  const bob = await platform.newMember();
  await bob.client.post('/v1/auth/signout', {});
  await until(() => heard.includes(bob.id), 'the next message');
  assert.ok(!heard.includes(ada.id));
});
