import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  blockMember,
  createCourse,
  createStory,
  deleteUser,
  followEducator,
  getEducator,
  getLeaderboards,
  getMember,
  getProfile,
  getStoryFeed,
  getUser,
  listBlocks,
  listMembers,
  listSentTips,
  muteUser,
  tipEducator,
  unblockMember,
  updateUser,
} from '../../../sdk/src/index.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { invalidId } from '../../kernel/failures.ts';
import { userNotFound } from '../identity/contract.ts';

const platform = await startPlatform();
const [ada, grace, alan] = await Promise.all([
  platform.newMember(),
  platform.newMember(),
  platform.newMember(),
]);
const UNKNOWN = 'f'.repeat(24);
const idsOf = async (asked: string[]): Promise<string[]> =>
  (await ada.client.call(listMembers, { query: { ids: asked.join(',') } })).data.map(({ id }) => id);
const lookUp = ({ client }: typeof ada, id: string) => client.attempt(getMember, { params: { id } });

test('members are returned in the order of the ids, each once, without unknown ones', async () => {
  assert.deepEqual(await idsOf([alan.id, ada.id, UNKNOWN, alan.id, grace.id]), [alan.id, ada.id, grace.id]);
});

test('a member is shown by name, username, picture and role, and by nothing else', async () => {
  const params = { userId: grace.id };
  await platform.admin.call(updateUser, {
    params,
    body: {
      firstName: 'Grace',
      lastName: 'Hopper',
      username: 'grace_h',
      profileImage: 'https://cdn.example.com/grace.jpg',
    },
  });
  await platform.admin.call(assignPermissions, { params, body: { permissions: ['educator'] } });
  const expected = {
    id: grace.id,
    name: 'Grace Hopper',
    username: 'grace_h',
    avatar: 'https://cdn.example.com/grace.jpg',
    isEducator: true,
  };
  assert.deepEqual((await ada.client.call(getMember, { params: { id: grace.id } })).data, expected);
  assert.deepEqual((await ada.client.call(listMembers, { query: { ids: grace.id } })).data, [expected]);
});

test('only administrators and moderators are told until when somebody is muted everywhere', async () => {
  const eve = await platform.newMember();
  const params = { userId: eve.id };
  await platform.admin.call(assignPermissions, { params, body: { permissions: ['moderator'] } });
  const seenBy = async ({ client }: Pick<typeof ada, 'client'>) =>
    (await client.call(getMember, { params: { id: alan.id } })).data;
  const staff = [eve, { client: platform.admin }];
  for (const one of staff) assert.equal((await seenBy(one)).mutedUntil, null);
  const mute = { params: { userId: alan.id }, body: { minutes: 5, reason: 'Spam' } };
  const { mutedUntil } = (await eve.client.call(muteUser, mute)).data;
  for (const one of staff) assert.equal((await seenBy(one)).mutedUntil, mutedUntil);
  for (const one of [ada, alan]) assert.ok(!('mutedUntil' in (await seenBy(one))));
  platform.clock.advance(300_000);
  assert.equal((await seenBy(eve)).mutedUntil, null);
  platform.clock.advance(-300_000);
});

test('a person has these fields wherever one is shown', async () => {
  const id = grace.id;
  const shown = (await ada.client.call(getMember, { params: { id } })).data;
  const course = (await grace.client.call(createCourse, { body: { title: 'Compilers' } })).data;
  const story = { mediaType: 'image', mediaUrl: 'https://cdn.example.com/story.jpg' } as const;
  await grace.client.call(createStory, {
    params: { educatorId: id },
    body: { ...story, thumbnailUrl: null },
  });
  await ada.client.call(followEducator, { params: { educatorId: id } });
  const rich = await platform.newMemberWith(10);
  await rich.client.call(tipEducator, { params: { educatorId: id }, body: { amount: 1 } });
  await rich.client.call(blockMember, { params: { userId: id } });
  const [feed, tips, boards, blocks, educator, own, account] = [
    (await ada.client.call(getStoryFeed)).data,
    (await rich.client.call(listSentTips)).data,
    (await ada.client.call(getLeaderboards)).data,
    (await rich.client.call(listBlocks)).data,
    (await ada.client.call(getEducator, { params: { educatorId: id } })).data,
    (await grace.client.call(getProfile)).data,
    (await platform.admin.call(getUser, { params: { userId: id } })).data,
  ];
  const gifted = boards.topGifted.find(({ userId }) => userId === id);
  const people = {
    instructor: course.instructor,
    story: feed[0]?.educator,
    tip: tips[0]?.other,
    leaderboard: gifted?.user,
    block: blocks[0]?.user,
    educator,
    own,
    account,
  };
  for (const [place, person] of Object.entries(people)) assert.partialDeepStrictEqual(person, shown, place);
});

test('blocks hide members from each other, in either direction, until they are lifted', async () => {
  await ada.client.call(blockMember, { params: { userId: alan.id } });
  assert.deepEqual(await idsOf([alan.id, grace.id]), [grace.id]);
  assertRefused(await lookUp(ada, alan.id), userNotFound);
  assertRefused(await lookUp(alan, ada.id), userNotFound);
  assert.equal((await lookUp(grace, alan.id)).status, 200);
  await ada.client.call(unblockMember, { params: { userId: alan.id } });
  assert.deepEqual(await idsOf([alan.id]), [alan.id]);
});

test('moderators see members who block them, so that nobody keeps them from their work', async () => {
  const eve = await platform.newMember();
  const permissions = { params: { userId: eve.id }, body: { permissions: ['moderator' as const] } };
  await ada.client.call(blockMember, { params: { userId: eve.id } });
  assertRefused(await lookUp(eve, ada.id), userNotFound);
  await platform.admin.call(assignPermissions, permissions);
  assert.equal((await lookUp(eve, ada.id)).status, 200);
});

test('deleted members are absent', async () => {
  const leaving = await platform.newMember();
  await platform.admin.call(deleteUser, { params: { userId: leaving.id } });
  assert.deepEqual(await idsOf([leaving.id, grace.id]), [grace.id]);
  assertRefused(await lookUp(ada, leaving.id), userNotFound);
});

test('a hundred ids can be asked for; more, none or malformed ones are refused', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => at.toString(16).padStart(24, '0'));
  assert.deepEqual(await idsOf(many(100)), []);
  const asking = (ids: string) => ada.client.attempt(listMembers, { query: { ids } });
  assertInvalid(await asking(many(101).join(',')), 'ids');
  for (const ids of [`${ada.id},`, 'me', `${ada.id};${grace.id}`])
    assertRefused(await asking(ids), invalidId('user'));
  assert.equal((await ada.client.raw('GET', '/v1/members')).status, 422);
  assert.equal((await ada.client.attempt(getMember, { params: { id: 'me' } })).body.error, 'INVALID_ID');
});
