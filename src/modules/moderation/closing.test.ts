// Reports of what a moderator removes without deciding about them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  createAnnouncement,
  createAnnouncementComment,
  createComment,
  createCommunity,
  createPost,
  createStory,
  createTrade,
  deleteAnnouncement,
  deleteAnnouncementComment,
  deleteChatMessage,
  deleteComment,
  deleteCommunity,
  deletePost,
  deleteStory,
  deleteTrade,
  getEducatorChatroom,
  getPost,
  joinCommunity,
  listAudit,
  listReports,
  muteUser,
  report as reportOperation,
  resolveReport,
  sendChatMessage,
} from '../../../sdk/src/index.ts';
import type { TypesOf } from '../../../sdk/src/operation.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform();
const { admin } = platform;
const ada = await newEducator(platform);
const [cat, dan, eve] = [await platform.newMember(), await platform.newMember(), await platform.newMember()];
await admin.call(assignPermissions, { params: { userId: eve.id }, body: { permissions: ['moderator'] } });
const { client } = eve;

type Kind = TypesOf<typeof reportOperation>['body']['kind'];
const report = (by: Member, kind: Kind, subjectId: string) =>
  by.client.call(reportOperation, { body: { kind, subjectId, reason: 'Spam' } });
const reportsOf = async (subjectId: string) =>
  (await admin.call(listReports, { query: { limit: 100 } })).data.filter(
    (one) => one.subjectId === subjectId,
  );
const statesOf = async (subjectId: string) => (await reportsOf(subjectId)).map(({ status }) => status);

const announce = async () =>
  (
    await ada.client.call(createAnnouncement, {
      params: { educatorId: ada.id },
      body: { title: 'Buy', content: 'Now!' },
    })
  ).data;
const gold = { name: 'Gold', description: 'x' };
const community = (await ada.client.call(createCommunity, { body: gold })).data;
const { chatroomId } = (await ada.client.call(getEducatorChatroom, { params: { educatorId: ada.id } })).data;
async function newWriter(): Promise<Member> {
  const member = await platform.newMember();
  await member.client.call(joinCommunity, { params: { communityId: community.id } });
  await member.client.call(getEducatorChatroom, { params: { educatorId: ada.id } });
  return member;
}
const write = async (by: Member) =>
  (await by.client.call(createPost, { params: { communityId: community.id }, body: { content: 'Post.' } }))
    .data;
const shout = async (by: Member) =>
  (await by.client.call(sendChatMessage, { params: { chatroomId }, body: { message: 'Shout.' } })).data;
for (const { client } of [cat, dan])
  await client.call(getEducatorChatroom, { params: { educatorId: ada.id } });

const body = { reason: 'Spam' };
/** How a moderator removes content of each kind directly. */
const REMOVALS: Record<string, (writer: Member) => Promise<[id: string, remove: () => Promise<unknown>]>> = {
  message: async (writer) => {
    const { id: messageId } = await shout(writer);
    return [messageId, () => client.call(deleteChatMessage, { params: { chatroomId, messageId } })];
  },
  post: async (writer) => {
    const { id: postId } = await write(writer);
    return [postId, () => client.call(deletePost, { params: { postId }, body })];
  },
  post_comment: async (writer) => {
    const { id: postId } = await write(writer);
    const made = await writer.client.call(createComment, { params: { postId }, body: { content: 'Reply.' } });
    const commentId = made.data.id;
    return [commentId, () => client.call(deleteComment, { params: { commentId }, body })];
  },
  announcement: async () => {
    const { id: announcementId } = await announce();
    return [announcementId, () => admin.call(deleteAnnouncement, { params: { announcementId }, body })];
  },
  comment: async (writer) => {
    const params = { announcementId: (await announce()).id };
    const made = await writer.client.call(createAnnouncementComment, { params, body: { content: 'Rude.' } });
    const commentId = made.data.id;
    return [commentId, () => client.call(deleteAnnouncementComment, { params: { commentId }, body })];
  },
  trade: async () => {
    const made = { symbol: 'GOLD', direction: 'long' as const, entryPrice: 2_400, note: 'All in!' };
    const { id: tradeId } = (await ada.client.call(createTrade, { body: made })).data;
    return [tradeId, () => admin.call(deleteTrade, { params: { tradeId }, body })];
  },
  story: async () => {
    const { data } = await ada.client.call(createStory, {
      params: { educatorId: ada.id },
      body: { mediaType: 'image', mediaUrl: 'https://cdn.example.com/a.png' },
    });
    return [data.id, () => admin.call(deleteStory, { params: { storyId: data.id }, body })];
  },
};

for (const [kind, prepare] of Object.entries(REMOVALS))
  test(`when a moderator removes a ${kind} directly, the reports of it close as removed`, async () => {
    const writer = await newWriter();
    const [[id, remove], [other]] = [await prepare(writer), await prepare(writer)];
    for (const by of [cat, dan]) await report(by, kind as Kind, id);
    await report(cat, kind as Kind, other);
    await remove();
    assert.deepEqual(await statesOf(id), ['removed', 'removed']);
    assert.deepEqual(await statesOf(other), ['open']);
    const entries = (await admin.call(listAudit, { query: { action: 'moderation.resolved' } })).data;
    const own = entries.filter(({ details }) => details.subjectId === id);
    assert.deepEqual(
      own.map(({ details }) => details),
      [{ kind, subjectId: id, outcome: 'removed', reports: 2 }],
    );
  });

