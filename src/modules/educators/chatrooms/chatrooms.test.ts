import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  getChatroom,
  getEducatorChatroom,
  joinEducatorChatroom,
  leaveEducatorChatroom,
  search,
  updateChatroom,
  updateProfile,
} from '../../../../sdk/src/index.ts';
import { say } from '../../../../test/support/chatrooms.ts';
import { newEducator } from '../../../../test/support/courses.ts';
import { until } from '../../../../test/support/live.ts';
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

test('the chatroom of an educator follows their name until it is given another one, and the search follows it', async () => {
  const eve = await newEducator(platform);
  const { chatroomId } = (await ben.client.call(getEducatorChatroom, { params: { educatorId: eve.id } }))
    .data;
  const named = async (lastName: string) => {
    await eve.client.call(updateProfile, { body: { firstName: 'Edna', lastName } });
    return (await ben.client.call(getChatroom, { params: { chatroomId } })).data.name;
  };
  const found = async (q: string) =>
    (await ben.client.call(search, { query: { q, type: 'chatroom' } })).data.results.map(({ id }) => id);
  assert.equal(await named('Lindqvistsson'), 'Edna Lindqvistsson');
  await until(async () => (await found('Lindqvistsson')).includes(chatroomId), 'the search finds the room');
  const body = { name: 'Gold with Edna' };
  await eve.client.call(updateChatroom, { params: { chatroomId }, body });
  assert.equal(await named('Murgatroyd'), body.name);
});
