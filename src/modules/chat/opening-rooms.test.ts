import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  deleteChatMessage,
  joinChatroom,
  leaveChatroom,
  updateChatroom,
} from '../../../sdk/src/index.ts';
import { newRoom, say } from '../../../test/support/chatrooms.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { roomHasHistory } from './failures.ts';

const platform = await startPlatform();
const { admin } = platform;
const [ada, ben] = [await platform.newMember(), await platform.newMember()];

const open = ({ client }: Pick<Member, 'client'>, room: string) =>
  client.attempt(updateChatroom, { params: { chatroomId: room }, body: { type: 'public' } });
const add = (room: string) =>
  ada.client.call(addChatroomMember, { params: { chatroomId: room }, body: { userId: ben.id } });
const leave = (room: string) => ben.client.call(leaveChatroom, { params: { chatroomId: room } });

for (const type of ['private', 'group'] as const) {
  test(`a ${type} room becomes public while its creator alone has been in it`, async () => {
    const room = await newRoom(ada, type);
    await say(ada, room, 'Welcome');
    assert.equal((await open(ada, room)).data?.type, 'public');
  });

  test(`a ${type} room does not become public while somebody else is in it, nor once they have written there`, async () => {
    const room = await newRoom(ada, type);
    await add(room);
    assertRefused(await open(ada, room), roomHasHistory);
    const { id: messageId } = await say(ben, room, 'Between us');
    await ben.client.call(deleteChatMessage, { params: { chatroomId: room, messageId } });
    await leave(room);
    assertRefused(await open(ada, room), roomHasHistory, 'a deleted message counts');
    assertRefused(await open({ client: admin }, room), roomHasHistory);
    const body = { name: 'Oil', type } as const;
    const { data } = await ada.client.call(updateChatroom, { params: { chatroomId: room }, body });
    assert.deepEqual([data.name, data.type], ['Oil', type], 'other changes are free');
  });
}

test('a room becomes public again once those who wrote nothing have left', async () => {
  const room = await newRoom(ada, 'private');
  await add(room);
  await leave(room);
  assert.equal((await open(ada, room)).status, 200);
});

test('a public room that others have written in becomes private, stays public if it is, but does not come back', async () => {
  const room = await newRoom(ada);
  await ben.client.call(joinChatroom, { params: { chatroomId: room } });
  await say(ben, room, 'Hello');
  assert.equal((await open(ada, room)).status, 200);
  const close = { params: { chatroomId: room }, body: { type: 'private' } } as const;
  assert.equal((await ada.client.call(updateChatroom, close)).data.type, 'private');
  await say(ben, room, 'Between us');
  assertRefused(await open(ada, room), roomHasHistory);
});
