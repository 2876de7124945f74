// Handing on a room beside what its former owner, its new owner or an administrator does at the same time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  banChatMember,
  deleteChatroom,
  handOnChatroom,
  leaveChatroom,
  listAudit,
  muteChatMember,
  removeChatroomMember,
  runJobQueue,
  updateChatroom,
} from '../../../sdk/src/index.ts';
import { newRoom } from '../../../test/support/chatrooms.ts';
import { until } from '../../../test/support/live.ts';
import { meeting, type Request } from '../../../test/support/meeting.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { creatorStays } from './contract.ts';

const platform = await startPlatform();
const { admin, database, newMember } = platform;

const handOn = (who: Member, chatroomId: string, whom: Member) => () =>
  who.client.attempt(handOnChatroom, { params: { chatroomId }, body: { userId: whom.id } });

/** A private room of the first of these members that all of them are in. */
async function roomOf(owner: Member, ...others: Member[]): Promise<string> {
  const chatroomId = await newRoom(owner, 'private');
  for (const { id: userId } of others)
    await owner.client.call(addChatroomMember, { params: { chatroomId }, body: { userId } });
  return chatroomId;
}
async function ownerOf(room: string) {
  const [row] = await database.all<{ createdBy: string; isIn: boolean; isFree: boolean }>(
    `select created_by, is_member as is_in, banned_at is null and muted_until is null as is_free
     from chat.room left join chat.member on room_id = room.id and user_id = created_by where room.id = $1`,
    [room],
  );
  return row;
}

const TO_THE_NEW_OWNER: Record<string, (ada: Member, ben: Member, room: string) => Request> = {
  'leaves it': (_ada, ben, chatroomId) => () => ben.client.attempt(leaveChatroom, { params: { chatroomId } }),
  'is removed': (_ada, ben, chatroomId) => () =>
    admin.attempt(removeChatroomMember, { params: { chatroomId, userId: ben.id } }),
  'is banned': (_ada, ben, chatroomId) => () =>
    admin.attempt(banChatMember, { params: { chatroomId, userId: ben.id } }),
  'is muted': (_ada, ben, chatroomId) => () =>
    admin.attempt(muteChatMember, { params: { chatroomId, userId: ben.id }, body: { minutes: 5 } }),
};
for (const [what, act] of Object.entries(TO_THE_NEW_OWNER))
  test(`who becomes the owner of a room and ${what} at once stays in it, unbanned and unmuted`, async () => {
    const [ada, ben] = [await newMember(), await newMember()];
    const room = await roomOf(ada, ben);
    const [handed, done] = await meeting(database, room, handOn(ada, room, ben), act(ada, ben, room));
    assert.equal(handed.status, 200);
    assertRefused(done, creatorStays);
    assert.deepEqual(await ownerOf(room), { createdBy: ben.id, isIn: true, isFree: true });
  });

const BY_THE_FORMER_OWNER: Record<string, (ada: Member, ben: Member, cat: Member, room: string) => Request> =
  {
    'hands it on again': (ada, _ben, cat, room) => handOn(ada, room, cat),
    'deletes it': (ada, _ben, _cat, chatroomId) => () =>
      ada.client.attempt(deleteChatroom, { params: { chatroomId } }),
    'changes it': (ada, _ben, _cat, chatroomId) => () =>
      ada.client.attempt(updateChatroom, { params: { chatroomId }, body: { name: 'Oil' } }),
    'bans the new owner': (ada, ben, _cat, chatroomId) => () =>
      ada.client.attempt(banChatMember, { params: { chatroomId, userId: ben.id } }),
    'removes another one': (ada, _ben, cat, chatroomId) => () =>
      ada.client.attempt(removeChatroomMember, { params: { chatroomId, userId: cat.id } }),
    'adds somebody': (ada, ben, _cat, chatroomId) => () =>
      ada.client.attempt(addChatroomMember, { params: { chatroomId }, body: { userId: ben.id } }),
  };
for (const [what, act] of Object.entries(BY_THE_FORMER_OWNER))
  test(`who hands on a room and ${what} at once no longer may`, async () => {
    const [ada, ben, cat] = [await newMember(), await newMember(), await newMember()];
    const room = await roomOf(ada, ben, cat);
    const [handed, done] = await meeting(database, room, handOn(ada, room, ben), act(ada, ben, cat, room));
    assert.equal(handed.status, 200);
    assertRefused(done, insufficientPermissions);
    assert.deepEqual(await ownerOf(room), { createdBy: ben.id, isIn: true, isFree: true });
    assert.deepEqual((await admin.call(listAudit, { query: { target: room } })).data, [], 'no staff acted');
  });

test('the nightly repair passes on a room whose owner exists, but is not in it', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  const [room, sound] = [await roomOf(ada, ben), await roomOf(ada, ben)];
  await database.execute('update chat.room set member_count = 1 where id = $1', [room]);
  await database.execute('update chat.member set is_member = false where room_id = $1 and user_id = $2', [
    room,
    ada.id,
  ]);
  await admin.call(runJobQueue, { params: { queue: 'chat.repair' }, body: { reason: 'Now' } });
  await until(async () => (await ownerOf(room))?.createdBy === ben.id, 'the next owner');
  assert.equal((await ownerOf(sound))?.createdBy, ada.id);
});
