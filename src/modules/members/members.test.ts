import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { userNotFound } from '../identity/contract.ts';

const platform = await startPlatform();
const [ada, grace, alan] = await Promise.all([
  platform.newMember(),
  platform.newMember(),
  platform.newMember(),
]);
const UNKNOWN = 'f'.repeat(24);
const idsOf = async (asked: string[]): Promise<string[]> =>
  (await ada.client.get(`/v1/members?ids=${asked.join(',')}`)).data.map(({ id }: { id: string }) => id);

test('members are returned in the order of the ids, each once, without unknown ones', async () => {
  assert.deepEqual(await idsOf([alan.id, ada.id, UNKNOWN, alan.id, grace.id]), [alan.id, ada.id, grace.id]);
});

test('a member is shown by name, username, picture and role, and by nothing else', async () => {
  await platform.admin.put(`/v1/admin/auth/users/${grace.id}`, {
    firstName: 'Grace',
    lastName: 'Hopper',
    username: 'grace_h',
    profileImage: 'https://cdn.example.com/grace.jpg',
  });
  await platform.admin.post(`/v1/user/${grace.id}/permissions/assign`, { permissions: ['educator'] });
  const expected = {
    id: grace.id,
    name: 'Grace Hopper',
    username: 'grace_h',
    avatar: 'https://cdn.example.com/grace.jpg',
    isEducator: true,
  };
  assert.deepEqual((await ada.client.get(`/v1/members/${grace.id}`)).data, expected);
  assert.deepEqual((await ada.client.get(`/v1/members?ids=${grace.id}`)).data, [expected]);
});

test('blocks hide members from each other, in either direction, until they are lifted', async () => {
  await ada.client.put(`/v1/blocks/${alan.id}`);
  assert.deepEqual(await idsOf([alan.id, grace.id]), [grace.id]);
  assertRefused(await ada.client.get(`/v1/members/${alan.id}`), userNotFound);
  assertRefused(await alan.client.get(`/v1/members/${ada.id}`), userNotFound);
  assert.equal((await grace.client.get(`/v1/members/${alan.id}`)).status, 200);
  await ada.client.delete(`/v1/blocks/${alan.id}`);
  assert.deepEqual(await idsOf([alan.id]), [alan.id]);
});

test('deleted members are absent', async () => {
  const leaving = await platform.newMember();
  await platform.admin.delete(`/v1/admin/auth/users/${leaving.id}`);
  assert.deepEqual(await idsOf([leaving.id, grace.id]), [grace.id]);
  assertRefused(await ada.client.get(`/v1/members/${leaving.id}`), userNotFound);
});

test('a hundred ids can be asked for; more, none or malformed ones are refused', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => at.toString(16).padStart(24, '0'));
  assert.deepEqual(await idsOf(many(100)), []);
  for (const ids of [many(101).join(','), `${ada.id},`, 'me', `${ada.id};${grace.id}`])
    assert.equal((await ada.client.get(`/v1/members?ids=${ids}`)).status, 422, ids.slice(0, 30));
  assert.equal((await ada.client.get('/v1/members')).status, 422);
  assert.equal((await ada.client.get('/v1/members/me')).body.error, 'INVALID_ID');
});
