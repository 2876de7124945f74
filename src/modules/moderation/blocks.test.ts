import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  blockMember,
  createAnnouncement,
  createAnnouncementComment,
  createChatroom,
  followEducator,
  fundWalletAsAdmin,
  getChatroom,
  getFollowStatus,
  joinChatroom,
  joinEducatorChatroom,
  listBlocks,
  listNotifications,
  listTransactions,
  sendChatMessage,
  transferKeys,
  unblockMember,
} from '../../../sdk/src/index.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { banned, notMember } from '../chat/contract.ts';
import { userNotFound } from '../identity/contract.ts';
import { blockOneself, tooManyBlocked } from './blocks.ts';
import { blocked } from './contract.ts';

const platform = await startPlatform();
const { admin } = platform;
const [ada, eve] = [await newEducator(platform), await newEducator(platform)];
const [ben, cat] = [await platform.newMember(), await platform.newMember()];
const announce = async () =>
  (
    await ada.client.call(createAnnouncement, {
      params: { educatorId: ada.id },
      body: { title: 'Buy', content: 'Now!' },
    })
  ).data;

const roomOf = async (member: Pick<Member, 'client'>) =>
  (await member.client.call(joinEducatorChatroom, { params: { educatorId: ada.id } })).data.chatroomId;
const say = (by: Pick<Member, 'client'>, chatroomId: string) =>
  by.client.attempt(sendChatMessage, { params: { chatroomId }, body: { message: 'Hi' } });

test('a blocked member cannot follow, comment or write until the block ends', async () => {
  const announcement = await announce();
  await cat.client.call(followEducator, { params: { educatorId: ada.id } });
  const chatroomId = await roomOf(cat);
  assert.equal((await say(cat, chatroomId)).status, 201);
  for (let time = 0; time < 2; time++)
    assert.deepEqual((await ada.client.call(blockMember, { params: { userId: cat.id } })).data, {
      userId: cat.id,
      blocked: true,
    });
  assert.deepEqual(
    (await ada.client.call(listBlocks)).data.map((one) => one.userId),
    [cat.id],
  );
  assert.equal(
    (await cat.client.call(getFollowStatus, { params: { educatorId: ada.id } })).data.isFollowing,
    false,
  );
  assertRefused(await cat.client.attempt(followEducator, { params: { educatorId: ada.id } }), blocked);
  assertRefused(
    await cat.client.attempt(createAnnouncementComment, {
      params: { announcementId: announcement.id },
      body: { content: 'x' },
    }),
    blocked,
  );
  assertRefused(await say(cat, chatroomId), banned);
  await ada.client.call(unblockMember, { params: { userId: cat.id } });
  assert.equal((await cat.client.call(followEducator, { params: { educatorId: ada.id } })).status, 201);
  assert.equal(
    (
      await cat.client.call(createAnnouncementComment, {
        params: { announcementId: announcement.id },
        body: { content: 'x' },
      })
    ).status,
    201,
  );
});

test('a blocked member cannot enter the room by writing or joining', async () => {
  const chatroomId = await roomOf(await platform.newMember());
  await ada.client.call(blockMember, { params: { userId: eve.id } });
  assertRefused(await say(eve, chatroomId), blocked);
  assertRefused(await eve.client.attempt(joinChatroom, { params: { chatroomId } }), blocked);
});

test('a blocked member cannot share a room of their own with the member who blocked them', async () => {
  await ada.client.call(blockMember, { params: { userId: eve.id } });
  const room = (
    await eve.client.call(createChatroom, { body: { name: 'Us', description: '', type: 'private' } })
  ).data;
  const add = (by: Pick<Member, 'client'>, userId: string) =>
    by.client.attempt(addChatroomMember, { params: { chatroomId: room.id }, body: { userId } });
  assertRefused(await add(eve, ada.id), blocked);
  assert.equal((await add(eve, ben.id)).status, 201);
  await ben.client.call(blockMember, { params: { userId: eve.id } });
  assertRefused(await ben.client.attempt(getChatroom, { params: { chatroomId: room.id } }), notMember);
  const { data: blocks } = await ben.client.call(listBlocks);
  assert.equal(blocks.length, 1);
});

test('members cannot block themselves or unknown members', async () => {
  assertRefused(await ada.client.attempt(blockMember, { params: { userId: ada.id } }), blockOneself);
  assertRefused(await ada.client.attempt(blockMember, { params: { userId: 'f'.repeat(24) } }), userNotFound);
});

test('a member blocks at most five thousand others', async () => {
  const [dan, one, other] = [
    await platform.newMember(),
    await platform.newMember(),
    await platform.newMember(),
  ];
  await platform.database.execute(
    `insert into moderation.block (blocker_id, blocked_id, created_at)
     select $1, lpad(to_hex(place), 24, '0'), now() from generate_series(1, 4999) as place`,
    [dan.id],
  );
  await dan.client.call(blockMember, { params: { userId: one.id } });
  const refused = await dan.client.attempt(blockMember, { params: { userId: other.id } });
  assertRefused(refused, tooManyBlocked);
  assert.equal((await dan.client.call(blockMember, { params: { userId: one.id } })).status, 200, 'again');
});

test('a follow concurrent with a block does not remain', async () => {
  for (let round = 0; round < 8; round++) {
    await Promise.all([
      ben.client.attempt(followEducator, { params: { educatorId: ada.id } }),
      ada.client.callPatiently(blockMember, { params: { userId: ben.id } }),
    ]);
    assert.equal(
      (await ben.client.call(getFollowStatus, { params: { educatorId: ada.id } })).data.isFollowing,
      false,
    );
    await ada.client.call(unblockMember, { params: { userId: ben.id } });
  }
});

test('a member who is blocked can send Keys, but no text with them', async () => {
  await admin.call(fundWalletAsAdmin, { body: { userId: ben.id, amount: 100 } });
  const send = (more: object) =>
    ben.client.attempt(transferKeys, { body: { toUserId: cat.id, amount: 1, ...more } });
  const gift = { metadata: { gift: true, surface: 'educator' } };
  assert.equal((await send({ description: 'Hello' })).status, 201);
  const alerts = async () =>
    (await cat.client.call(listNotifications, { query: { type: 'alert' } })).data.map(
      ({ message }) => message,
    );
  await until(async () => (await alerts()).includes('Hello'), 'the notification');
  await cat.client.call(blockMember, { params: { userId: ben.id } });
  for (const more of [{ description: 'Hello?' }, { metadata: { note: 'Hello?' } }, gift])
    assertRefused(await send(more), blocked, JSON.stringify(more));
  assert.equal((await send({})).status, 201);
  assert.equal((await send({ description: '', metadata: {} })).status, 201);
  const { data: received } = await cat.client.call(listTransactions);
  assert.deepEqual(
    received.map((one) => one.description),
    ['', '', 'Hello'],
  );
  await admin.call(fundWalletAsAdmin, { body: { userId: cat.id, amount: 100 } });
  await until(async () => (await alerts()).length > 1, 'the notification of something later');
  assert.deepEqual(await alerts(), ['Your wallet now holds 103 Keys.', 'Hello']);
  // A block is one-sided.
  const back = { toUserId: ben.id, amount: 1, description: 'Keep them.' };
  assert.equal((await cat.client.call(transferKeys, { body: back })).status, 201);
  await cat.client.call(unblockMember, { params: { userId: ben.id } });
  assert.equal((await send({ description: 'Thanks' })).status, 201);
});
