import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  banChatMember,
  blockMember,
  deleteChatMessage,
  deleteChatroom,
  editChatMessage,
  joinChatroom,
  leaveChatroom,
  muteChatMember,
  removeChatroomMember,
  sendChatMessage,
  unbanChatMember,
  updateChatroom,
} from '../../../sdk/src/index.ts';
import { newRoom, say, textsOf } from '../../../test/support/chatrooms.ts';
import { meeting as meetingIn, type Request } from '../../../test/support/meeting.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { blocked, muted } from '../moderation/contract.ts';
import { banned, notMember } from './contract.ts';
import { roomHasHistory } from './failures.ts';

// Joining a room against being blocked, banned or shut out: whichever comes first, the end is the same.

const platform = await startPlatform();
const { database, newMember } = platform;

const meeting = (room: string, first: Request, second: Request) => meetingIn(database, room, first, second);
async function standingOf(room: string, { id }: Member) {
  const [row] = await database.all<{ isMember: boolean; banned: boolean; counted: number; members: number }>(
    `select coalesce(is_member, false) as is_member, banned_at is not null as banned, member_count as counted,
       (select count(*)::int from chat.member m where m.room_id = room.id and m.is_member) as members
     from chat.room left join chat.member on room_id = room.id and user_id = $2 where room.id = $1`,
    [room, id],
  );
  assert.equal(row?.counted, row?.members, 'the count is exact');
  return { isMember: row?.isMember, banned: row?.banned };
}
const join = (who: Member, room: string) => () =>
  who.client.attempt(joinChatroom, { params: { chatroomId: room } });
const block = (who: Member, whom: Member) => () =>
  who.client.call(blockMember, { params: { userId: whom.id } });
const ban = (who: Member, room: string, whom: Member) => () =>
  who.client.attempt(banChatMember, { params: { chatroomId: room, userId: whom.id } });
const close = (who: Member, room: string) => () =>
  who.client.call(updateChatroom, { params: { chatroomId: room }, body: { type: 'private' } });

for (const isJoinFirst of [true, false]) {
  const order = isJoinFirst ? 'the join first' : 'the join last';
  const inOrder = (room: string, joining: Request, other: Request) =>
    isJoinFirst ? meeting(room, joining, other) : meeting(room, other, joining);

  test(`who is blocked while joining is not in the room of the blocker afterwards, ${order}`, async () => {
    const [ada, eve] = [await newMember(), await newMember()];
    const room = await newRoom(ada);
    // A block of a member who is in none of the rooms locks no room, so that only the first order can be enforced.
    if (isJoinFirst) await meeting(room, join(eve, room), block(ada, eve));
    else await Promise.all([block(ada, eve)(), join(eve, room)()]);
    assert.equal((await standingOf(room, eve)).isMember, false);
  });

  test(`who is banned while joining is out, and not counted, ${order}`, async () => {
    const [ada, eve] = [await newMember(), await newMember()];
    const room = await newRoom(ada);
    await inOrder(room, join(eve, room), ban(ada, room, eve));
    assert.deepEqual(await standingOf(room, eve), { isMember: false, banned: true });
  });
}

test('joining a room that becomes private meanwhile is refused', async () => {
  const [ada, eve] = [await newMember(), await newMember()];
  const room = await newRoom(ada);
  const [closed, joined] = await meeting(room, close(ada, room), join(eve, room));
  assert.deepEqual([closed.status, joined.status], [200, 403]);
  assert.equal((await standingOf(room, eve)).isMember, false);
});

test('a stranger who posts during a block does not remain in the room', async () => {
  const [ada, eve] = [await newMember(), await newMember()];
  const room = await newRoom(ada);
  const say = () =>
    eve.client.attempt(sendChatMessage, { params: { chatroomId: room }, body: { message: 'Hello' } });
  await meeting(room, say, block(ada, eve));
  assert.equal((await standingOf(room, eve)).isMember, false);
});

