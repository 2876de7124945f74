import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  getEducatorChatroom,
  joinEducatorChatroom,
  leaveEducatorChatroom,
} from '../../../../sdk/src/index.ts';
import { say } from '../../../../test/support/chatrooms.ts';
import { newEducator } from '../../../../test/support/courses.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { creatorStays } from '../../chat/contract.ts';

const platform = await startPlatform();
const [ada, ben] = [await newEducator(platform), await platform.newMember()];
const params = { educatorId: ada.id };

test('an educator has one chatroom, created on first use', async () => {
  const all = await Promise.all(
    Array.from({ length: 6 }, () => ben.client.callPatiently(getEducatorChatroom, { params })),
  );
  assert.equal(new Set(all.map(({ data }) => data.chatroomId)).size, 1);
});

test('the chatroom of an educator shows its members and its last message', async () => {
  const { chatroomId } = (await ben.client.call(getEducatorChatroom, { params })).data;
  await ben.client.call(joinEducatorChatroom, { params });
  const { createdAt } = await say(ben, chatroomId, 'Hello!');
  const stranger = await platform.newMember();
  assert.deepEqual((await stranger.client.call(getEducatorChatroom, { params })).data, {
    educatorId: ada.id,
    chatroomId,
    name: 'Test Member',
    description: '',
    rules: [],
    memberCount: 2,
    isActive: true,
    lastMessage: { content: 'Hello!', timestamp: createdAt },
  });
});

test('members join and leave the chatroom of an educator once, and the educator stays', async () => {
  for (let time = 0; time < 2; time++)
    assert.equal((await ben.client.call(joinEducatorChatroom, { params })).data.memberCount, 2);
  for (let time = 0; time < 2; time++)
    assert.equal((await ben.client.call(leaveEducatorChatroom, { params })).data.memberCount, 1);
  assertRefused(await ada.client.attempt(leaveEducatorChatroom, { params }), creatorStays);
});
