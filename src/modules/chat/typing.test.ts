import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChatroom, muteChatMember, sendChatMessage, unmuteChatMember } from '../../../sdk/src/index.ts';
import { newRoom, say } from '../../../test/support/chatrooms.ts';
import { LiveClient } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { stopClock } from '../../../test/support/stopped-clock.ts';

const platform = await startPlatform();
type Member = Awaited<ReturnType<typeof platform.newMember>>;
const [ada, ben, eve] = [await platform.newMember(), await platform.newMember(), await platform.newMember()];
const open = ({ accessToken }: Member) => LiveClient.open(platform.url, accessToken);

test('typing of a muted member is not announced', async () => {
  const room = (await ada.client.call(createChatroom, { body: { name: 'Gold', type: 'public' } })).data.id;
  const [hers, his, third] = [await open(ada), await open(ben), await open(eve)];
  for (const client of [hers, his, third]) await client.enter(room);
  const typing = { type: 'chat:typing', chatroomId: room };
  const typists = () => hers.all('chat:typing').map(({ data }) => data.userId);

  await ada.client.call(muteChatMember, {
    params: { chatroomId: room, userId: ben.id },
    body: { minutes: 5 },
  });
  his.send(typing);
  // Commands are answered in order, so messages sent after the answer also arrive after it.
  assert.equal((await his.ask({ type: 'ping' })).type, 'pong');
  third.send(typing);
  await hers.next(({ type, data }) => type === 'chat:typing' && data.userId === eve.id);
  assert.deepEqual(typists(), [eve.id]);

  await ada.client.call(unmuteChatMember, { params: { chatroomId: room, userId: ben.id } });
  platform.clock.advance(4_000);
  his.send(typing);
  await hers.next(({ type, data }) => type === 'chat:typing' && data.userId === ben.id);
  for (const client of [hers, his, third]) client.close();
});

test('typing is announced at most every three seconds, and by members of the room only', async () => {
  const [first, second] = await Promise.all(
    ['Gold', 'Oil'].map(
      async (name) =>
        (await ada.client.call(createChatroom, { body: { name, type: 'public' } })).data.id as string,
    ),
  );
  const [hers, his] = [await open(ada), await open(ben)];
  for (const room of [first, second]) await hers.enter(room as string);
  await his.enter(first as string);
  for (let number = 0; number < 3; number++) his.send({ type: 'chat:typing', chatroomId: first });
  his.send({ type: 'chat:typing', chatroomId: second });
  await his.ask({ type: 'ping' });
  await ben.client.call(sendChatMessage, {
    params: { chatroomId: second as string },
    body: { message: 'the last' },
  });
  await hers.next(({ data }) => data.message === 'the last');
  assert.deepEqual(
    hers.all('chat:typing').map(({ data }) => data.chatroomId),
    [first],
  );
  for (const client of [hers, his]) client.close();
});

test('a member is shown as typing every three seconds, however many connections they have', async () => {
  const room = (await ada.client.call(createChatroom, { body: { name: 'Gold', type: 'public' } })).data.id;
  const [hers, ...his] = await Promise.all([open(ada), ...Array.from({ length: 5 }, () => open(ben))]);
  await hers.enter(room);
  for (const client of his) {
    await client.enter(room);
    client.send({ type: 'chat:typing', chatroomId: room });
    await client.ask({ type: 'ping' });
  }
  await ben.client.call(sendChatMessage, { params: { chatroomId: room }, body: { message: 'the last' } });
  await hers.next(({ data }) => data.message === 'the last');
  assert.equal(hers.all('chat:typing').length, 1);
  for (const client of [hers, ...his]) client.close();
});

test('a member is shown as typing five times a second in all rooms together, and then again', async (t) => {
  stopClock(t, platform.clock);
  const owner = await platform.newMember();
  const rooms: string[] = [];
  for (let number = 0; number < 8; number++) rooms.push(await newRoom(owner));
  const [hers, his] = [await open(owner), await open(await platform.newMember())];
  for (const client of [hers, his]) for (const room of rooms) await client.enter(room);
  const shown = async (chatroomIds: string[]) => {
    for (const chatroomId of chatroomIds) his.send({ type: 'chat:typing', chatroomId });
    await his.ask({ type: 'ping' });
    const text = `${hers.all('chat:typing').length}`;
    await say(owner, rooms[0] as string, text);
    await hers.next(({ data }) => data.message === text);
    return hers.all('chat:typing').map(({ data }) => data.chatroomId);
  };
  assert.deepEqual(await shown(rooms), rooms.slice(0, 5));
  platform.clock.advance(400);
  assert.deepEqual(await shown(rooms), rooms.slice(0, 7), 'two more after two fifths of a second');
  for (const client of [hers, his]) client.close();
});
