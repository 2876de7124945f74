// Whom members reach through their chatrooms: nobody who has parted from them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  banChatMember,
  blockMember,
  joinChatroom,
  listChatRestrictions,
  muteChatMember,
  unbanChatMember,
  unmuteChatMember,
} from '../../../sdk/src/index.ts';
import { newRoom, say } from '../../../test/support/chatrooms.ts';
import { LiveClient } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { stopClock } from '../../../test/support/stopped-clock.ts';
import { RESTRICTED_MEMBERS } from './allowances.ts';
import { memberNotFound, tooManyRestrictions } from './failures.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { newMember } = platform;

async function screenOf({ id: userId, accessToken }: Member): Promise<LiveClient> {
  const live = await LiveClient.open(platform.url, accessToken);
  await live.ask({ type: 'subscribe', channel: 'notifications', userId });
  return live;
}
const add = ({ client }: Member, chatroomId: string, { id: userId }: Member) =>
  client.call(addChatroomMember, { params: { chatroomId }, body: { userId } });
const block = ({ client }: Member, { id: userId }: Member) =>
  client.call(blockMember, { params: { userId } });
const removed = (screen: LiveClient) =>
  screen.all('chat:removed').map(({ data: { chatroomId, reason } }) => [chatroomId, reason]);

test('mutes and bans are told only to those who are in the room, and nobody else is muted in a private one', async () => {
  const [ada, eve] = [await newMember(), await newMember()];
  await block(ada, eve);
  const screen = await screenOf(ada);
  const [secret, open, last] = [await newRoom(eve, 'private'), await newRoom(eve), await newRoom(eve)];
  const inRoom = (chatroomId: string) => ({ params: { chatroomId, userId: ada.id } });
  const mute = (chatroomId: string) =>
    eve.client.attempt(muteChatMember, { ...inRoom(chatroomId), body: { minutes: 5 } });
  assertRefused(await mute(secret), memberNotFound);
  assertRefused(await eve.client.attempt(unmuteChatMember, inRoom(secret)), memberNotFound);
  assert.equal((await mute(open)).status, 200);
  await eve.client.call(unmuteChatMember, inRoom(open));
  for (const room of [secret, open])
    for (let time = 0; time < 2; time++) {
      await eve.client.call(banChatMember, inRoom(room));
      await eve.client.call(unbanChatMember, inRoom(room));
    }
  // What comes last has overtaken nothing.
  await ada.client.call(joinChatroom, { params: { chatroomId: last } });
  await mute(last);
  await screen.next(({ type, data }) => type === 'chat:muted' && data.chatroomId === last);
  assert.deepEqual([screen.all('chat:muted').length, removed(screen)], [1, []]);
  screen.close();
});

test('a member mutes and bans so many times an hour, and a moderator as often as they must', async (t) => {
  stopClock(t, platform.clock);
  const [ada, eve] = [await newMember(), await newMember()];
  const room = await newRoom(eve);
  const params = { chatroomId: room, userId: ada.id };
  const unban = (client = eve.client) => client.attempt(unbanChatMember, { params });
  const all = Array.from({ length: RESTRICTED_MEMBERS.limit }, () => unban());
  for (const { status } of await Promise.all(all)) assert.equal(status, 200);
  assertRefused(await unban(), () => tooManyRestrictions(1));
  assertRefused(await eve.client.attempt(banChatMember, { params }), () => tooManyRestrictions(1));
  const minutes = { params, body: { minutes: 5 } };
  assertRefused(await eve.client.attempt(muteChatMember, minutes), () => tooManyRestrictions(1));
  assert.equal((await unban(platform.admin)).status, 200);
  assert.deepEqual((await eve.client.call(listChatRestrictions, { params: { chatroomId: room } })).data, []);
});

test('a block ends what both see of the rooms that it takes them out of, and of no other', async () => {
  const [ada, eve, cat] = [await newMember(), await newMember(), await newMember()];
  const [before, own, ofTwo, ofThree] = [
    await newRoom(ada),
    await newRoom(ada, 'group'),
    await newRoom(eve, 'private'),
    await newRoom(eve, 'group'),
  ];
  await ada.client.call(banChatMember, { params: { chatroomId: before, userId: eve.id } });
  await add(ada, own, eve);
  for (const [room, whom] of [
    [ofTwo, ada],
    [ofThree, ada],
    [ofThree, cat],
  ] as const)
    await add(eve, room, whom);
  const [hers, theirs] = [await screenOf(ada), await screenOf(eve)];
  for (const room of [ofTwo, ofThree]) await hers.enter(room);
  await theirs.enter(own);
  await block(ada, eve);
  await hers.next(({ type, data }) => type === 'chat:removed' && data.chatroomId === ofTwo);
  await theirs.next(({ type, data }) => type === 'chat:removed' && data.chatroomId === own);
  for (const room of [ofTwo, ofThree]) await say(eve, room, `in ${room}`);
  await say(ada, own, 'Without her');
  await hers.next(({ type, data }) => type === 'chat:message' && data.chatroomId === ofThree);
  // What comes last has overtaken nothing.
  await add(cat, await newRoom(cat, 'private'), eve);
  await theirs.next(({ type }) => type === 'chat:added');
  assert.deepEqual(hers.messageTexts(), [`in ${ofThree}`]);
  assert.deepEqual(theirs.messageTexts(), []);
  assert.deepEqual([removed(hers), removed(theirs)], [[[ofTwo, 'LEFT']], [[own, 'BANNED']]]);
  for (const screen of [hers, theirs]) screen.close();
});
