import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  assignPermissions,
  countPermission,
  createUser,
  getPermissionDistribution,
  getPermissionDistributionAsAdmin,
  getPermissions,
  getUser,
  listAudit,
  listUsers,
  replacePermissions,
  type TypesOf,
  unassignPermissions,
} from '../../../../sdk/src/index.ts';
import { newEmail } from '../../../../test/support/client.ts';
import { INTERNAL_KEY, startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { userNotFound } from '../contract.ts';
import { permissionsChanged } from './permissions.operations.ts';

const platform = await startPlatform();
const { admin, client, database } = platform;
const service = client.with({ 'x-internal-api-key': INTERNAL_KEY });

test('permissions that are assigned, unassigned or replaced apply from the next request on', async () => {
  const ada = await platform.newMember();
  const assigned = await admin.call(assignPermissions, {
    params: { userId: ada.id },
    body: {
      permissions: ['educator', 'read_courses', 'educator'],
    },
  });
  assert.deepEqual(
    [assigned.status, assigned.data],
    [200, { userId: ada.id, permissions: ['educator', 'read_courses'] }],
  );
  const unassigned = await admin.call(unassignPermissions, {
    params: { userId: ada.id },
    body: { permissions: ['educator', 'never_had'] },
  });
  assert.deepEqual(unassigned.data.permissions, ['read_courses']);
  const replaced = await admin.call(replacePermissions, {
    params: { userId: ada.id },
    body: { permissions: ['read_users', 'x:new.one-2'] },
  });
  assert.deepEqual(replaced.data.permissions, ['read_users', 'x:new.one-2']);
  assert.deepEqual((await ada.client.call(getPermissions, { params: { userId: ada.id } })).data, {
    permissions: ['read_users', 'x:new.one-2'],
  });
  assert.equal((await ada.client.call(listUsers)).status, 200);
  await admin.call(replacePermissions, { params: { userId: ada.id }, body: { permissions: [] } });
  assertRefused(await ada.client.attempt(listUsers), insufficientPermissions);
});

test('permissions are replaced only if they are those that the caller expects, in any order', async () => {
  const params = { userId: (await platform.newMember()).id };
  const replace = (permissions: string[], expected?: string[]) =>
    admin.attempt(replacePermissions, { params, body: { permissions, ...(expected && { expected }) } });
  await admin.call(assignPermissions, { params, body: { permissions: ['educator', 'read_users'] } });
  assertRefused(await replace(['moderator'], ['educator']), () =>
    permissionsChanged(['educator', 'read_users']),
  );
  assert.equal((await replace(['moderator'], ['read_users', 'educator'])).status, 200);
  assert.equal((await replace(['moderator'], ['read_users', 'educator'])).status, 200, 'repeated');
  const both = await Promise.all([replace(['admin'], ['moderator']), replace(['educator'], ['moderator'])]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409], 'of two at once, one is made');
  assert.equal((await replace([])).status, 200, 'without an expectation');
});

test('permissions are read by their user and administrators, and changed by administrators only', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  assertRefused(
    await ada.client.attempt(getPermissions, { params: { userId: ben.id } }),
    insufficientPermissions,
  );
  assert.equal(
    (await client.attempt(getPermissions, { params: { userId: ben.id } })).body.message,
    'No token provided',
  );
  const distribution = await client.attempt(getPermissionDistributionAsAdmin);
  assert.deepEqual([distribution.status, distribution.body.message], [401, 'No token provided']);
  assert.equal((await service.call(getPermissions, { params: { userId: ben.id } })).status, 200);
  const wrongKey = client.with({ 'x-internal-api-key': `${INTERNAL_KEY}x` });
  assert.equal((await wrongKey.attempt(getPermissions, { params: { userId: ben.id } })).status, 401);
  assertRefused(await service.attempt(getPermissions, { params: { userId: 'f'.repeat(24) } }), userNotFound);

  await admin.call(replacePermissions, {
    params: { userId: ada.id },
    body: { permissions: ['write_users'] },
  });
  const give = (permissions: string[]) =>
    ada.client.attempt(assignPermissions, { params: { userId: ben.id }, body: { permissions } });
  assert.equal((await give(['educator'])).status, 200);
  assertRefused(
    await give(['admin']),
    insufficientPermissions,
    'only administrators and services give admin',
  );
  assertRefused(
    await ada.client.attempt(replacePermissions, {
      params: { userId: platform.adminId },
      body: { permissions: [] },
    }),
    insufficientPermissions,
    'or take it',
  );
  assert.equal(
    (await service.call(assignPermissions, { params: { userId: ben.id }, body: { permissions: ['admin'] } }))
      .status,
    200,
  );
  assert.equal(
    (
      await service.call(unassignPermissions, {
        params: { userId: ben.id },
        body: { permissions: ['admin'] },
      })
    ).status,
    200,
  );
});

