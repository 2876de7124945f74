import { Type } from 'typebox';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { member } from '../../../kernel/operations/access.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { created, type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import { DeletedRecord } from '../../../kernel/operations/shapes.ts';
import { blocked, muted } from '../../moderation/contract.ts';
import { ANNOUNCED_PER_HOUR, announcedAnswer } from '../../notifications/contract.ts';
import type { AnnouncementRules } from '../announcements/announcements.ts';
import { announcementNotFound, commentNotFound } from '../failures.ts';
import { CommentInBody, CommentShape, ListAnnouncementCommentsQuery } from './comments.schemas.ts';
import type { CommentRules, CreatedComment } from './comments.ts';

const tag = 'Announcements';
const params = Type.Object({ announcementId: pathId('announcement') });

interface CommentOperationDeps {
  comments: CommentRules;
  announcements: AnnouncementRules;
}

const createdComment = ({ comment, isQuiet }: CreatedComment) =>
  announcedAnswer(comment, 'Comment created', !isQuiet);

export const commentOperations = ({ comments, announcements }: CommentOperationDeps): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/educators/announcements/:announcementId/comments',
    id: 'listAnnouncementComments',
    tag,
    summary: 'List the comments on an announcement, newest first',
    access: member,
    params,
    query: ListAnnouncementCommentsQuery,
    success: pageOf(CommentShape),
    failures: [announcementNotFound],
    load: ({ params }) => announcements.find(params.announcementId),
    handle: ({ loaded, query }) => comments.pageOf(loaded.id, query),
  }),
  operation({
    method: 'POST',
    path: '/v1/educators/announcements/:announcementId/comments',
    id: 'createAnnouncementComment',
    tag,
    summary: 'Comment on an announcement',
    description: `The educator is notified of up to ${ANNOUNCED_PER_HOUR.member} comments of a member an hour; further ones are stored without a notification.`,
    access: member,
    params,
    idempotent: true,
    body: CommentInBody,
    success: created(CommentShape, { message: 'Comment created' }),
    failures: [announcementNotFound, blocked, muted],
    load: ({ params }) => announcements.find(params.announcementId),
    handle: async ({ loaded, body, caller, idempotency }) => {
      const answering = { idempotency, of: createdComment };
      return createdComment(await comments.create(loaded, body.content, caller, answering));
    },
  }),
  operation({
    method: 'PUT',
    path: '/v1/educators/announcements/comments/:commentId',
    id: 'updateAnnouncementComment',
    tag,
    summary: 'Change the text of a comment',
    description: 'Requires its author or a moderator, who tells the author the `reason`.',
    access: member,
    isAlsoForStaff: true,
    params: Type.Object({ commentId: pathId('comment') }),
    body: CommentInBody,
    success: ok(CommentShape, { message: 'Comment updated' }),
    failures: [commentNotFound, insufficientPermissions, blocked, muted],
    load: ({ params, caller }) => comments.changeable(params.commentId, caller),
    handle: ({ loaded, body, caller, facts }) => comments.change(loaded, body.content, caller, facts),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/educators/announcements/comments/:commentId',
    id: 'deleteAnnouncementComment',
    tag,
    summary: 'Delete a comment',
    description:
      'Requires its author, the educator who made the announcement, or a moderator, who tells the author the `reason`.',
    access: member,
    isAlsoForStaff: true,
    params: Type.Object({ commentId: pathId('comment') }),
    success: ok(DeletedRecord, { message: 'Comment deleted' }),
    failures: [commentNotFound, insufficientPermissions],
    load: ({ params, caller }) => comments.deletable(params.commentId, caller),
    handle: async ({ loaded, caller, facts }) => {
      await comments.delete(loaded, caller, facts);
      return { id: loaded.id };
    },
  }),
];
