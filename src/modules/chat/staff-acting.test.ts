// What administrators and moderators do in the rooms of others, the audit log has, and why.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  banChatMember,
  createChatroom,
  deleteChatMessage,
  deleteChatroom,
  leaveChatroom,
  listAudit,
  listNotifications,
  muteChatMember,
  removeChatroomMember,
  unbanChatMember,
  unmuteChatMember,
  updateChatroom,
} from '../../../sdk/src/index.ts';
import { newRoom, say } from '../../../test/support/chatrooms.ts';
import type { Client } from '../../../test/support/client.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform();
const { admin, database, newMember } = platform;
const reason = 'Asked for by the police';

async function newStaff(permission: 'admin' | 'moderator'): Promise<Member> {
  const member = await newMember();
  await database.execute('update identity.user set permissions = array[$2] where id = $1', [
    member.id,
    permission,
  ]);
  return member;
}
async function entriesOf(target: string) {
  const { data } = await admin.call(listAudit, { query: { target } });
  return data.reverse().map((entry) => [entry.action, entry.actor, entry.details.userId, entry.reason]);
}
const add = (client: Client, chatroomId: string, { id: userId }: Member, why?: string) =>
  client.call(addChatroomMember, {
    params: { chatroomId },
    body: { userId, ...(why && { reason: why }) },
  });

test('an administrator who adds themselves or others to a private room is recorded, and its owner is notified', async () => {
  const [ada, ben, boss] = [await newMember(), await newMember(), await newStaff('admin')];
  const room = await newRoom(ada, 'private');
  for (const whom of [boss, ben, ben]) await add(boss.client, room, whom, reason);
  await boss.client.call(leaveChatroom, { params: { chatroomId: room } });
  const entries = [boss, ben].map(({ id }) => ['chatroom.member-added', boss.id, id, reason]);
  assert.deepEqual(await entriesOf(room), entries);
  const [entry] = (await admin.call(listAudit, { query: { target: room } })).data;
  assert.deepEqual([entry?.targetName, entry?.details.authorId], [null, ada.id], 'but not the name');
  await until(async () => {
    const { data } = await ada.client.call(listNotifications, { query: { type: 'moderation' } });
    return data.filter(({ message }) => message === reason).length === 2;
  }, 'the notifications');
});

test('what an administrator does in a room of their own is not recorded', async () => {
  const [ben, boss] = [await newMember(), await newStaff('admin')];
  const room = await newRoom(boss, 'private');
  const params = { chatroomId: room, userId: ben.id };
  await add(boss.client, room, ben);
  const messageId = (await say(ben, room, 'Spam')).id;
  await boss.client.call(deleteChatMessage, { params: { chatroomId: room, messageId } });
  await boss.client.call(muteChatMember, { params, body: { minutes: 5 } });
  await boss.client.call(removeChatroomMember, { params });
  for (const target of [room, messageId]) assert.deepEqual(await entriesOf(target), []);
});

test('staff who mute, ban or remove members of the rooms of others are recorded, once for each change', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  const [mod, boss] = [await newStaff('moderator'), await newStaff('admin')];
  const room = await newRoom(ada, 'private');
  await add(ada.client, room, ben);
  const params = { chatroomId: room, userId: ben.id };
  const because = { params, body: { reason } };
  await mod.client.call(muteChatMember, { params, body: { minutes: 5, reason } });
  for (let time = 0; time < 2; time++) await mod.client.call(unmuteChatMember, because);
  await boss.client.call(removeChatroomMember, because);
  for (let time = 0; time < 2; time++) await mod.client.call(banChatMember, because);
  for (let time = 0; time < 2; time++) await mod.client.call(unbanChatMember, because);
  await ada.client.call(banChatMember, { params });
  const by = (who: Member, what: string) => [`chatroom.member-${what}`, who.id, ben.id, reason];
  const expected = [by(mod, 'muted'), by(mod, 'unmuted'), by(boss, 'removed'), by(mod, 'banned')];
  assert.deepEqual(await entriesOf(room), [...expected, by(mod, 'unbanned')]);
});

test('a message that a moderator deletes is recorded with its author, who is notified of the reason', async () => {
  const [ada, ben, mod] = [await newMember(), await newMember(), await newStaff('moderator')];
  const room = await newRoom(ada);
  const deletion = async ({ client }: Member, why?: string) => {
    const { id: messageId } = await say(ben, room, 'Buy my course');
    await client.call(deleteChatMessage, {
      params: { chatroomId: room, messageId },
      body: { ...(why && { reason: why }) },
    });
    return messageId;
  };
  for (const who of [ada, ben]) assert.deepEqual(await entriesOf(await deletion(who)), []);
  const [entry, ...others] = (await admin.call(listAudit, { query: { target: await deletion(mod, reason) } }))
    .data;
  assert.deepEqual(
    [others.length, entry?.action, entry?.actor, entry?.reason, entry?.details.authorId],
    [0, 'message.removed', mod.id, reason, ben.id],
  );
  await until(async () => {
    const { data } = await ben.client.call(listNotifications, { query: { type: 'moderation' } });
    return data.some(({ title, message }) => /message was removed/.test(title) && message === reason);
  }, 'the notification');
});

test('what staff changes in a room that is not public is recorded without what its texts said', async () => {
  const [ada, boss] = [await newMember(), await newStaff('admin')];
  const secret = { name: 'Divorce', description: 'Of Ada', rules: ['Not a word'] };
  const body = { ...secret, type: 'private' } as const;
  const params = { chatroomId: (await ada.client.call(createChatroom, { body })).data.id };
  const change = (changes: object) =>
    boss.client.call(updateChatroom, { params, body: { ...changes, reason } });
  await change({ name: 'Chatroom', rules: [], slowModeSeconds: 5 });
  await change({ type: 'group' });
  await boss.client.call(deleteChatroom, { params, body: { reason } });
  const { data } = await admin.call(listAudit, { query: { target: params.chatroomId } });
  assert.deepEqual(
    data.reverse().map(({ action, targetName, changes, details }) => [action, targetName, changes, details]),
    [
      [
        'chatroom.changed',
        null,
        { slowModeSeconds: [0, 5] },
        { changedTexts: ['name', 'rules'], authorId: ada.id },
      ],
      ['chatroom.changed', null, { type: ['private', 'group'] }, { authorId: ada.id }],
      ['chatroom.removed', null, {}, { authorId: ada.id }],
    ],
  );
});

test('nor does the audit log have the texts of a public room that is closed at once', async () => {
  const [ada, boss] = [await newMember(), await newStaff('admin')];
  const chatroomId = await newRoom(ada);
  const body = { name: 'Divorce', type: 'private', reason } as const;
  await boss.client.call(updateChatroom, { params: { chatroomId }, body });
  const [entry] = (await admin.call(listAudit, { query: { target: chatroomId } })).data;
  assert.deepEqual([entry?.targetName, entry?.changes], [null, { type: ['public', 'private'] }]);
});
