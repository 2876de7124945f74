// Moderators who decide about the same thing, at once or one after another.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  createCommunity,
  createPost,
  editChatMessage,
  getAnnouncement,
  getPost,
  joinCommunity,
  listAudit,
  listChatMessages,
  listReports,
  report,
  resolveReport,
} from '../../../sdk/src/index.ts';
import { announce } from '../../../test/support/announcements.ts';
import { newRoom, say } from '../../../test/support/chatrooms.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { untilAvailable } from '../../../test/support/holding.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { alreadyResolved } from './contract.ts';

const platform = await startPlatform();
const { admin } = platform;
const [ada, ben, eve] = [await newEducator(platform), await platform.newMember(), await platform.newMember()];
await admin.call(assignPermissions, { params: { userId: eve.id }, body: { permissions: ['moderator'] } });
const room = await newRoom(ada);
const params = {
  communityId: (await ada.client.call(createCommunity, { body: { name: 'Metals' } })).data.id,
};
await ada.client.call(joinCommunity, { params });

/** Makes something that can be reported, and tells whether it is still there. */
const KINDS = {
  message: async () => {
    const { id } = await say(ada, room, 'Buy!');
    const page = { params: { chatroomId: room } };
    return {
      id,
      isThere: async () =>
        (await ada.client.call(listChatMessages, page)).data.some((message) => message.id === id),
    };
  },
  post: async () => {
    const { id } = (await ada.client.call(createPost, { params, body: { content: 'Buy!' } })).data;
    const read = () => ada.client.attempt(getPost, { params: { postId: id } });
    return { id, isThere: async () => (await read()).status === 200 };
  },
  announcement: async () => {
    const { id } = await announce(ada);
    const read = () => ada.client.attempt(getAnnouncement, { params: { announcementId: id } });
    return { id, isThere: async () => (await read()).status === 200 };
  },
};

for (const [kind, make] of Object.entries(KINDS))
  test(`of two verdicts at once about a reported ${kind} one counts, and nothing of the other is done`, async () => {
    for (let round = 0; round < 4; round++) {
      const { id: subjectId, isThere } = await make();
      const body = { kind: kind as keyof typeof KINDS, subjectId, reason: 'Spam' };
      const { id: reportId } = (await ben.client.call(report, { body })).data;
      const decide = (by: typeof admin, outcome: 'removed' | 'dismissed') =>
        untilAvailable(() => by.attempt(resolveReport, { params: { reportId }, body: { outcome } }));
      const [removed, kept] = await Promise.all([decide(admin, 'removed'), decide(eve.client, 'dismissed')]);
      assert.deepEqual([removed.status, kept.status].sort(), [200, 409]);
      assertRefused(removed.status === 200 ? kept : removed, alreadyResolved);
      assert.equal(await isThere(), kept.status === 200);
      const { data: reports } = await admin.call(listReports, { query: { kind: body.kind, limit: 1 } });
      assert.equal(reports[0]?.status, removed.status === 200 ? 'removed' : 'dismissed');
      const { data: entries } = await admin.call(listAudit, { query: { action: 'moderation.resolved' } });
      assert.equal(entries.filter(({ details }) => details?.subjectId === subjectId).length, 1);
    }
  });

test('a later verdict is about the reports made since the earlier one', async () => {
  const { id: messageId } = await say(ada, room, 'Buy!');
  const decide = async (outcome: 'removed' | 'dismissed') => {
    const body = { kind: 'message' as const, subjectId: messageId, reason: 'Spam' };
    const { id: reportId } = (await ben.client.call(report, { body })).data;
    await admin.call(resolveReport, { params: { reportId }, body: { outcome } });
  };
  await decide('dismissed');
  await ada.client.call(editChatMessage, {
    params: { chatroomId: room, messageId },
    body: { message: 'Sell!' },
  });
  await decide('removed');
  const { data: reports } = await admin.call(listReports, { query: { kind: 'message' } });
  assert.deepEqual(
    reports.flatMap(({ subjectId, status }) => (subjectId === messageId ? [status] : [])),
    ['removed', 'dismissed'],
  );
});
