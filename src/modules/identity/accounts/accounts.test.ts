import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  createUser,
  createWalletAsAdmin,
  deleteOwnAccount,
  deleteUser,
  endSessionsOfUser,
  getEducator,
  getProfile,
  getUser,
  listAudit,
  listUsers,
  listUsersAsAdmin,
  replacePermissions,
  signIn as signInOperation,
  unassignPermissions,
  updateUser,
  type wire,
} from '../../../../sdk/src/index.ts';
import { type Answer, newEmail, PASSWORD } from '../../../../test/support/client.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { authenticationFailed, emailTaken } from '../../../external/directory/port.ts';
import { accountInactive, invalidToken } from '../../../kernel/operations/access.ts';
import { invalidUserId } from '../../indicators/webhooks/failures.ts';
import { userNotFound, usernameTaken } from '../contract.ts';
import { customerIdTaken } from '../users/users.ts';

const platform = await startPlatform();
const { admin, client } = platform;
const USERS = '/v1/admin/auth/users';
const draftOf = (draft: Partial<wire.CreateUserBody>): wire.CreateUserBody => ({
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: newEmail(),
  ...draft,
});
const create = async (draft: Partial<wire.CreateUserBody> = {}): Promise<wire.Account> =>
  (await admin.call(createUser, { body: draftOf(draft) })).data;
const tryToCreate = (draft: Partial<wire.CreateUserBody>) =>
  admin.attempt(createUser, { body: draftOf(draft) });

test('a created user has a unique username from the e-mail and the permission of their role', async () => {
  const email = `grace.hopper@${Date.now()}.example.com`;
  const first = await create({
    email: ` ${email.toUpperCase()} `,
    role: 'educator',
    permissions: ['read_users', 'read_users'],
  });
  assert.deepEqual([first.email, first.username], [email, 'grace.hopper']);
  assert.deepEqual(first.permissions, ['educator', 'read_users']);
  assert.ok(!JSON.stringify(first).includes('hash'));
  const second = await create({ email: `grace.hopper@${Date.now()}.example.org` });
  assert.match(second.username, /^grace\.hopper-[0-9a-f]{8}$/);
});

test('the e-mail, the username and the customer id of a created user belong to nobody else', async () => {
  const named = await create({ customerId: 'C-1', username: 'ada_1' });
  assert.deepEqual([named.customerId, named.username], ['C-1', 'ada_1']);
  assertRefused(await tryToCreate({ email: named.email }), emailTaken);
  assertRefused(await tryToCreate({ username: 'ada_1' }), usernameTaken);
  assertRefused(await tryToCreate({ customerId: 'C-1' }), customerIdTaken);
});

test('a customer id with a space at its end is refused, since no webhook of the backoffice would find it', async () => {
  const user = await create({ customerId: 'C of two words' });
  for (const customerId of ['C-2 ', '\tC-2', ' ', '\u00a0C-2']) {
    const created = await tryToCreate({ customerId });
    const changed = await admin.attempt(updateUser, { params: { userId: user.id }, body: { customerId } });
    for (const answer of [created, changed]) {
      assertInvalid(answer);
      const message = 'must not begin or end with a space';
      assert.deepEqual(answer.body.errors, [{ field: 'customerId', message }]);
    }
  }
  const { data } = await admin.call(updateUser, { params: { userId: user.id }, body: { customerId: null } });
  assert.equal(data.customerId, null);
});

test('every wrong field of a user to be created is named', async () => {
  const wrong = { ...draftOf({}), role: 'king', permissions: ['Bad Permission'] };
  assert.equal((await admin.raw('POST', USERS, wrong)).body.errors?.length, 2);
});

test('a user created without a password can sign in only after a reset', async () => {
  const signIn = (email: string) =>
    client.attempt(signInOperation, { body: { email, password: PASSWORD, platform: 'web' } });
  const withOne = await create({ password: PASSWORD });
  assert.equal((await signIn(withOne.email)).status, 200);
  const without = await create();
  assertRefused(await signIn(without.email), authenticationFailed);
});

