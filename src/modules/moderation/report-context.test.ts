// What moderators see around what was reported: no more than its neighbours, and not without a trace.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  assignPermissions,
  createAnnouncement,
  createAnnouncementComment,
  createComment,
  createCommunity,
  createPost,
  createTrade,
  deleteAnnouncement,
  deleteChatMessage,
  deleteChatroom,
  deleteComment,
  editChatMessage,
  getReportContext,
  joinCommunity,
  listAudit,
  report,
  updateChatroom,
  type wire,
} from '../../../sdk/src/index.ts';
import { newRoom, say } from '../../../test/support/chatrooms.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform();
const { admin, newMember } = platform;
const [ada, ben] = [await newEducator(platform), await newMember()];
const eve = await newMember();
await admin.call(assignPermissions, { params: { userId: eve.id }, body: { permissions: ['moderator'] } });

type Kind = wire.Report['kind'];
const reportOf = async (kind: Kind, subjectId: string, by: Pick<Member, 'client'> = ben): Promise<string> =>
  (await by.client.call(report, { body: { kind, subjectId, reason: 'Spam' } })).data.id;
const contextOf = async (reportId: string, by: Pick<Member, 'client'> = eve) =>
  (await by.client.call(getReportContext, { params: { reportId } })).data;
const textsOf = ({ entries }: wire.ReportContext) => entries.map(({ text }) => text);
/** The entries of the audit log about moderators who read what they are no part of. */
const looks = async () =>
  (await admin.call(listAudit, { query: { action: 'moderation.context-read' } })).data;

/** A private room of Ada, with Ben in it. */
async function privateRoom(): Promise<string> {
  const room = await newRoom(ada, 'private');
  await ada.client.call(addChatroomMember, { params: { chatroomId: room }, body: { userId: ben.id } });
  return room;
}

test('a message is shown among ten on each side, the deleted ones without their texts', async () => {
  const room = await newRoom(ada);
  const said: wire.ChatMessage[] = [];
  for (let place = 0; place < 25; place++) said.push(await say(ada, room, `Message ${place}`));
  const of = (place: number) => ({ chatroomId: room, messageId: said[place]?.id ?? assert.fail() });
  await ada.client.call(deleteChatMessage, { params: of(10) });
  await ada.client.call(editChatMessage, { params: of(14), body: { message: 'Another text' } });
  const context = await contextOf(await reportOf('message', of(12).messageId));
  const { place, entries } = context;
  assert.deepEqual([place?.kind, place?.id, place?.name, place?.type], ['chatroom', room, 'Gold', 'public']);
  assert.equal(place?.author.id, ada.id);
  const now: Record<number, string | null> = { 10: null, 14: 'Another text' };
  const shown = Array.from({ length: 21 }, (_, at) => at + 2);
  assert.deepEqual(
    textsOf(context),
    shown.map((at) => (at in now ? now[at] : `Message ${at}`)),
  );
  const deleted = entries.filter(({ deletedAt }) => deletedAt !== null);
  assert.deepEqual(
    deleted.map(({ id, user }) => [id, user.id]),
    [[of(10).messageId, ada.id]],
  );
  assert.equal(entries[10]?.id, of(12).messageId);
  assert.deepEqual(await looks(), [], 'everybody may read it');
});

test('what its author has deleted stays in its place, and a deleted room is still named', async () => {
  const room = await newRoom(ada);
  const said = [await say(ada, room, 'One'), await say(ada, room, 'Two'), await say(ada, room, 'Three')];
  const messageId = said[1]?.id ?? assert.fail();
  const reportId = await reportOf('message', messageId);
  await ada.client.call(deleteChatMessage, { params: { chatroomId: room, messageId } });
  assert.deepEqual(textsOf(await contextOf(reportId)), ['One', null, 'Three']);
  await ada.client.call(deleteChatroom, { params: { chatroomId: room } });
  const { place, entries } = await contextOf(reportId);
  assert.deepEqual([place?.name, entries.length], ['Gold', 3]);
});

