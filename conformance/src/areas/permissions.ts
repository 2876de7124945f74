import type { Area } from '../cases.ts';

const SECTION = 'part 1, "Permissions"';
const NOBODY = 'f'.repeat(24);

export const permissions: Area = {
  name: 'permissions',
  cases: [
    {
      title: 'members read their own permissions and nobody else’s',
      section: 'decisions, "Sign-in"',
      run: async (trial) => {
        const [ada, ben] = [await trial.at.member('ada'), await trial.at.member('ben')];
        const own = trial.accepted(await trial.get(ada, `/v1/user/${ada.id}/permissions`), 200);
        trial.shape(own, { permissions: 'array' });
        trial.refused(
          await trial.get(ada, `/v1/user/${ben.id}/permissions`),
          403,
          undefined,
          'Insufficient permissions',
        );
        const none = await trial.get(trial.at.key, `/v1/user/${ada.id}/permissions`);
        trial.refused(none, 401, undefined, 'No token provided');
        for (const operation of ['assign', 'unassign']) {
          const path = `/v1/user/${ada.id}/permissions/${operation}`;
          trial.refused(await trial.post(ada, path, { permissions: ['admin'] }), 403);
        }
        trial.refused(
          await trial.put(ada, `/v1/user/${ada.id}/permissions`, { permissions: ['admin'] }),
          403,
        );
      },
    },
    {
      title: 'permissions are added, taken and replaced, and hold from the next request on',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const member = await trial.at.newMember();
        const path = `/v1/user/${member.id}/permissions`;
        const now = async () => trial.accepted(await trial.get(member, path), 200).permissions.sort();
        trial.refused(await trial.get(member, '/v1/user'), 403);
        const assigned = await trial.post(trial.at.admin, `${path}/assign`, {
          permissions: ['read_users', 'moderator'],
        });
        trial.equal(trial.accepted(assigned, 200).userId, member.id, '"userId"');
        trial.equal(await now(), ['moderator', 'read_users'], 'the permissions');
        trial.accepted(await trial.get(member, '/v1/user'), 200);
        await trial.post(trial.at.admin, `${path}/assign`, { permissions: ['read_users'] });
        trial.equal(await now(), ['moderator', 'read_users'], 'the permissions, given twice');
        trial.accepted(
          await trial.post(trial.at.admin, `${path}/unassign`, { permissions: ['read_users'] }),
          200,
        );
        trial.equal(await now(), ['moderator'], 'the permissions');
        trial.refused(await trial.get(member, '/v1/user'), 403);
        trial.accepted(await trial.put(trial.at.admin, path, { permissions: ['write_courses'] }), 200);
        trial.equal(await now(), ['write_courses'], 'the permissions');
        trial.accepted(await trial.put(trial.at.admin, path, { permissions: [] }), 200);
        trial.equal(await now(), [], 'the permissions');
        trial.refused(await trial.put(trial.at.admin, path, { permissions: 'admin' }), 422);
      },
    },
    {
      title: 'holders of write_users change permissions, but not that of administrators',
      section: 'decisions, "Sign-in"',
      needs: ['administrator'],
      run: async (trial) => {
        const [support, other] = [await trial.at.newMember(), await trial.at.newMember()];
        const granted = { permissions: ['write_users'] };
        await trial.post(trial.at.admin, `/v1/user/${support.id}/permissions/assign`, granted);
        const path = `/v1/user/${other.id}/permissions/assign`;
        trial.accepted(await trial.post(support, path, { permissions: ['educator'] }), 200);
        trial.refused(await trial.post(support, path, { permissions: ['admin'] }), 403);
      },
    },
    {
      title: 'permissions are counted',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        await trial.at.educator();
        const counts = trial.accepted(
          await trial.get(trial.at.admin, '/v1/user/permissions/distribution'),
          200,
        );
        trial.ok(counts.educator >= 1, 'there is no educator in the distribution');
        const twin = await trial.get(trial.at.admin, '/v1/admin/auth/users/permissions/distribution');
        trial.equal(Object.keys(trial.accepted(twin, 200)).sort(), Object.keys(counts).sort(), 'the twin');
        const one = trial.accepted(
          await trial.get(trial.at.admin, '/v1/user/permissions/educator/count'),
          200,
        );
        trial.ok(Number.isInteger(one.count) && one.count >= 1, 'the count of educators');
      },
    },
    {
      title: 'users are listed ten a page, by name, address and permission',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const educator = await trial.at.educator();
        const all = await trial.get(trial.at.admin, '/v1/user');
        trial.equal(trial.accepted(all, 200) && all.body.pagination.limit, 10, '"limit"');
        for (const query of [
          `search=${educator.email}`,
          `search=${educator.email}&permissions=educator,moderator`,
        ]) {
          const { body } = await trial.get(trial.at.admin, `/v1/user?${query}`);
          trial.equal(
            body.data.map(({ id }: { id: string }) => id),
            [educator.id],
            query,
          );
        }
        const none = await trial.get(
          trial.at.admin,
          `/v1/user?search=${educator.email}&permissions=moderator`,
        );
        trial.equal([none.body.data, none.body.pagination.pages], [[], 0], 'an empty list');
        trial.refused(
          await trial.get(trial.at.admin, `/v1/user/${NOBODY}/permissions`),
          404,
          undefined,
          'User not found',
        );
      },
    },
  ],
};