test('a blocked member cannot add the blocker to a room during the block', async () => {
  const [ada, eve] = [await newMember(), await newMember()];
  const room = await newRoom(eve, 'private');
  const add = () =>
    eve.client.call(addChatroomMember, { params: { chatroomId: room }, body: { userId: ada.id } });
  await meeting(room, add, block(ada, eve));
  assert.equal((await standingOf(room, ada)).isMember, false);
});

// Edits and deletions run concurrently with an event that ends the right to them. If the event is responded to
// first, no edit or deletion takes effect afterwards.

const edit = (who: Member, room: string, messageId: string) => () =>
  who.client.attempt(editChatMessage, {
    params: { chatroomId: room, messageId },
    body: { message: 'second' },
  });
const mute = (who: Member, room: string, whom: Member) => () =>
  who.client.attempt(muteChatMember, {
    params: { chatroomId: room, userId: whom.id },
    body: { minutes: 5 },
  });
const remove = (who: Member, room: string, whom: Member) => () =>
  who.client.call(removeChatroomMember, { params: { chatroomId: room, userId: whom.id } });
/** A private room of the first member with the second one in it, who has sent a message. */
async function sharedRoom(ada: Member, eve: Member): Promise<[string, string]> {
  const room = await newRoom(ada, 'private');
  await ada.client.call(addChatroomMember, { params: { chatroomId: room }, body: { userId: eve.id } });
  return [room, (await say(eve, room, 'first')).id];
}

const ENDS = [
  ['a ban', ban, banned],
  ['a mute', mute, muted],
  ['a removal', remove, notMember],
  ['a block', (who: Member, _room: string, whom: Member) => block(who, whom), banned],
] as const;
for (const [what, end, failure] of ENDS) {
  test(`an edit that was let in before ${what} is refused after it`, async () => {
    const [ada, eve] = [await newMember(), await newMember()];
    const [room, message] = await sharedRoom(ada, eve);
    const [ended, edited] = await meeting(room, end(ada, room, eve), edit(eve, room, message));
    assert.equal(ended.status, 200);
    assertRefused(edited, failure);
    assert.deepEqual(await textsOf(ada, room), ['first']);
  });

  test(`an edit that holds the room is done before ${what} is answered`, async () => {
    const [ada, eve] = [await newMember(), await newMember()];
    const [room, message] = await sharedRoom(ada, eve);
    const [edited, ended] = await meeting(room, edit(eve, room, message), end(ada, room, eve));
    assert.deepEqual([edited.status, ended.status], [200, 200]);
    assert.deepEqual(await textsOf(ada, room), ['second']);
  });
}

test('a deletion that began before a ban is refused once the ban is stored', async () => {
  const [ada, eve] = [await newMember(), await newMember()];
  const [room, message] = await sharedRoom(ada, eve);
  const deletion = () =>
    eve.client.attempt(deleteChatMessage, { params: { chatroomId: room, messageId: message } });
  const [, deleted] = await meeting(room, ban(ada, room, eve), deletion);
  assertRefused(deleted, banned);
  assert.deepEqual(await textsOf(ada, room), ['first']);
});

for (const [what, end, failure] of ENDS)
  test(`a message that began before ${what} is refused once it is stored`, async () => {
    const [ada, eve] = [await newMember(), await newMember()];
    const [room] = await sharedRoom(ada, eve);
    const message = () =>
      eve.client.attempt(sendChatMessage, { params: { chatroomId: room }, body: { message: 'second' } });
    const [, sent] = await meeting(room, end(ada, room, eve), message);
    assertRefused(sent, failure);
    assert.deepEqual(await textsOf(ada, room), ['first']);
  });

test('a member who left a public room and is blocked by its creator cannot edit their messages there', async () => {
  const [ada, eve] = [await newMember(), await newMember()];
  const room = await newRoom(ada);
  const { id } = await say(eve, room, 'first');
  await eve.client.call(leaveChatroom, { params: { chatroomId: room } });
  await block(ada, eve)();
  assertRefused(await edit(eve, room, id)(), blocked);
});

