import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  banChatMember,
  createChatroom,
  deleteChatroom,
  getChatroom,
  joinChatroom,
  listAudit,
  listNotifications,
  listReports,
  muteUser,
  report,
  resolveReport,
  unmuteUser,
  updateChatroom,
} from '../../../sdk/src/index.ts';
import { newRoom, say, textsOf } from '../../../test/support/chatrooms.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { muted } from '../moderation/contract.ts';
import { notMember, roomNotFound } from './contract.ts';

// The name, description and rules of a room are texts of its creator: they are reported, changed and muted as others.

const platform = await startPlatform();
const { admin } = platform;
const [ada, ben, eve] = [await platform.newMember(), await platform.newMember(), await platform.newMember()];
await admin.call(assignPermissions, { params: { userId: eve.id }, body: { permissions: ['moderator'] } });
const reason = 'Insults';
const RUDE = { name: 'Ben is a thief', description: 'All about Ben', rules: ['Laugh at Ben.', 'Again.'] };

const newRudeRoom = async () =>
  (await ada.client.call(createChatroom, { body: { ...RUDE, type: 'public' } })).data.id;
const change = ({ client }: Pick<Member, 'client'>, chatroomId: string, body: object) =>
  client.attempt(updateChatroom, { params: { chatroomId }, body });
const tell = ({ client }: Member, kind: 'chatroom' | 'message', subjectId: string) =>
  client.attempt(report, { body: { kind, subjectId, reason } });
const openReports = async (subjectId: string) =>
  (await admin.call(listReports, { query: { status: 'open' } })).data.filter(
    (one) => one.subjectId === subjectId,
  );

test('the texts of a chatroom are reported and removed, and its messages and their reports stay', async () => {
  const room = await newRudeRoom();
  const { id: messageId } = await say(ada, room, 'Hello');
  assert.equal((await tell(ben, 'message', messageId)).status, 201);
  assert.equal((await tell(ben, 'chatroom', room)).status, 201);
  const [open = assert.fail()] = await openReports(room);
  assert.deepEqual(
    [open.text, open.authorId, open.containerId],
    ['Ben is a thief\nAll about Ben\nLaugh at Ben.\nAgain.', ada.id, null],
  );
  await eve.client.call(resolveReport, { params: { reportId: open.id }, body: { outcome: 'removed' } });
  const { name, description, rules } = (await ben.client.call(getChatroom, { params: { chatroomId: room } }))
    .data;
  assert.deepEqual({ name, description, rules }, { name: 'Chatroom', description: '', rules: [] });
  assert.deepEqual(await textsOf(ben, room), ['Hello']);
  assert.equal((await openReports(messageId)).length, 1);
});

test('the texts of a chatroom are reported by those who read it or were in it, and by nobody else', async () => {
  const room = await newRudeRoom();
  await ben.client.call(joinChatroom, { params: { chatroomId: room } });
  await ada.client.call(banChatMember, { params: { chatroomId: room, userId: ben.id } });
  assert.equal((await tell(ben, 'chatroom', room)).status, 201);
  const [open = assert.fail()] = await openReports(room);
  await admin.call(deleteChatroom, { params: { chatroomId: room }, body: { reason } });
  assert.deepEqual(await openReports(room), [], `${open.id} closes with the room`);
  const { data } = await admin.call(listAudit, { query: { target: room } });
  assert.deepEqual(
    data.map(({ action, reason }) => [action, reason]),
    [['chatroom.removed', reason]],
  );
  assertRefused(await tell(ben, 'chatroom', room), roomNotFound);
  assertRefused(await tell(ben, 'chatroom', await newRoom(ada, 'private')), notMember);
});

test('moderators change the texts of a chatroom with a reason, which its creator is told, and nothing else of it', async () => {
  const room = await newRudeRoom();
  assertRefused(await change(ben, room, { name: 'Gold' }), insufficientPermissions);
  for (const body of [{ type: 'private' }, { slowModeSeconds: 5 }, { name: 'Gold', type: 'private' }])
    assertRefused(await change(eve, room, { ...body, reason }), insufficientPermissions);
  const kind = { name: 'Gold', description: '', rules: ['Be kind.'] };
  assert.equal((await change(eve, room, { ...kind, reason })).data?.name, 'Gold');
  const { data } = await admin.call(listAudit, { query: { target: room } });
  assert.deepEqual(
    data.map(({ action, targetName, changes, reason }) => [action, targetName, changes, reason]),
    [
      [
        'chatroom.changed',
        RUDE.name,
        {
          name: [RUDE.name, 'Gold'],
          description: [RUDE.description, ''],
          rules: [RUDE.rules, ['Be kind.']],
        },
        reason,
      ],
    ],
  );
  const told = async () =>
    (await ada.client.call(listNotifications)).data.some(
      ({ type, title, message }) =>
        type === 'moderation' && message === reason && /chatroom was changed/.test(title),
    );
  await until(told, 'the notification');
});

test('a creator who is muted everywhere does not change the texts of a chatroom, but the rest of it', async () => {
  const [cat, params] = [await platform.newMember(), { userId: '' }];
  params.userId = cat.id;
  const room = await newRoom(cat);
  await admin.call(muteUser, { params, body: { minutes: 5, reason } });
  for (const body of [{ name: 'Oil' }, { description: 'Oil' }, { rules: ['Oil.'] }])
    assertRefused(await change(cat, room, body), muted);
  assert.equal((await change(cat, room, { slowModeSeconds: 5 })).data?.slowModeSeconds, 5);
  assert.equal((await change(cat, room, { type: 'private' })).data?.type, 'private');
  await admin.call(unmuteUser, { params });
  assert.equal((await change(cat, room, { name: 'Oil' })).data?.name, 'Oil');
});
