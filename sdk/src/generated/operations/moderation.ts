// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** List the members you block, newest block first. `GET /v1/blocks` For member. */
export const listBlocks: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `blockedAt` and `userId` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.Moment;
  };
  data: wire.Block[];
  paged: true;
  code: AnyCode | TokenCode;
}> = {
  id: 'listBlocks',
  method: 'GET',
  path: '/v1/blocks',
  pages: pagesOf,
  cursor: ['before', 'blockedAt', 'userId'],
};

/** Block a member. `PUT /v1/blocks/{userId}` For member. */
export const blockMember: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  data: wire.BlockMemberResult;
  code: AnyCode | TokenCode | WriteCode | 'BLOCK_ONESELF' | 'INVALID_ID' | 'NOT_FOUND' | 'TOO_MANY_BLOCKED';
}> = {
  id: 'blockMember',
  method: 'PUT',
  path: '/v1/blocks/{userId}',
  fill: filled,
};

/** Unblock a member. `DELETE /v1/blocks/{userId}` For member. */
export const unblockMember: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  data: wire.UnblockMemberResult;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_ID';
}> = {
  id: 'unblockMember',
  method: 'DELETE',
  path: '/v1/blocks/{userId}',
  fill: filled,
};

/** Mute a member everywhere. `PUT /v1/admin/auth/users/{userId}/mute` For moderator, administrator. */
export const muteUser: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  body: wire.MuteUserBody;
  data: wire.MuteUserResult;
  code: AnyCode | TokenCode | WriteCode | 'CHANGED_MEANWHILE' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'STAFF_NOT_MUTED';
}> = {
  id: 'muteUser',
  method: 'PUT',
  path: '/v1/admin/auth/users/{userId}/mute',
  fill: filled,
};

/** End the mute of a member. `DELETE /v1/admin/auth/users/{userId}/mute` For moderator, administrator. */
export const unmuteUser: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.UnmuteUserResult;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'unmuteUser',
  method: 'DELETE',
  path: '/v1/admin/auth/users/{userId}/mute',
  fill: filled,
};

/** Report content to the moderators. `POST /v1/reports` For member. */
export const report: Operation<{
  body: wire.ReportBody;
  data: wire.SentReport;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'ALREADY_REMOVED' | 'ALREADY_REPORTED' | 'BANNED' | 'INVALID_ID' | 'NOT_A_MEMBER' | 'NOT_FOUND' | 'REPORT_LIMIT_EXCEEDED';
}> = {
  id: 'report',
  method: 'POST',
  path: '/v1/reports',
  isIdempotent: true,
};

/** List reports, newest first. `GET /v1/moderation/reports` For moderator, administrator. */
export const listReports: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    kind?: 'announcement' | 'chatroom' | 'comment' | 'community' | 'livestream' | 'message' | 'post' | 'post_comment' | 'profile' | 'review' | 'story' | 'trade';
    status?: 'open' | 'dismissed' | 'removed';
  };
  data: wire.Report[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'listReports',
  method: 'GET',
  path: '/v1/moderation/reports',
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** List what is reported, newest report first. `GET /v1/moderation/items` For moderator, administrator. */
export const listReportedItems: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    kind?: 'announcement' | 'chatroom' | 'comment' | 'community' | 'livestream' | 'message' | 'post' | 'post_comment' | 'profile' | 'review' | 'story' | 'trade';
    status?: 'open' | 'dismissed' | 'removed';
  };
  data: wire.ReportedItem[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'listReportedItems',
  method: 'GET',
  path: '/v1/moderation/items',
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** Retrieve what stands around a reported message, post or comment. `GET /v1/moderation/reports/{reportId}/context` For moderator, administrator. */
export const getReportContext: Operation<{
  params: {
    reportId: wire.ObjectId;
  };
  data: wire.ReportContext;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getReportContext',
  method: 'GET',
  path: '/v1/moderation/reports/{reportId}/context',
  fill: filled,
};

/** Dismiss a report, or remove the reported content. `POST /v1/moderation/reports/{reportId}/resolve` For moderator, administrator. */
export const resolveReport: Operation<{
  params: {
    reportId: wire.ObjectId;
  };
  body: wire.ResolveReportBody;
  data: wire.Report;
  code: AnyCode | TokenCode | WriteCode | 'ALREADY_RESOLVED' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'OWN_REPORT';
}> = {
  id: 'resolveReport',
  method: 'POST',
  path: '/v1/moderation/reports/{reportId}/resolve',
  fill: filled,
};

/** Resolve reports alike, with a result for each. `POST /v1/moderation/reports/resolve` For moderator, administrator. */
export const resolveReports: Operation<{
  body: wire.ResolveReportsBody;
  data: wire.ResolvedReport[];
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'resolveReports',
  method: 'POST',
  path: '/v1/moderation/reports/resolve',
};
