import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  banChatMember,
  deleteUser,
  joinChatroom,
  leaveChatroom,
  listChatRestrictions,
  muteChatMember,
} from '../../../sdk/src/index.ts';
import { linesIn } from '../../../test/support/archives.ts';
import { newRoom } from '../../../test/support/chatrooms.ts';
import { exportOf } from '../../../test/support/exports.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform();
const { admin, database, newMember } = platform;

test('bans, mutes and rooms that a member has left are exported, counted and erased', async () => {
  const [ada, eve] = [await newMember(), await newMember()];
  const [barred, muted, left] = [await newRoom(ada), await newRoom(ada), await newRoom(ada)];
  await ada.client.call(banChatMember, { params: { chatroomId: barred, userId: eve.id } });
  await ada.client.call(muteChatMember, {
    params: { chatroomId: muted, userId: eve.id },
    body: { minutes: 60 },
  });
  await eve.client.call(joinChatroom, { params: { chatroomId: left } });
  await eve.client.call(leaveChatroom, { params: { chatroomId: left } });

  const lines = linesIn(await exportOf(eve), 'former-chatrooms');
  const filled = ['leftAt', 'mutedUntil', 'bannedAt'] as const;
  assert.deepEqual(
    lines.map((line) => [line.roomId, filled.filter((field) => line[field] !== null)]),
    [
      [barred, ['bannedAt']],
      [muted, ['mutedUntil']],
      [left, ['leftAt']],
    ],
  );

  const params = { userId: eve.id };
  const { data: planned } = await admin.call(deleteUser, { params, query: { dryRun: true } });
  const counted = planned.erased?.find(({ name }) => name === 'roomMemberships');
  assert.equal(counted?.count, 3);
  await admin.call(deleteUser, { params });
  const rows = () => database.count('select count(*) from chat.member where user_id = $1', [eve.id]);
  await until(async () => (await rows()) === 0, 'the erasure');
  for (const chatroomId of [barred, muted])
    assert.deepEqual((await ada.client.call(listChatRestrictions, { params: { chatroomId } })).data, []);
});
