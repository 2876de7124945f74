import { Type } from 'typebox';
import { member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { momentPageOf } from '../../kernel/operations/moments.ts';
import { created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { moderator, userNotFound } from '../identity/contract.ts';
import { type BlockRules, blockOneself, tooManyBlocked } from './blocks.ts';
import {
  alreadyRemoved,
  alreadyReported,
  alreadyResolved,
  ownReport,
  type Reportable,
  reportNotFound,
  tooManyReports,
} from './contract.ts';
import {
  BlockedOut,
  BlockShape,
  ListBlocksQuery,
  ReportContext,
  ResolvedReport,
  ResolveReportBody,
  ResolveReportsBody,
  reportShapes,
} from './moderation.schemas.ts';
import type { ContextOfReport } from './report-context.ts';
import type { ReportedItemRules } from './reported-items.ts';
import { SHOWN_NEIGHBOURS } from './reports.model.ts';
import type { ReportRules } from './reports.ts';

const tag = 'Moderation';
const params = Type.Object({ userId: pathId('user') });

export const blockOperations = (blocks: BlockRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/blocks',
    id: 'listBlocks',
    tag,
    summary: 'List the members you block, newest block first',
    access: member,
    query: ListBlocksQuery,
    success: pageOf(BlockShape),
    handle: ({ query, caller }) => blocks.pageOf(momentPageOf(query), caller),
  }),
  operation({
    method: 'PUT',
    path: '/v1/blocks/:userId',
    id: 'blockMember',
    tag,
    summary: 'Block a member',
    description:
      'A blocked member can no longer follow you or subscribe to you, comment on what you publish, or write in your chatrooms and communities or in a room that only the two of you share. Follows and subscriptions between you end, in both directions. They are banned from your chatrooms, and you leave a chatroom of theirs in which only the two of you are. Earlier messages and comments are kept. Repeating the request has no further effect.',
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
    summary: 'Unblock a member',
    access: member,
    params,
    success: ok(BlockedOut, { message: 'Unblocked' }),
    handle: async ({ params, caller }) => {
      await blocks.unblock(params.userId, caller);
      return { userId: params.userId, blocked: false };
    },
  }),
];

interface ReportOperationDeps {
  reports: ReportRules;
  items: ReportedItemRules;
  contextOf: ContextOfReport;
}

/** Operations on reports of the content types that modules contribute. */
export function reportOperations(
  { reports, items, contextOf }: ReportOperationDeps,
  reportables: Reportable[],
): Operation[] {
  const { ReportShape, ReportedItem, SentReport, ReportBody, ListReportsQuery } = reportShapes(
    reportables.map(({ kind }) => kind),
  );
  return [
    operation({
      method: 'POST',
      path: '/v1/reports',
      id: 'report',
      tag,
      summary: 'Report content to the moderators',
      description:
        'You can report each item once, and again if its text has changed after the verdict, or is back after it was removed. Items that you cannot see cannot be reported (403 or 404), except for chat messages of the last seven days that you could read: see `reportChatMessage`.',
      access: member,
      idempotent: true,
      body: ReportBody,
      success: created(SentReport, { message: 'Reported' }),
      failures: [
        alreadyReported,
        alreadyRemoved,
        reportNotFound,
        () => tooManyReports(30),
        ...reportables.flatMap(({ failures = [] }) => failures),
      ],
      handle: ({ body: { kind, subjectId, reason }, caller, idempotency }) =>
        reports.report({ kind, subjectId, reason }, caller, { idempotency }),
    }),
    operation({
      method: 'GET',
      path: '/v1/moderation/reports',
      id: 'listReports',
      tag,
      summary: 'List reports, newest first',
      access: moderator,
      query: ListReportsQuery,
      success: pageOf(ReportShape),
      handle: ({ query: { kind, status, ...request }, caller }) =>
        reports.worklist({ kind, status }, request, caller),
    }),
    operation({
      method: 'GET',
      path: '/v1/moderation/items',
      id: 'listReportedItems',
      tag,
      summary: 'List what is reported, newest report first',
      description:
        'The fields of a report are those of the newest one of the item, by whose `id` all open ones are resolved. Without `status` an item is listed once for each status of its reports.',
      access: moderator,
      query: ListReportsQuery,
      success: pageOf(ReportedItem),
      handle: ({ query: { kind, status, ...request }, caller }) =>
        items.pageOf({ kind, status }, request, caller),
    }),
    operation({
      method: 'GET',
      path: '/v1/moderation/reports/:reportId/context',
      id: 'getReportContext',
      tag,
      summary: 'Retrieve what stands around a reported message, post or comment',
      description: `Where it stands, and up to ${SHOWN_NEIGHBOURS} neighbours on each side, without the texts of deleted ones. What stands alone, such as an announcement, a trade idea, a story or a profile, has no place and no entries. Reading so the messages of a chatroom that is not public, and that you are not in, is recorded in the audit log, once an hour for each item.`,
      access: moderator,
      params: Type.Object({ reportId: pathId('report') }),
      success: ok(ReportContext),
      failures: [reportNotFound],
      load: ({ params }) => reports.find(params.reportId),
      handle: ({ loaded, caller, facts }) => contextOf(loaded, caller, facts),
    }),
    operation({
      method: 'POST',
      path: '/v1/moderation/reports/:reportId/resolve',
      id: 'resolveReport',
      tag,
      summary: 'Dismiss a report, or remove the reported content',
      description:
        'All open reports of the same item are resolved with the same outcome. Moderators cannot resolve reports of what they wrote or reported themselves. Recorded in the audit log.',
      access: moderator,
      params: Type.Object({ reportId: pathId('report') }),
      body: ResolveReportBody,
      success: ok(ReportShape, { message: 'Report resolved' }),
      failures: [reportNotFound, alreadyResolved, ownReport],
      load: ({ params }) => reports.find(params.reportId),
      handle: ({ loaded, body, caller, facts }) => reports.resolveNamed(loaded.id, body, caller, facts),
    }),
    operation({
      method: 'POST',
      path: '/v1/moderation/reports/resolve',
      id: 'resolveReports',
      tag,
      summary: 'Resolve reports alike, with a result for each',
      description:
        'As each would be resolved by itself; one that cannot be resolved leaves the others as they are.',
      access: moderator,
      body: ResolveReportsBody,
      success: ok(Type.Array(ResolvedReport), { message: 'Reports resolved' }),
      handle: ({ body: { ids, ...verdict }, caller, facts }) =>
        reports.resolveAll(ids, verdict, caller, facts),
    }),
  ];
}
