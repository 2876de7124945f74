import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  blockMember,
  createAnnouncementComment,
  deleteAnnouncementComment,
  listAnnouncementComments,
  listNotifications,
  unblockMember,
  updateAnnouncementComment,
  type wire,
} from '../../../../sdk/src/index.ts';
import { announce } from '../../../../test/support/announcements.ts';
import { newEducator } from '../../../../test/support/courses.ts';
import { until } from '../../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { blocked } from '../../moderation/contract.ts';
import { commentNotFound } from '../failures.ts';

const platform = await startPlatform();
const [ada, ben] = [await newEducator(platform), await platform.newMember()];

/** Three comments of Ben's on an announcement of Ada's. */
async function threeComments() {
  const { id } = await announce(ada);
  const comments: wire.AnnouncementComment[] = [];
  for (const content of ['a', 'b', 'c']) {
    const comment = { params: { announcementId: id }, body: { content } };
    comments.push((await ben.client.call(createAnnouncementComment, comment)).data);
  }
  const list = async (before?: string) =>
    (
      await ben.client.call(listAnnouncementComments, {
        params: { announcementId: id },
        query: before === undefined ? {} : { before },
      })
    ).body;
  return { comments: comments as [Comment, Comment, Comment], list };
}
type Comment = wire.AnnouncementComment;

const remove = ({ client }: Pick<Member, 'client'>, { id }: Comment) =>
  client.attempt(deleteAnnouncementComment, { params: { commentId: id } });

test('comments are listed newest first, with their authors', async () => {
  const { comments, list } = await threeComments();
  assert.deepEqual([comments[0].user.name, comments[0].userId], ['Test Member', ben.id]);
  const contents = async (before?: string) => (await list(before)).data.map(({ content }) => content);
  assert.deepEqual(await contents(), ['c', 'b', 'a']);
  assert.deepEqual(await contents(comments[2].id), ['b', 'a']);
});

test('the educator is notified of every comment', async () => {
  const { comments } = await threeComments();
  const heard = async () => {
    const { data } = await ada.client.call(listNotifications, { query: { type: 'comment_reply' } });
    return data.map(({ metadata }) => metadata.commentId);
  };
  await until(async () => {
    const ids = await heard();
    return comments.every(({ id }) => ids.includes(id));
  }, 'the notifications of the educator');
});

test('comments are deleted by their author, the educator and moderators, and no longer counted', async () => {
  const { comments, list } = await threeComments();
  const stranger = await platform.newMember();
  assertRefused(await remove(stranger, comments[0]), insufficientPermissions);
  assert.equal((await remove(ben, comments[0])).status, 200);
  assert.equal((await remove(ada, comments[1])).status, 200);
  assert.equal((await remove({ client: platform.admin }, comments[2])).status, 200);
  assertRefused(await remove(ben, comments[2]), commentNotFound);
  assert.equal((await list()).pagination.total, 0);
});

test('whom the educator has blocked deletes comments, but does not change them', async () => {
  const { comments, list } = await threeComments();
  const [first, second] = comments;
  const change = ({ client }: Pick<Member, 'client'>) =>
    client.attempt(updateAnnouncementComment, {
      params: { commentId: second.id },
      body: { content: 'You liar' },
    });
  const contents = async () => (await list()).data.map(({ content }) => content);
  await ada.client.call(blockMember, { params: { userId: ben.id } });
  assertRefused(await change(ben), blocked);
  assert.equal((await remove(ben, first)).status, 200);
  assert.deepEqual(await contents(), ['c', 'b']);
  assert.equal((await change({ client: platform.admin })).status, 200, 'moderators act as such');
  await ada.client.call(unblockMember, { params: { userId: ben.id } });
  assert.equal((await change(ben)).status, 200);
});

test('a comment says when its text was last changed', async () => {
  const { comments, list } = await threeComments();
  const [first] = comments;
  assert.equal(first.editedAt, null);
  const change = { params: { commentId: first.id }, body: { content: 'Thanks' } };
  const { data: changed } = await ben.client.call(updateAnnouncementComment, change);
  assert.ok(changed.editedAt && changed.editedAt >= changed.createdAt);
  platform.clock.advance(1_000);
  const { data: same } = await ben.client.call(updateAnnouncementComment, change);
  assert.equal(same.editedAt, changed.editedAt);
  assert.deepEqual(
    (await list()).data.map(({ editedAt }) => editedAt),
    [null, null, changed.editedAt],
  );
});
