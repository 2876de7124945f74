import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  assignPermissions,
  changePassword,
  deleteUser,
  endSessionsOfUser,
  refreshToken as refreshTokenOperation,
  signIn as signInOperation,
  signOut,
  updateUser,
} from '../../../../sdk/src/index.ts';
import { PASSWORD } from '../../../../test/support/client.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { USER_CHANGED_CHANNEL } from '../contract.ts';

const platform = await startPlatform();
const { client, admin } = platform;

const notices: string[] = [];
after(await platform.platform.bus.subscribe(USER_CHANGED_CHANNEL, (userId) => void notices.push(userId)));

type Member = Awaited<ReturnType<typeof platform.newMember>>;

const signIn = ({ email }: Member) =>
  client.call(signInOperation, { body: { email, password: PASSWORD, platform: 'web' } });

const CHANGES: Record<string, (member: Member) => Promise<unknown>> = {
  'signing out': ({ client }) => client.call(signOut, { body: {} }),
  'signing out one device': ({ client }) =>
    client.call(signOut, { body: { platform: 'web', device: 'unnamed' } }),
  'a session that another replaces': signIn,
  'a refresh token that is used twice': async ({ refreshToken }) => {
    await client.call(refreshTokenOperation, { body: { refreshToken } });
    return client.attempt(refreshTokenOperation, { body: { refreshToken } });
  },
  'a new password': ({ client }) =>
    client.call(changePassword, { body: { currentPassword: PASSWORD, newPassword: 'another password' } }),
  deactivation: (member) =>
    admin.attempt(updateUser, { params: { userId: member.id }, body: { isActive: false } }),
  deletion: (member) => admin.attempt(deleteUser, { params: { userId: member.id } }),
  'sessions ended by an administrator': (member) =>
    admin.attempt(endSessionsOfUser, { params: { userId: member.id } }),
  'a permission given': ({ id }) =>
    admin.call(assignPermissions, { params: { userId: id }, body: { permissions: ['moderator'] } }),
};

for (const [what, change] of Object.entries(CHANGES)) {
  test(`every process is notified of ${what} after the commit`, async () => {
    const ada = await platform.newMember();
    assert.ok(!notices.includes(ada.id), 'signing up changes nobody');
    await change(ada);
    await until(() => notices.includes(ada.id), what);
  });
}

test('other changes of a user are not announced to processes', async () => {
  const ada = await platform.newMember();
  await admin.call(updateUser, { params: { userId: ada.id }, body: { firstName: 'Augusta' } });
  await client.call(signInOperation, {
    body: {
      email: ada.email,
      password: PASSWORD,
      platform: 'web',
      device: 'second',
    },
  });
  await ada.client.call(signOut, { body: { platform: 'app', device: 'nothing there' } });
  const bob = await platform.newMember();
  await bob.client.call(signOut, { body: {} });
  await until(() => notices.includes(bob.id), 'the next message');
  assert.ok(!notices.includes(ada.id));
});