test('updating a user changes only the given fields', async () => {
  const user = await create();
  const changes = {
    customerId: `C-${user.id}`,
    educator_title: 'Head trader',
    skills: ['options'],
    email: newEmail(),
    role: 'admin',
    permissions: ['admin'],
    id: 'x',
  };
  const updated = await admin.call(updateUser, { params: { userId: user.id }, body: changes });
  assert.equal(updated.status, 200);
  const { updatedAt: _, ...expected } = {
    ...user,
    customerId: changes.customerId,
    email: changes.email,
    educator_title: 'Head trader',
    skills: ['options'],
  };
  const { updatedAt: __, ...actual } = updated.data;
  assert.deepEqual(actual, expected);
  await admin.call(updateUser, { params: { userId: user.id }, body: { educator_bio: 'Since 1999' } });
  const { data } = await admin.call(getUser, { params: { userId: user.id } });
  assert.deepEqual([data.educator_title, data.educator_bio], ['Head trader', 'Since 1999']);
  const listed = await admin.call(listUsersAsAdmin, { query: { search: changes.email.slice(0, 12) } });
  assert.equal(listed.data[0]?.id, user.id);
  for (const list of [listUsersAsAdmin, listUsers]) {
    const found = await admin.call(list, { query: { search: ` ${user.id.toUpperCase()} ` } });
    assert.deepEqual([found.data.length, found.data[0]?.id], [1, user.id], 'a user is found by id');
  }
  assertRefused(
    await admin.attempt(updateUser, { params: { userId: user.id }, body: { email: 'admin@example.com' } }),
    emailTaken,
  );
  assertRefused(
    await admin.raw('PUT', `${USERS}/${'f'.repeat(24)}`, { isActive: 5 }),
    userNotFound,
    '404 before 422',
  );
  assertRefused(await admin.attempt(updateUser, { params: { userId: 'nobody' }, body: {} }), invalidUserId);
});

test('an update of a user that changes nothing writes nothing', async () => {
  const user = await create({ role: 'educator' });
  platform.clock.advance(60_000);
  const { email, firstName, username, isActive } = user;
  for (const body of [{}, { email }, { email: email.toUpperCase(), firstName, username, isActive }]) {
    const { data } = await admin.call(updateUser, { params: { userId: user.id }, body });
    assert.equal(data.updatedAt, user.updatedAt, JSON.stringify(body));
  }
  const { data: log } = await admin.call(listAudit, { query: { target: user.id } });
  assert.deepEqual(
    log.map(({ action }) => action),
    ['user.created'],
  );
});

test('deactivating a user ends their sessions; deleting erases the person, keeps the id and frees the e-mail', async () => {
  const ada = await platform.newMemberWith(5);
  await admin.call(updateUser, { params: { userId: ada.id }, body: { isActive: false } });
  assertRefused(await ada.client.attempt(getProfile), accountInactive);
  await admin.call(updateUser, { params: { userId: ada.id }, body: { isActive: true } });
  assertRefused(await ada.client.attempt(getProfile), invalidToken, 'the old session does not come back');
  const deletion = { params: { userId: ada.id }, body: { remainingKeys: 'forfeit' } } as const;
  assert.equal((await admin.call(deleteUser, deletion)).status, 200);
  assertRefused(await admin.attempt(getUser, { params: { userId: ada.id } }), userNotFound);
  assertRefused(await admin.attempt(deleteUser, { params: { userId: ada.id } }), userNotFound);
  const rows = await platform.database.all('select * from identity.user where id = $1', [ada.id]);
  assert.ok(!JSON.stringify(rows).includes(ada.email));
  await create({ email: ada.email });
  const refusal = await admin.attempt(createWalletAsAdmin, { body: { userId: ada.id } });
  assertRefused(refusal, userNotFound);
});

test('the placeholder name of a deleted user cannot be registered beforehand', async () => {
  const ada = await platform.newMember();
  for (const name of [`deleted-${ada.id}`, `deleted.${ada.id}`]) {
    await create({ email: `${name}@example.com`, username: name });
  }
  assertInvalid(await tryToCreate({ username: `deleted:${ada.id}` }));
  assert.equal((await admin.call(deleteUser, { params: { userId: ada.id } })).status, 200);
});

