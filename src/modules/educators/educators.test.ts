import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  createAnnouncement,
  deleteUser,
  followEducator,
  getAnnouncementFeed,
  getEducator,
  getEducatorChatroom,
  getFollowStatus,
  joinEducatorChatroom,
  listAnnouncementComments,
  listAnnouncements,
  listEducators,
  listFollowedEducators,
  listStories,
  subscribeToEducator,
  unassignPermissions,
  unfollowEducator,
  unsubscribeFromEducator,
} from '../../../sdk/src/index.ts';
import type { Answer } from '../../../test/support/client.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { invalidId } from '../../kernel/failures.ts';
import { notEducator } from '../identity/contract.ts';
import { educatorNotFound } from './contract.ts';

const platform = await startPlatform();
const { admin } = platform;
const [ben, cat] = [await platform.newMember(), await platform.newMember()];
const { client } = ben;

const OF_EDUCATOR: [string, (educatorId: string) => Promise<Answer>][] = [
  ['read', (educatorId) => client.attempt(getEducator, { params: { educatorId } })],
  ['follow status', (educatorId) => client.attempt(getFollowStatus, { params: { educatorId } })],
  ['announcements', (educatorId) => client.attempt(listAnnouncements, { params: { educatorId } })],
  ['stories', (educatorId) => client.attempt(listStories, { params: { educatorId } })],
  ['chatroom', (educatorId) => client.attempt(getEducatorChatroom, { params: { educatorId } })],
  ['follow', (educatorId) => client.attempt(followEducator, { params: { educatorId } })],
  ['join', (educatorId) => client.attempt(joinEducatorChatroom, { params: { educatorId } })],
  ['tip', (educatorId) => client.raw('POST', `/v1/educators/${educatorId}/tip`, {})],
  ['subscribe', (educatorId) => client.attempt(subscribeToEducator, { params: { educatorId } })],
  ['unsubscribe', (educatorId) => client.attempt(unsubscribeFromEducator, { params: { educatorId } })],
];

test('operations of educators distinguish malformed ids, unknown users and other members', async () => {
  for (const [what, ask] of OF_EDUCATOR) {
    assertRefused(await ask('nonsense'), invalidId('educator'), what);
    assertRefused(await ask('f'.repeat(24)), educatorNotFound, what);
    assertRefused(await ask(cat.id), notEducator, what);
  }
});

test('an educator without the permission disappears at once and returns with it', async () => {
  const dan = await newEducator(platform);
  const params = { educatorId: dan.id };
  await client.call(followEducator, { params });
  const { data: published } = await dan.client.call(createAnnouncement, {
    params,
    body: { title: 'Hi', content: 'All.' },
  });
  const comments = { params: { announcementId: published.id } };
  const lists = async (): Promise<boolean[]> => [
    (await client.call(listEducators, { query: { limit: 50 } })).data.some(({ id }) => id === dan.id),
    (await client.call(listFollowedEducators)).data.some(({ id }) => id === dan.id),
    (await client.call(getAnnouncementFeed)).data.some(({ educatorId }) => educatorId === dan.id),
    (await client.attempt(listAnnouncementComments, comments)).status === 200,
  ];
  const permission = { params: { userId: dan.id }, body: { permissions: ['educator' as const] } };
  assert.deepEqual(await lists(), [true, true, true, true]);
  await admin.call(unassignPermissions, permission);
  assert.deepEqual(await lists(), [false, false, false, false]);
  assertRefused(await client.attempt(getEducator, { params }), notEducator);
  await admin.call(assignPermissions, permission);
  assert.deepEqual(await lists(), [true, true, true, true]);
});

test('a former educator can be unfollowed', async () => {
  const dan = await newEducator(platform);
  const params = { educatorId: dan.id };
  await client.call(followEducator, { params });
  await admin.call(unassignPermissions, {
    params: { userId: dan.id },
    body: { permissions: ['educator'] },
  });
  assert.equal((await client.call(unfollowEducator, { params })).data.isFollowing, false);
});

test('an educator whose account was deleted is not found', async () => {
  const dan = await newEducator(platform);
  await admin.call(deleteUser, { params: { userId: dan.id } });
  assertRefused(await client.attempt(getEducator, { params: { educatorId: dan.id } }), educatorNotFound);
});

test('the repair job restores a changed copy of a user', async () => {
  const dan = await newEducator(platform);
  await platform.database.execute(`update educators.educator set first_name = 'Wrong' where id = $1`, [
    dan.id,
  ]);
  await platform.platform.runJob('educators.rebuild');
  const { data } = await client.call(getEducator, { params: { educatorId: dan.id } });
  assert.equal(data.firstName, 'Test');
});
