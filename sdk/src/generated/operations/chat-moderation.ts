// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** List who is muted in a chatroom or banned from it. `GET /v1/chatrooms/{chatroomId}/restrictions` For member. */
export const listChatRestrictions: Operation<{
  params: {
    chatroomId: wire.ObjectId;
  };
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `userId` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
  };
  data: wire.ChatroomRestriction[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listChatRestrictions',
  method: 'GET',
  path: '/v1/chatrooms/{chatroomId}/restrictions',
  fill: filled,
  pages: pagesOf,
  cursor: ['before', 'userId'],
};

/** Mute a member. `PUT /v1/chatrooms/{chatroomId}/members/{userId}/mute` For member. */
export const muteChatMember: Operation<{
  params: {
    chatroomId: wire.ObjectId;
    userId: wire.ObjectId;
  };
  body: wire.MuteChatMemberBody;
  data: wire.MuteChatMemberResult;
  code: AnyCode | TokenCode | WriteCode | 'CREATOR_CANNOT_LEAVE' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'RESTRICTION_LIMIT_EXCEEDED';
}> = {
  id: 'muteChatMember',
  method: 'PUT',
  path: '/v1/chatrooms/{chatroomId}/members/{userId}/mute',
  fill: filled,
};

/** Unmute a member. `DELETE /v1/chatrooms/{chatroomId}/members/{userId}/mute` For member. */
export const unmuteChatMember: Operation<{
  params: {
    chatroomId: wire.ObjectId;
    userId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.UnmuteChatMemberResult;
  code: AnyCode | TokenCode | WriteCode | 'CREATOR_CANNOT_LEAVE' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'RESTRICTION_LIMIT_EXCEEDED';
}> = {
  id: 'unmuteChatMember',
  method: 'DELETE',
  path: '/v1/chatrooms/{chatroomId}/members/{userId}/mute',
  fill: filled,
};

/** Ban a member. `PUT /v1/chatrooms/{chatroomId}/members/{userId}/ban` For member. */
export const banChatMember: Operation<{
  params: {
    chatroomId: wire.ObjectId;
    userId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.BanChatMemberResult;
  code: AnyCode | TokenCode | WriteCode | 'CREATOR_CANNOT_LEAVE' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'RESTRICTION_LIMIT_EXCEEDED';
}> = {
  id: 'banChatMember',
  method: 'PUT',
  path: '/v1/chatrooms/{chatroomId}/members/{userId}/ban',
  fill: filled,
};

/** Lift the ban of a member. `DELETE /v1/chatrooms/{chatroomId}/members/{userId}/ban` For member. */
export const unbanChatMember: Operation<{
  params: {
    chatroomId: wire.ObjectId;
    userId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.UnbanChatMemberResult;
  code: AnyCode | TokenCode | WriteCode | 'CREATOR_CANNOT_LEAVE' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'RESTRICTION_LIMIT_EXCEEDED';
}> = {
  id: 'unbanChatMember',
  method: 'DELETE',
  path: '/v1/chatrooms/{chatroomId}/members/{userId}/ban',
  fill: filled,
};

/** Report a message to the moderators. `POST /v1/chatrooms/{chatroomId}/messages/{messageId}/report` For member. */
export const reportChatMessage: Operation<{
  params: {
    chatroomId: wire.ObjectId;
    messageId: wire.ObjectId;
  };
  body: wire.ReportChatMessageBody;
  data: wire.SentChatReport;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'ALREADY_REPORTED' | 'BANNED' | 'INVALID_ID' | 'NOT_A_MEMBER' | 'NOT_FOUND' | 'REPORT_LIMIT_EXCEEDED';
}> = {
  id: 'reportChatMessage',
  method: 'POST',
  path: '/v1/chatrooms/{chatroomId}/messages/{messageId}/report',
  fill: filled,
  isIdempotent: true,
};

/** List reported messages, newest first. `GET /v1/chatrooms/reports` For moderator, administrator. */
export const listChatReports: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    status?: 'open' | 'dismissed' | 'removed';
  };
  data: wire.ChatReport[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'listChatReports',
  method: 'GET',
  path: '/v1/chatrooms/reports',
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** Dismiss a report, or delete the reported message. `POST /v1/chatrooms/reports/{reportId}/resolve` For moderator, administrator. */
export const resolveChatReport: Operation<{
  params: {
    reportId: wire.ObjectId;
  };
  body: wire.ResolveChatReportBody;
  data: wire.ChatReport;
  code: AnyCode | TokenCode | WriteCode | 'ALREADY_RESOLVED' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'OWN_REPORT';
}> = {
  id: 'resolveChatReport',
  method: 'POST',
  path: '/v1/chatrooms/reports/{reportId}/resolve',
  fill: filled,
};
