import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createUserDeprecated,
  deleteUserDeprecated,
  getPermissionDistributionAsAdminDeprecated,
  getUser,
  getUserDeprecated,
  listUsersAsAdminDeprecated,
  updateUserDeprecated,
} from '../../../../sdk/src/index.ts';
import { type Answer, newEmail } from '../../../../test/support/client.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { userNotFound } from '../contract.ts';

const platform = await startPlatform();
const { admin, client } = platform;
const USERS = '/v1/admin/auth/users';
const OLD = '/v1/admin/users';

test('the deprecated path answers like its successor and names it in a header', async () => {
  const draft = { firstName: 'Ada', lastName: 'Lovelace', email: newEmail() };
  const made = await admin.call(createUserDeprecated, { body: draft });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id } = made.data;
  const linkOf = ({ headers }: Pick<Answer, 'headers'>) => [headers.get('deprecation'), headers.get('link')];
  const deprecation = '@1735689600';
  assert.deepEqual(linkOf(made), [deprecation, `<${USERS}>; rel="successor-version"`]);
  const ofUser = [deprecation, `<${USERS}/${id}>; rel="successor-version"`];
  const changed = await admin.call(updateUserDeprecated, {
    params: { userId: id },
    body: { specialty: 'Futures' },
  });
  const listed = await admin.call(listUsersAsAdminDeprecated, { query: { search: id } });
  const [read, asNow] = [
    await admin.call(getUserDeprecated, { params: { userId: id } }),
    await admin.call(getUser, { params: { userId: id } }),
  ];
  const row = { ...asNow.data, balance: null, lastSeenAt: null, skus: [] };
  assert.deepEqual([changed.data, listed.data, read.data], [asNow.data, [row], asNow.data]);
  assert.deepEqual([linkOf(changed), linkOf(read)], [ofUser, ofUser]);
  assert.deepEqual([asNow.headers.get('deprecation'), asNow.headers.get('link')], [null, null]);
  for (const [path, links] of [
    [OLD, linkOf(made)],
    [`${OLD}/${id}`, ofUser],
  ] as const) {
    const wrong = await admin.raw('PATCH', path, {});
    assert.deepEqual([wrong.status, linkOf(wrong)], [405, links], path);
  }
  const counted = await admin.call(getPermissionDistributionAsAdminDeprecated);
  assert.deepEqual(linkOf(counted), [
    deprecation,
    `<${USERS}/permissions/distribution>; rel="successor-version"`,
  ]);
  const refused = await client.attempt(getUserDeprecated, { params: { userId: id } });
  assert.deepEqual([refused.status, linkOf(refused)], [401, ofUser]);
  assert.equal((await admin.call(deleteUserDeprecated, { params: { userId: id } })).status, 200);
  assertRefused(await admin.attempt(getUser, { params: { userId: id } }), userNotFound);
});

test('the description marks the operations of the deprecated path', async () => {
  interface Description {
    paths: Record<string, Record<string, { deprecated?: boolean }>>;
  }
  const response = await fetch(`${platform.url}/openapi.json`);
  const { paths } = (await response.json()) as Description;
  for (const [path, methods] of [
    [OLD, ['get', 'post']],
    [`${OLD}/{userId}`, ['get', 'put', 'delete']],
  ] as const)
    for (const method of methods) {
      assert.equal(paths[path]?.[method]?.deprecated, true);
      const successor = paths[path.replace(OLD, USERS)]?.[method];
      assert.ok(successor && !successor.deprecated);
    }
});