test('the audit log has who read in a room that is not public without being in it', async () => {
  const room = await privateRoom();
  const { id } = await say(ada, room, 'Between us');
  const reportId = await reportOf('message', id);
  for (let time = 0; time < 2; time++) await contextOf(reportId);
  const [look, ...others] = await looks();
  assert.deepEqual(others, []);
  assert.deepEqual([look?.actor, look?.target], [eve.id, id]);
  assert.deepEqual(look?.details, { reportId, kind: 'message', authorId: ada.id, containerId: room });

  await ada.client.call(addChatroomMember, { params: { chatroomId: room }, body: { userId: eve.id } });
  await contextOf(reportId);
  assert.equal((await looks()).length, 1, 'who is in it reads it anyway');
});

test('a room that has ceased to be public is one that is not', async () => {
  const room = await newRoom(ada);
  const reportId = await reportOf('message', (await say(ada, room, 'Once for all')).id);
  const before = (await looks()).length;
  await ada.client.call(updateChatroom, { params: { chatroomId: room }, body: { type: 'group' } });
  await contextOf(reportId);
  assert.equal((await looks()).length, before + 1);
});

test('comments and posts are shown with what they stand in and their neighbours, also once they are gone', async () => {
  const { id: communityId } = (await ada.client.call(createCommunity, { body: { name: 'Metals' } })).data;
  await ben.client.call(joinCommunity, { params: { communityId } });
  const post = async (content: string) =>
    (await ada.client.call(createPost, { params: { communityId }, body: { content } })).data.id;
  const posts = [await post('Copper'), await post('Gold'), await post('Silver')];
  const postId = posts[1] ?? assert.fail();
  const ofPost = await contextOf(await reportOf('post', postId));
  assert.deepEqual([ofPost.place?.kind, ofPost.place?.name], ['community', 'Metals']);
  assert.deepEqual(textsOf(ofPost), ['Copper', 'Gold', 'Silver']);

  const comment = async (content: string) =>
    (await ben.client.call(createComment, { params: { postId }, body: { content } })).data.id;
  await comment('At last.');
  const commentId = await comment('You lie.');
  await comment('Sorry.');
  const reportId = await reportOf('post_comment', commentId, ada);
  const ofComment = await contextOf(reportId);
  const { place } = ofComment;
  assert.deepEqual(
    [place?.kind, place?.id, place?.name, place?.text, place?.author.id],
    ['post', postId, 'Metals', 'Gold', ada.id],
  );
  assert.deepEqual(textsOf(ofComment), ['At last.', 'You lie.', 'Sorry.']);
  await ben.client.call(deleteComment, { params: { commentId } });
  assert.deepEqual(textsOf(await contextOf(reportId)), ['At last.', 'Sorry.']);
});

test('a comment on an announcement is shown with the announcement, and with nothing once that is gone', async () => {
  const body = { title: 'Buy', content: 'Now!' };
  const { id: announcementId } = (
    await ada.client.call(createAnnouncement, { params: { educatorId: ada.id }, body })
  ).data;
  const comment = async (content: string) =>
    (await ben.client.call(createAnnouncementComment, { params: { announcementId }, body: { content } })).data
      .id;
  await comment('Why?');
  const reportId = await reportOf('comment', await comment('Fool.'), ada);
  const context = await contextOf(reportId);
  assert.deepEqual(
    [context.place?.kind, context.place?.name, context.place?.text],
    ['announcement', 'Buy', 'Now!'],
  );
  assert.deepEqual(textsOf(context), ['Why?', 'Fool.']);
  await ada.client.call(deleteAnnouncement, { params: { announcementId } });
  assert.equal((await contextOf(reportId)).place, null);
});

test('what stands alone has no surroundings', async () => {
  const trade = { symbol: 'GOLD', direction: 'long', entryPrice: 2_400 } as const;
  const { id } = (await ada.client.call(createTrade, { body: trade })).data;
  assert.deepEqual(await contextOf(await reportOf('trade', id)), {
    place: null,
    entries: [],
    earlierTexts: [],
  });
});