test('the last active administrator cannot be demoted, deactivated or deleted, even concurrently', async () => {
  const params = { userId: platform.adminId };
  const attempts: (() => Promise<Answer>)[] = [
    () => admin.attempt(updateUser, { params, body: { isActive: false } }),
    () => admin.attempt(deleteUser, { params }),
    () => admin.attempt(unassignPermissions, { params, body: { permissions: ['admin'] } }),
    () => admin.attempt(replacePermissions, { params, body: { permissions: [] } }),
  ];
  for (const { status, body } of await Promise.all(attempts.map((one) => untilAvailable<Answer>(one)))) {
    assert.deepEqual([status, body.error], [409, 'LAST_ADMINISTRATOR']);
  }
  const other = await create({ role: 'admin', password: PASSWORD });
  const demote = (id: string) =>
    untilAvailable(() =>
      admin.attempt(unassignPermissions, { params: { userId: id }, body: { permissions: ['admin'] } }),
    );
  const both = await Promise.all([demote(other.id), demote(platform.adminId)]);
  const statuses = both.map(({ status }) => status);
  assert.ok(statuses.includes(200) && (statuses.includes(409) || statuses.includes(403)), statuses.join());
  const rows = await platform.database.all(
    "select count(*) from identity.user where is_active and 'admin' = any(permissions)",
  );
  assert.equal(rows[0]?.count, 1);
  await platform.database.execute("update identity.user set permissions = array['admin'] where id = $1", [
    platform.adminId,
  ]);
});

test('a member may be deleted even if there is no active administrator, since they are none', async () => {
  const ada = await platform.newMember();
  const setActive = (isActive: boolean) =>
    platform.database.execute('update identity.user set is_active = $2 where id = $1', [
      platform.adminId,
      isActive,
    ]);
  await setActive(false);
  const own = await ada.client.attempt(deleteOwnAccount, { body: { password: PASSWORD } });
  await setActive(true);
  assert.equal(own.status, 200);
});

test('administrative actions are written to an immutable audit log', async () => {
  const user = await create({ password: PASSWORD });
  await admin.call(updateUser, { params: { userId: user.id }, body: { firstName: 'Augusta' } });
  await admin.call(assignPermissions, { params: { userId: user.id }, body: { permissions: ['educator'] } });
  const credentials = { email: user.email, password: PASSWORD, platform: 'web' } as const;
  await client.call(signInOperation, { body: credentials });
  await admin.call(endSessionsOfUser, { params: { userId: user.id } });
  // Read before the deletion, which takes names out of it.
  const filtered = await admin.call(listAudit, { query: { target: user.id, action: 'user.updated' } });
  assert.deepEqual(
    filtered.data.map(({ changes, details }) => [changes, details]),
    [[{ firstName: ['Ada', 'Augusta'] }, {}]],
  );
  await admin.call(deleteUser, { params: { userId: user.id } });
  const { data, body } = await admin.call(listAudit, { query: { target: user.id } });
  const actions = data.map(({ action }: { action: string }) => action);
  assert.deepEqual(actions, [
    'user.deleted',
    'user.sessions-ended',
    'user.permissions-changed',
    'user.updated',
    'user.created',
  ]);
  assert.equal(body.pagination.total, 5);
  assert.deepEqual([data[0]?.actor, data[0]?.actorEmail], [platform.adminId, 'admin@example.com']);
});

test('an administrator sets and clears the badge, the links and all other fields of an educator', async () => {
  const user = await create({ role: 'educator' });
  const fields = {
    educator_title: 'Head trader',
    educator_bio: 'Since 1999',
    banner_image: 'https://cdn.example.com/banner.png',
    profileImage: 'https://cdn.example.com/ada.png',
    rankBadgeUrl: 'https://cdn.example.com/gold.png',
    specialty: 'Futures',
    skills: ['Risk'],
    socials: { website: 'https://ada.example.com', youtube: 'https://youtube.com/@ada' },
  };
  const { status, body, data } = await admin.call(updateUser, { params: { userId: user.id }, body: fields });
  assert.deepEqual([status, body.meta.ignored], [200, undefined]);
  for (const shown of [
    data,
    (await admin.call(getUser, { params: { userId: user.id } })).data,
    (await admin.call(getEducator, { params: { educatorId: user.id } })).data,
  ])
    assert.deepEqual({ ...shown, ...fields }, shown);
  const taken = await admin.call(updateUser, {
    params: { userId: user.id },
    body: {
      rankBadgeUrl: null,
      banner_image: null,
      socials: {},
    },
  });
  assert.deepEqual(
    [taken.data.rankBadgeUrl, taken.data.banner_image, taken.data.socials, taken.data.specialty],
    [null, null, {}, 'Futures'],
  );
  for (const wrong of [
    { socials: { myspace: 'https://myspace.com/ada' } },
    { socials: { website: 'javascript:alert(1)' } },
    { rankBadgeUrl: 'gold' },
  ])
    assertInvalid(
      await admin.attempt(updateUser, { params: { userId: user.id }, body: wrong }),
      JSON.stringify(wrong),
    );
});
