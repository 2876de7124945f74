import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createChatroom,
  deleteUser,
  editChatMessage,
  getMember,
  listChatMessages,
  listChatroomMembers,
  sendChatMessage,
} from '../../../sdk/src/index.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { LiveClient } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform();
const ben = await platform.newMember();

test('messages and members of rooms name the member in one shape, live and over HTTP, also once deleted', async () => {
  const author = await newEducator(platform);
  const { data: member } = await ben.client.call(getMember, { params: { id: author.id } });
  const [firstName, lastName] = member.name.split(' ');
  const user = { ...member, firstName, lastName, rankBadgeUrl: null };
  const { data: made } = await ben.client.call(createChatroom, { body: { name: 'Gold', type: 'public' } });
  const room = made.id;
  const params = { chatroomId: room };
  const live = await LiveClient.open(platform.url, ben.accessToken);
  await live.enter(room);
  const { data: sent } = await author.client.call(sendChatMessage, { params, body: { message: 'Who?' } });
  const delivery = await live.next(({ type }) => type === 'chat:message');
  const ofMessage = { params: { ...params, messageId: sent.id } };
  const { data: edited } = await author.client.call(editChatMessage, {
    ...ofMessage,
    body: { message: 'I' },
  });
  live.close();
  for (const one of [sent, delivery.data, edited]) assert.deepEqual(one.user, user);
  const shown = async () => {
    const again = await LiveClient.open(platform.url, ben.accessToken);
    await again.enter(room, { after: 0 });
    const { data } = await again.next(({ type }) => type === 'chat:message');
    again.close();
    return [(await ben.client.call(listChatMessages, { params })).data[0]?.user, data.user];
  };
  for (const one of await shown()) assert.deepEqual(one, user);
  const members = (await ben.client.call(listChatroomMembers, { params })).data;
  assert.deepEqual(members.find(({ userId }) => userId === author.id)?.user, member);
  await platform.admin.call(deleteUser, { params: { userId: author.id } });
  const names = { name: '', username: '', firstName: '', lastName: '' };
  for (const one of await shown()) assert.deepEqual(one, { ...user, ...names, isEducator: false });
});
