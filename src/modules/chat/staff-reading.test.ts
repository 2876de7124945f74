// What administrators and moderators read of rooms that are not public and that they are not in, the audit log has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  getChatroom,
  listAudit,
  listChatMessages,
  listChatrooms,
  signIn,
  updateChatroom,
} from '../../../sdk/src/index.ts';
import { newRoom, say } from '../../../test/support/chatrooms.ts';
import { PASSWORD } from '../../../test/support/client.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database, newMember } = platform;

async function newModerator(): Promise<Member> {
  const member = await newMember();
  const promoted = "update identity.user set permissions = array['moderator'] where id = $1";
  await database.execute(promoted, [member.id]);
  return member;
}
const read = ({ client }: Member, chatroomId: string) =>
  client.call(listChatMessages, { params: { chatroomId } });
const readersOf = async (target: string) => {
  const entries = await database.all<{ actor: string }>(
    `select actor from kernel.audit_entry where target = $1 and action = 'chatroom.read' order by id desc`,
    [target],
  );
  return entries.map(({ actor }) => actor);
};

test('a moderator who is in a private room reads it as every member does', async () => {
  const [ada, mod] = [await newMember(), await newModerator()];
  const room = await newRoom(ada, 'group');
  await ada.client.call(addChatroomMember, { params: { chatroomId: room }, body: { userId: mod.id } });
  await read(mod, room);
  assert.deepEqual(await readersOf(room), []);
});

test('subscribing to a private room as a moderator is recorded', async () => {
  const [ada, mod] = [await newMember(), await newModerator()];
  const [secret, open] = [await newRoom(ada, 'private'), await newRoom(ada)];
  const live = await LiveClient.open(platform.url, mod.accessToken);
  for (const room of [secret, open]) await live.enter(room);
  assert.deepEqual(await readersOf(secret), [mod.id]);
  assert.deepEqual(await readersOf(open), []);
  await ada.client.call(updateChatroom, { params: { chatroomId: open }, body: { type: 'private' } });
  await until(
    async () => (await readersOf(open)).length === 1,
    'the room that ceased to be public is recorded',
  );
  live.close();
});

test('lists show moderators nothing that is written in private rooms which they are not in', async () => {
  const [ada, mod] = [await newMember(), await newModerator()];
  const room = await newRoom(ada, 'private');
  await say(ada, room, 'Between us');
  const { data } = await mod.client.call(listChatrooms);
  const { data: one } = await mod.client.call(getChatroom, { params: { chatroomId: room } });
  for (const seen of [data.find(({ id }) => id === room), one])
    assert.deepEqual([seen?.lastMessage, typeof seen?.lastMessageAt], [null, 'string']);
  assert.deepEqual(await readersOf(room), []);
});

test('reading a private room as a moderator is recorded once an hour, and that of its members never', async () => {
  const [ada, mod] = [await newMember(), await newModerator()];
  const [secret, open] = [await newRoom(ada, 'private'), await newRoom(ada)];
  await say(ada, secret, 'Between us');
  await Promise.all([1, 2, 3].map(() => read(mod, secret)));
  await read(ada, secret);
  await read(mod, open);
  assert.deepEqual(await readersOf(secret), [mod.id]);
  assert.deepEqual(await readersOf(open), []);
  const [entry] = (await admin.call(listAudit, { query: { target: secret } })).data;
  assert.deepEqual([entry?.targetName, typeof entry?.requestId], [null, 'string']);
  const other = await newModerator();
  await read(other, secret);
  assert.deepEqual(await readersOf(secret), [other.id, mod.id]);
  platform.clock.advance(60 * 60_000);
  const body = { email: mod.email, password: PASSWORD, platform: 'web' as const };
  const again = platform.client.as((await platform.client.call(signIn, { body })).data.accessToken);
  for (let time = 0; time < 2; time++) await read({ ...mod, client: again }, secret);
  assert.deepEqual(await readersOf(secret), [mod.id, other.id, mod.id]);
});