test('permission names are validated for length and characters', async () => {
  const ada = await platform.newMember();
  for (const permissions of [
    ['Big'],
    ['a b'],
    [''],
    ['x'.repeat(65)],
    'educator',
    [5],
    ["a'; drop table"],
    Array(101).fill('a'),
  ]) {
    assertInvalid(
      await admin.raw('PUT', `/v1/user/${ada.id}/permissions`, { permissions }),
      JSON.stringify(permissions),
    );
  }
  assert.equal((await admin.attempt(countPermission, { params: { permission: 'BAD!' } })).status, 400);
});

test('permission counts agree with the users after concurrent changes', async () => {
  const members = await Promise.all(Array.from({ length: 4 }, () => platform.newMember()));
  const word = fc.constantFrom('educator', 'moderator', 'read_users', 'p1', 'p2');
  const change = fc.record({ who: fc.nat({ max: 3 }), permissions: fc.array(word, { maxLength: 4 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      await Promise.all(
        changes.map(({ who, permissions }) =>
          service.attempt(replacePermissions, {
            params: { userId: members[who]?.id as string },
            body: { permissions },
          }),
        ),
      );
      const rows = await database.all(
        'select unnest(permissions) as name, count(*) from identity.user group by 1',
      );
      const expected = Object.fromEntries(rows.map(({ name, count }) => [name, count]));
      assert.deepEqual((await service.call(getPermissionDistribution)).data, expected);
      assert.deepEqual((await admin.call(getPermissionDistributionAsAdmin)).data, expected);
      const { data } = await admin.call(countPermission, { params: { permission: 'educator' } });
      assert.deepEqual(data, { count: expected.educator ?? 0 });
    }),
    { numRuns: 15 },
  );
});

test('the distribution has the thousand permissions that most users hold, and says when there are more', async () => {
  const { message, data } = (await admin.call(getPermissionDistribution)).body;
  assert.equal(message, 'OK');
  await database.execute(
    `insert into identity.permission_count (permission, users)
     select 'many.' || n, case when n = 1 then 1 else 2 end from generate_series(1, 1001) n`,
  );
  for (const operation of [getPermissionDistribution, getPermissionDistributionAsAdmin]) {
    const cut = (await admin.call(operation)).body;
    assert.equal(Object.keys(cut.data).length, 1000);
    assert.equal(cut.data['many.1'], undefined);
    assert.equal(cut.message, 'The 1,000 permissions that most users hold; there are more');
  }
  await database.execute(`delete from identity.permission_count where permission like 'many.%'`);
  assert.deepEqual((await admin.call(getPermissionDistribution)).data, data);
});

test('users are found by part of name or e-mail, and by any of several permissions', async () => {
  const mark = `zed${Date.now()}`;
  const create = (email: string, firstName: string, permissions: string[]) =>
    admin.call(createUser, { body: { email, firstName, lastName: 'Searched', permissions } });
  await create(`${mark}@example.com`, 'One', ['s1']);
  await create(`two.${mark}@example.com`, `Two_${mark}`, ['s2', 's1']);
  await create(`three@${mark}.example.com`, `100%${mark}`, ['s3']);
  const found = async (query: TypesOf<typeof listUsers>['query']) => {
    const { data } = await admin.call(listUsers, { query });
    return data.map(({ firstName }) => firstName.slice(0, 3));
  };
  assert.deepEqual(await found({ search: mark.toUpperCase() }), ['100', 'Two', 'One']);
  assert.deepEqual(await found({ search: `two.${mark}` }), ['Two']);
  assert.deepEqual(await found({ search: `  two.${mark}@EXAMPLE.com ` }), ['Two'], 'a copied address');
  assert.deepEqual(await found({ search: ' ' }), []);
  assert.deepEqual(await found({ search: `%${mark}` }), ['100'], '% is a character like others');
  assert.deepEqual(await found({ search: 'Searched', permissions: 's2,s3' }), ['100', 'Two']);
  assert.deepEqual(
    await found({ search: 'sE', permissions: 's3' }),
    ['100'],
    'two letters that begin a name',
  );
  assert.deepEqual(await found({ search: 'ed', permissions: 's3' }), [], 'and two within one');
  assert.deepEqual(await found({ permissions: 's1, s2' }), ['Two', 'One']);
  const paged = await admin.call(listUsers, { query: { search: mark, limit: 2, page: 2 } });
  assert.deepEqual(paged.body.pagination, { page: 2, limit: 2, total: 3, pages: 2, totalIsExact: true });
  assertInvalid(await admin.attempt(listUsers, { query: { permissions: 'BAD' } }));
});

test('a user holds at most as many permissions as one request can name', async () => {
  const params = { userId: (await platform.newMember()).id };
  const names = (count: number, prefix = 'p') => Array.from({ length: count }, (_, place) => prefix + place);
  const assign = (permissions: string[]) =>
    admin.attempt(assignPermissions, { params, body: { permissions } });
  assert.equal((await assign(names(60))).status, 200);
  const both = await Promise.all([assign(names(40, 'q')), assign(names(40, 'r'))]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 422], 'of two at once, one fits');
  const refused = both.find(({ status }) => status === 422);
  assert.deepEqual(refused?.body.errors, [
    { field: 'permissions', message: 'would leave the user with more than 100' },
  ]);
  assert.equal((await assign(names(60))).status, 200, 'those that the user has');
  await database.execute(
    `update identity.user set permissions = permissions || '{old_1,old_2}'::text[] where id = $1`,
    [params.userId],
  );
  assert.equal((await assign(['one_more'])).status, 422);
  const fewer = await admin.call(unassignPermissions, { params, body: { permissions: ['old_1'] } });
  assert.equal(fewer.data.permissions.length, 101, 'who has more than that may lose some');
  const draft = { email: newEmail(), firstName: 'Ada', lastName: 'Lovelace', permissions: names(100) };
  assertInvalid(
    await admin.attempt(createUser, { body: { ...draft, role: 'educator' } }),
    'with that of a role',
  );
  const body = { permissions: ['educator'] };
  assert.deepEqual((await admin.call(replacePermissions, { params, body })).data.permissions, ['educator']);
});

test('permissions that stay as they are write nothing', async () => {
  const { id } = await platform.newMember();
  const params = { userId: id };
  const assigned = await admin.call(assignPermissions, { params, body: { permissions: ['educator'] } });
  const { updatedAt } = (await admin.call(getUser, { params })).data;
  platform.clock.advance(60_000);
  for (const [operation, permissions] of [
    [assignPermissions, []],
    [assignPermissions, ['educator']],
    [unassignPermissions, ['never_had']],
    [replacePermissions, ['educator']],
  ] as const)
    assert.deepEqual(
      (await admin.call(operation, { params, body: { permissions: [...permissions] } })).data,
      assigned.data,
    );
  assert.equal((await admin.call(getUser, { params })).data.updatedAt, updatedAt);
  const { data: log } = await admin.call(listAudit, { query: { target: id } });
  assert.deepEqual(
    log.map(({ action, changes }) => [action, changes]),
    [['user.permissions-changed', { permissions: [[], ['educator']] }]],
  );
});
