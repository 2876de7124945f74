import { Type } from 'typebox';
import { member, moderator } from '../../kernel/operations/access.ts';
import { bodyId, pathId } from '../../kernel/operations/ids.ts';
import { created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import {
  DateTime,
  nullable,
  ObjectIdShape,
  oneOf,
  pageQuery,
  readableText,
} from '../../kernel/operations/shapes.ts';
import { userNotFound } from '../identity/contract.ts';
import { type BlockRules, blockOneself, tooManyBlocked } from './blocks.ts';
import {
  alreadyReported,
  alreadyResolved,
  REPORT_KINDS,
  REPORT_STATUSES,
  reportNotFound,
} from './contract.ts';
import type { ReportRules } from './reports.ts';

const tag = 'Moderation';
const params = Type.Object({ userId: pathId('user') });
const KindShape = oneOf(REPORT_KINDS, { examples: ['announcement'] });

const BlockShape = Type.Object(
  {
    userId: ObjectIdShape,
    firstName: Type.String(),
    lastName: Type.String(),
    avatar: nullable(Type.String()),
    blockedAt: DateTime,
  },
  { $id: 'Block' },
);
const BlockedOut = Type.Object({ userId: ObjectIdShape, blocked: Type.Boolean() });

const ReportShape = Type.Object(
  {
    id: ObjectIdShape,
    kind: KindShape,
    subjectId: ObjectIdShape,
    containerId: nullable(ObjectIdShape),
    authorId: ObjectIdShape,
    text: Type.String({ description: 'As it was when it was reported' }),
    reportedBy: ObjectIdShape,
    reason: Type.String({ examples: ['Spam'] }),
    status: oneOf(REPORT_STATUSES),
    createdAt: DateTime,
    resolvedAt: nullable(DateTime),
    resolvedBy: nullable(ObjectIdShape),
  },
  { $id: 'Report' },
);
const SentReport = Type.Object(
  {
    id: ObjectIdShape,
    kind: KindShape,
    subjectId: ObjectIdShape,
    status: oneOf(REPORT_STATUSES),
    createdAt: DateTime,
  },
  { $id: 'SentReport' },
);

export const blockOperations = (blocks: BlockRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/blocks',
    id: 'listBlocks',
    tag,
    summary: 'Whom you block, the newest block first',
    access: member,
    query: Type.Object(pageQuery()),
    success: pageOf(BlockShape),
    handle: ({ query, caller }) => blocks.pageOf(query, caller),
  }),
  operation({
    method: 'PUT',
    path: '/v1/blocks/:userId',
    id: 'blockMember',
    tag,
    summary: 'Block a member',
    description:
      'They can no longer follow you, comment on what you publish, or write to you in a chatroom of yours or in a room of you two; a follow ends. What they wrote before stays. Repeated, it changes nothing.',
    access: member,
    params,
    success: ok(BlockedOut, { message: 'Blocked' }),
    failures: [userNotFound, blockOneself, tooManyBlocked],
    load: ({ params }) => blocks.mustExist(params.userId),
    handle: async ({ params, caller }) => {
      await blocks.block(params.userId, caller);
      return { userId: params.userId, blocked: true };
    },
  }),
  operation({
    method: 'DELETE',
    path: '/v1/blocks/:userId',
    id: 'unblockMember',
    tag,
    summary: 'Block a member no longer',
    access: member,
    params,
    success: ok(BlockedOut, { message: 'Unblocked' }),
    handle: async ({ params, caller }) => {
      await blocks.unblock(params.userId, caller);
      return { userId: params.userId, blocked: false };
    },
  }),
];

export const reportOperations = (reports: ReportRules): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/reports',
    id: 'report',
    tag,
    summary: 'Report something to the moderators',
    description: 'Once for each thing. What you may not see you cannot report (403 or 404).',
    access: member,
    body: Type.Object({
      kind: KindShape,
      subjectId: bodyId('subject'),
      reason: readableText(500, { examples: ['Spam'] }),
    }),
    success: created(SentReport, { message: 'Reported' }),
    failures: [alreadyReported, reportNotFound],
    handle: ({ body, caller }) => reports.report(body.kind, body.subjectId, body.reason, caller),
  }),
  operation({
    method: 'GET',
    path: '/v1/moderation/reports',
    id: 'listReports',
    tag,
    summary: 'What was reported, newest first',
    access: moderator,
    query: Type.Object({
      ...pageQuery(),
      kind: Type.Optional(KindShape),
      status: Type.Optional(oneOf(REPORT_STATUSES)),
    }),
    success: pageOf(ReportShape),
    handle: ({ query: { page, limit, ...filter } }) => reports.pageOf(filter, { page, limit }),
  }),
  operation({
    method: 'POST',
    path: '/v1/moderation/reports/:reportId/resolve',
    id: 'resolveReport',
    tag,
    summary: 'Dismiss a report, or remove what was reported',
    description: 'All open reports of the same thing are resolved alike; it stands in the audit log.',
    access: moderator,
    params: Type.Object({ reportId: pathId('report') }),
    body: Type.Object({ outcome: oneOf(['dismissed', 'removed']) }),
    success: ok(ReportShape, { message: 'Report resolved' }),
    failures: [reportNotFound, alreadyResolved],
    load: ({ params }) => reports.find(params.reportId),
    handle: ({ loaded, body, caller }) => reports.resolve(loaded.id, body.outcome, caller),
  }),
];