const inRoom = (chatroomId: string) => ({ params: { chatroomId } });
/** What ada, who made a room, eve, who is in it and has sent a message, and cat, a stranger, do in it. */
const IN_A_ROOM: Record<
  string,
  (who: Record<'ada' | 'eve' | 'cat', Member>, room: string, message: string) => Request
> = {
  ban: ({ ada, eve }, room) => ban(ada, room, eve),
  unban:
    ({ ada, eve }, room) =>
    () =>
      ada.client.attempt(unbanChatMember, { params: { chatroomId: room, userId: eve.id } }),
  mute: ({ ada, eve }, room) => mute(ada, room, eve),
  'add a member':
    ({ ada, cat }, room) =>
    () =>
      ada.client.attempt(addChatroomMember, { ...inRoom(room), body: { userId: cat.id } }),
  'remove a member':
    ({ ada, eve }, room) =>
    () =>
      ada.client.attempt(removeChatroomMember, { params: { chatroomId: room, userId: eve.id } }),
  join: ({ cat }, room) => join(cat, room),
  leave:
    ({ eve }, room) =>
    () =>
      eve.client.attempt(leaveChatroom, inRoom(room)),
  'change the room':
    ({ ada }, room) =>
    () =>
      ada.client.attempt(updateChatroom, { ...inRoom(room), body: { name: 'Oil' } }),
  'delete the room':
    ({ ada }, room) =>
    () =>
      ada.client.attempt(deleteChatroom, inRoom(room)),
  'send a message':
    ({ eve }, room) =>
    () =>
      eve.client.attempt(sendChatMessage, { ...inRoom(room), body: { message: 'second' } }),
  'edit a message': ({ eve }, room, message) => edit(eve, room, message),
  'delete a message':
    ({ eve }, room, messageId) =>
    () =>
      eve.client.attempt(deleteChatMessage, { params: { chatroomId: room, messageId } }),
};

test('whatever is done in a room that is being deleted is 404', async () => {
  const who = { ada: await newMember(), eve: await newMember(), cat: await newMember() };
  for (const [what, act] of Object.entries(IN_A_ROOM)) {
    const [room, message] = await sharedRoom(who.ada, who.eve);
    const deletion = () => who.ada.client.attempt(deleteChatroom, inRoom(room));
    const [deleted, done] = await meeting(room, deletion, act(who, room, message));
    assert.deepEqual([deleted.status, done.status], [200, 404], what);
  }
});

test('a message that is deleted twice at once is gone for the second', async () => {
  const [ada, eve] = [await newMember(), await newMember()];
  const [room, messageId] = await sharedRoom(ada, eve);
  const deletion = (who: Member) => () =>
    who.client.attempt(deleteChatMessage, { params: { chatroomId: room, messageId } });
  const [first, second] = await meeting(room, deletion(ada), deletion(eve));
  assert.deepEqual([first.status, second.status], [200, 404]);
});

test('a member who is added to a private room while joining it is let in', async () => {
  const [ada, eve] = [await newMember(), await newMember()];
  const room = await newRoom(ada, 'private');
  const add = () => ada.client.attempt(addChatroomMember, { ...inRoom(room), body: { userId: eve.id } });
  const [added, joined] = await meeting(room, add, join(eve, room));
  assert.deepEqual([added.status, joined.status], [201, 200]);
});

test('a room that somebody is added to while it becomes public stays closed', async () => {
  const [ada, eve] = [await newMember(), await newMember()];
  const room = await newRoom(ada, 'private');
  const add = () => ada.client.attempt(addChatroomMember, { ...inRoom(room), body: { userId: eve.id } });
  const open = () => ada.client.attempt(updateChatroom, { ...inRoom(room), body: { type: 'public' } });
  const [added, opened] = await meeting(room, add, open);
  assert.equal(added.status, 201);
  assertRefused(opened, roomHasHistory);
});
