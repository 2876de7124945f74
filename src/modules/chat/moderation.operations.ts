import { Type } from 'typebox';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { moderator, userNotFound } from '../identity/contract.ts';
import {
  alreadyReported,
  alreadyResolved,
  ownReport,
  reportNotFound,
  tooManyReports,
} from '../moderation/contract.ts';
import { RESTRICTED_MEMBERS } from './allowances.ts';
import { ReportShape, SentReportShape } from './chat.schemas.ts';
import { banned, creatorStays, notMember, roomNotFound } from './contract.ts';
import { memberNotFound, messageNotFound, tooManyRestrictions } from './failures.ts';
import { REPORTABLE_DAYS } from './messages.model.ts';
import {
  BannedOut,
  ListChatReportsQuery,
  ListChatRestrictionsQuery,
  MuteChatMemberBody,
  MutedOut,
  ReportChatMessageBody,
  ResolveChatReportBody,
  RestrictionShape,
} from './moderation.schemas.ts';
import type { ReportRules } from './reports.ts';
import type { RoomRules } from './rooms.ts';

const tag = 'Chat moderation';
const params = Type.Object({ chatroomId: pathId('chatroom'), userId: pathId('user') });
const description =
  'Requires the creator of the chatroom or a moderator, of whom the audit log has the `reason`.';
const limit = `A member can mute, ban and lift that ${RESTRICTED_MEMBERS.limit} times an hour.`;
const failures = [
  roomNotFound,
  insufficientPermissions,
  userNotFound,
  creatorStays,
  () => tooManyRestrictions(1),
];

export const moderationOperations = (rooms: RoomRules, reports: ReportRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/chatrooms/:chatroomId/restrictions',
    id: 'listChatRestrictions',
    tag,
    summary: 'List who is muted in a chatroom or banned from it',
    description: 'Requires the creator of the chatroom or a moderator.',
    access: member,
    params: Type.Object({ chatroomId: pathId('chatroom') }),
    query: ListChatRestrictionsQuery,
    success: pageOf(RestrictionShape),
    failures: [roomNotFound, insufficientPermissions],
    load: ({ params, caller }) => rooms.moderated(params.chatroomId, caller),
    handle: ({ loaded: room, query }) => rooms.restrictionsOf(room, query),
  }),
  operation({
    method: 'PUT',
    path: '/v1/chatrooms/:chatroomId/members/:userId/mute',
    id: 'muteChatMember',
    tag,
    summary: 'Mute a member',
    description: `${description} Somebody who has never been in a chatroom that is not public is not found. ${limit}`,
    access: member,
    params,
    isAlsoForStaff: true,
    body: MuteChatMemberBody,
    success: MutedOut,
    failures: [...failures, memberNotFound],
    load: ({ params, caller }) => rooms.moderated(params.chatroomId, caller),
    handle: async ({ loaded: room, params, body, caller, facts }) => ({
      ...params,
      mutedUntil: await rooms.mute(room, params.userId, body.minutes, { caller, facts }),
    }),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/chatrooms/:chatroomId/members/:userId/mute',
    id: 'unmuteChatMember',
    tag,
    summary: 'Unmute a member',
    description: `${description} ${limit}`,
    access: member,
    params,
    isAlsoForStaff: true,
    success: MutedOut,
    failures: [...failures, memberNotFound],
    load: ({ params, caller }) => rooms.moderated(params.chatroomId, caller),
    handle: async ({ loaded: room, params, caller, facts }) => ({
      ...params,
      mutedUntil: await rooms.mute(room, params.userId, undefined, { caller, facts }),
    }),
  }),
  ...([true, false] as const).map((isBan) =>
    operation({
      method: isBan ? 'PUT' : 'DELETE',
      path: '/v1/chatrooms/:chatroomId/members/:userId/ban',
      id: isBan ? 'banChatMember' : 'unbanChatMember',
      tag,
      summary: isBan ? 'Ban a member' : 'Lift the ban of a member',
      description: `${description}${isBan ? ' Their connections are unsubscribed from the room immediately.' : ''} ${limit}`,
      access: member,
      params,
      isAlsoForStaff: true,
      success: BannedOut,
      failures,
      load: ({ params, caller }) => rooms.moderated(params.chatroomId, caller),
      handle: async ({ loaded: room, params, caller, facts }) => {
        await rooms[isBan ? 'ban' : 'unban'](room, params.userId, { caller, facts });
        return { ...params, banned: isBan };
      },
    }),
  ),
  operation({
    method: 'POST',
    path: '/v1/chatrooms/:chatroomId/messages/:messageId/report',
    id: 'reportChatMessage',
    tag,
    summary: 'Report a message to the moderators',
    description: `You can also report a message of the last ${REPORTABLE_DAYS} days that you cannot read any more: its author or the creator of the chatroom has deleted it, the chatroom was deleted or ceased to be public, or you have left it or were removed or banned from it. The answer does not repeat its text then. Moderators also see what it said before it was edited, as far as that was in these days.`,
    access: member,
    params: Type.Object({ chatroomId: pathId('chatroom'), messageId: pathId('message') }),
    idempotent: true,
    body: ReportChatMessageBody,
    success: created(SentReportShape, { message: 'Reported' }),
    failures: [roomNotFound, notMember, banned, messageNotFound, alreadyReported, () => tooManyReports(30)],
    load: ({ params, caller }) => reports.reportable(params.chatroomId, params.messageId, caller),
    handle: ({ loaded: found, body, caller, idempotency }) =>
      reports.report(found, body.reason, caller, idempotency),
  }),
  operation({
    method: 'GET',
    path: '/v1/chatrooms/reports',
    id: 'listChatReports',
    tag,
    summary: 'List reported messages, newest first',
    access: moderator,
    query: ListChatReportsQuery,
    success: pageOf(ReportShape),
    handle: ({ query: { status, ...request }, caller }) => reports.pageOf(status, request, caller),
  }),
  operation({
    method: 'POST',
    path: '/v1/chatrooms/reports/:reportId/resolve',
    id: 'resolveChatReport',
    tag,
    summary: 'Dismiss a report, or delete the reported message',
    description:
      'All open reports of the message are resolved with the same outcome. Moderators cannot resolve reports of what they wrote or reported themselves.',
    access: moderator,
    params: Type.Object({ reportId: pathId('report') }),
    body: ResolveChatReportBody,
    success: ok(ReportShape, { message: 'Report resolved' }),
    failures: [reportNotFound, alreadyResolved, ownReport],
    load: ({ params }) => reports.find(params.reportId),
    handle: ({ loaded: report, body, caller, facts }) => reports.resolve(report.id, body, caller, facts),
  }),
];