test('authors who delete what was reported, and moderators who reported it, leave the reports open', async () => {
  const writer = await newWriter();
  const params = { chatroomId, messageId: (await shout(writer)).id };
  await report(cat, 'message', params.messageId);
  await writer.client.call(deleteChatMessage, { params });
  assert.deepEqual(await statesOf(params.messageId), ['open']);
  const { id: postId } = await write(writer);
  await report(cat, 'post', postId);
  await report(eve, 'post', postId);
  await client.call(deletePost, { params: { postId }, body });
  assert.deepEqual(await statesOf(postId), ['open', 'open']);
});

test('a mute that deletes the latest messages closes the reports of them, and of nothing else', async () => {
  const writer = await newWriter();
  const [{ id: messageId }, { id: postId }] = [await shout(writer), await write(writer)];
  await report(cat, 'message', messageId);
  await report(cat, 'post', postId);
  await client.call(muteUser, {
    params: { userId: writer.id },
    body: { minutes: 5, reason: 'Spam', deleteMessages: true },
  });
  await until(async () => (await statesOf(messageId))[0] === 'removed', 'the report is closed');
  assert.equal((await reportsOf(messageId))[0]?.resolvedBy, eve.id);
  assert.deepEqual(await statesOf(postId), ['open']);
});

/** Has a reported comment written on something; returns its id. */
async function reportedComment(by: Member, postId: string): Promise<string> {
  const { id } = (await by.client.call(createComment, { params: { postId }, body: { content: 'Reply.' } }))
    .data;
  await report(cat, 'post_comment', id);
  return id;
}

test('the reports of comments close with the post or the announcement that a moderator removes', async () => {
  const writer = await newWriter();
  const [removed, judged, own] = [await write(writer), await write(writer), await write(writer)];
  const onRemoved = await reportedComment(writer, removed.id);
  const onJudged = await reportedComment(writer, judged.id);
  const onOwn = await reportedComment(await newWriter(), own.id);
  await client.call(deletePost, { params: { postId: removed.id }, body });
  const { id: reportId } = (await report(cat, 'post', judged.id)).data;
  await client.call(resolveReport, { params: { reportId }, body: { outcome: 'removed' } });
  await writer.client.call(deletePost, { params: { postId: own.id } });
  assert.deepEqual(
    [await statesOf(onRemoved), await statesOf(onJudged), await statesOf(onOwn)],
    [['removed'], ['removed'], ['open']],
    'an author does not decide about comments of others',
  );
  const params = { announcementId: (await announce()).id };
  const { data } = await writer.client.call(createAnnouncementComment, {
    params,
    body: { content: 'Rude.' },
  });
  await report(cat, 'comment', data.id);
  await admin.call(deleteAnnouncement, { params, body });
  assert.deepEqual(await statesOf(data.id), ['removed']);
});

test('the reports of posts and comments close with the community that a moderator deletes, not with one that its creator deletes', async () => {
  /** Returns the ids of a reported post and a reported comment of a community that somebody deletes. */
  async function afterDeletion(remove: (communityId: string) => Promise<unknown>): Promise<string[]> {
    const { id: communityId } = (await ada.client.call(createCommunity, { body: gold })).data;
    await dan.client.call(joinCommunity, { params: { communityId } });
    const content = { content: 'Post.' };
    const { id } = (await dan.client.call(createPost, { params: { communityId }, body: content })).data;
    const comment = await reportedComment(dan, id);
    await report(cat, 'post', id);
    await remove(communityId);
    const isGone = async () => (await dan.client.attempt(getPost, { params: { postId: id } })).status === 404;
    await until(isGone, 'the post is deleted');
    return [...(await statesOf(id)), ...(await statesOf(comment))];
  }
  const byModerator = (communityId: string) =>
    client.call(deleteCommunity, { params: { communityId }, body });
  assert.deepEqual(await afterDeletion(byModerator), ['removed', 'removed']);
  const byCreator = (communityId: string) => ada.client.call(deleteCommunity, { params: { communityId } });
  assert.deepEqual(await afterDeletion(byCreator), ['open', 'open']);
});

test('a report that is made while a moderator removes the content closes, too', async () => {
  const writer = await newWriter();
  const { id: messageId } = await shout(writer);
  const { id: postId } = await write(writer);
  const onPost = await reportedComment(writer, postId);
  const { id: reportId } = (await report(cat, 'post', postId)).data;
  await report(cat, 'message', messageId);
  await client.call(deleteChatMessage, { params: { chatroomId, messageId } });
  await client.call(resolveReport, { params: { reportId }, body: { outcome: 'removed' } });
  const removed = [messageId, postId, onPost];
  // As if they were inserted just before the commits, which they do not wait for.
  await platform.database.execute(
    `insert into moderation.report (id, kind, subject_id, container_id, author_id, text, reported_by, reason, status, created_at)
     select overlay(id placing '0000' from 1), kind, subject_id, container_id, author_id, text, $2, reason, 'open', created_at
     from moderation.report where subject_id = any($1)`,
    [removed, dan.id],
  );
  for (const id of removed) assert.deepEqual((await statesOf(id)).sort(), ['open', 'removed']);
  await platform.database.execute(
    "update jobs.job set start_after = now() where name = 'moderation.close-again' and state = 'created'",
  );
  await until(
    async () => (await Promise.all(removed.map(statesOf))).flat().every((status) => status === 'removed'),
    'the reports are closed',
  );
});
