// Members who are elsewhere are told that messages wait for them in rooms that are not public.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  blockMember,
  getChatroom,
  leaveChatroom,
  listNotifications,
  markChatroomRead,
  setChatroomNotifications,
} from '../../../sdk/src/index.ts';
import { newRoom, say } from '../../../test/support/chatrooms.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { notMember } from './contract.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { clock, database } = platform;

const JOBS = "from jobs.job where name = 'chat.tell-waiting'";
/** Has the jobs run that wait for members to read; returns once all has been delivered. */
async function pass(): Promise<void> {
  clock.advance(31_000);
  await database.execute(
    `update jobs.job set start_after = now() where name = 'chat.tell-waiting' and state = 'created'`,
  );
  await until(
    async () =>
      (await database.count(
        `select (select count(*) from kernel.outbox) + (select count(*) from jobs.job
           where state in ('created', 'active', 'retry') and (name like 'on.%' or name = 'chat.tell-waiting'))`,
      )) === 0,
    'the jobs to end',
  );
}
const toldOf = async ({ client }: Member) =>
  (await client.call(listNotifications, { query: { type: 'chat' } })).data.filter(({ title }) =>
    title.startsWith('New messages'),
  );
const titlesOf = async (member: Member) => (await toldOf(member)).map(({ title }) => title);
const read = ({ client }: Member, chatroomId: string, messageId: string) =>
  client.call(markChatroomRead, { params: { chatroomId }, body: { messageId } });

/** Makes a private room of a member with others in it. */
async function roomOf(owner: Member, ...others: Member[]): Promise<string> {
  const chatroomId = await newRoom(owner, 'private');
  for (const { id: userId } of others)
    await owner.client.call(addChatroomMember, { params: { chatroomId }, body: { userId } });
  return chatroomId;
}

test('who has not read a message is told once until they have read, and the notification goes then', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const room = await roomOf(ada, ben);
  await say(ada, room, 'One');
  await say(ada, room, 'Two');
  assert.equal(await database.count(`select count(*) ${JOBS} and state = 'created'`), 1, 'one job for both');
  await pass();
  const [told] = await toldOf(ben);
  const { data: shown } = await ben.client.call(getChatroom, { params: { chatroomId: room } });
  assert.equal(told?.title, `New messages in ${shown.name}`);
  const { action, chatroomId, fromUserId } = told?.metadata ?? {};
  assert.deepEqual([action, chatroomId, fromUserId], ['open-chatroom', room, ada.id]);
  assert.deepEqual(await toldOf(ada), [], 'not the author');
  const { id: last } = await say(ada, room, 'Three');
  await pass();
  assert.equal((await toldOf(ben)).length, 1, 'the first one is not read yet');
  await read(ben, room, last);
  await until(async () => (await toldOf(ben)).length === 0, 'the notification to go');
  await say(ada, room, 'Four');
  await pass();
  assert.equal((await toldOf(ben)).length, 1, 'and comes anew');
});

test('the name of a room is in notifications from its creator alone', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const room = await roomOf(ada, ben);
  await say(ben, room, 'Hello');
  await pass();
  assert.deepEqual(await titlesOf(ada), ['New messages in a chatroom']);
});

test('nobody is told who has read, is in the room, has left it, does not want it or has blocked the author', async () => {
  const [ada, reader, present, gone, quiet, blocker] = (await Promise.all(
    Array.from({ length: 6 }, () => platform.newMember()),
  )) as [Member, Member, Member, Member, Member, Member];
  const room = await roomOf(ada, reader, present, gone, quiet, blocker);
  const params = { chatroomId: room };
  const live = await LiveClient.open(platform.url, present.accessToken);
  await live.ask({ type: 'subscribe', channel: 'chatroom', chatroomId: room });
  const answer = await quiet.client.call(setChatroomNotifications, { params, body: { enabled: false } });
  assert.equal(answer.data.notificationsEnabled, false);
  await blocker.client.call(blockMember, { params: { userId: reader.id } });
  const { id } = await say(reader, room, 'Hello');
  await say(ada, room, 'Hello, too');
  await gone.client.call(leaveChatroom, { params });
  await read(reader, room, id);
  const { id: last } = await say(reader, room, 'Bye');
  await read(reader, room, last);
  await pass();
  for (const one of [reader, present, gone, quiet, blocker]) assert.deepEqual(await titlesOf(one), []);
  assert.equal((await toldOf(ada)).length, 1);
  await quiet.client.call(setChatroomNotifications, { params, body: { enabled: true } });
  await say(ada, room, 'Again');
  await pass();
  for (const one of [quiet, blocker])
    assert.equal((await toldOf(one)).length, 1, 'of somebody whom they have not blocked');
  live.close();
});

test('public rooms notify nobody, and only members choose', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const room = await newRoom(ada);
  const params = { chatroomId: room };
  const body = { enabled: true };
  assertRefused(await ben.client.attempt(setChatroomNotifications, { params, body }), notMember);
  await say(ben, room, 'Here');
  await say(ada, room, 'Public');
  assert.equal(await database.count(`select count(*) ${JOBS} and data ->> 'roomId' = '${room}'`), 0);
});
