import { Type } from 'typebox';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { member } from '../../../kernel/operations/access.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { created, type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import { educator, notEducator, userNotFound } from '../../identity/contract.ts';
import { blocked } from '../../moderation/contract.ts';
import { TRANSFER_FAILURES } from '../../wallet/contract.ts';
import { educatorNotFound } from '../contract.ts';
import { tipOneself } from '../failures.ts';
import type { ProfileRules } from '../profiles/profiles.ts';
import {
  ListedTip,
  ListReceivedTipsQuery,
  ListSentTipsQuery,
  TipEducatorBody,
  TipShape,
  TipTotals,
} from './tips.schemas.ts';
import type { TipRules } from './tips.ts';

const tag = 'Tips';
const params = Type.Object({ educatorId: pathId('educator') });
const failures = [educatorNotFound, notEducator];

interface TipOperationDeps {
  tips: TipRules;
  profiles: ProfileRules;
}

export const tipOperations = ({ tips, profiles }: TipOperationDeps): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/educators/:educatorId/tip',
    id: 'tipEducator',
    tag,
    summary: 'Tip an educator',
    description:
      'A tip is a wallet transfer marked as a gift. It appears in the history of both wallets, and the educator is notified.',
    access: member,
    params,
    body: TipEducatorBody,
    idempotent: true,
    success: created(TipShape, { message: 'Tip sent' }),
    failures: [...failures, tipOneself, blocked, ...TRANSFER_FAILURES, userNotFound],
    load: ({ params }) => profiles.activeOf(params.educatorId),
    handle: ({ loaded, body, caller, idempotency }) => tips.tip(loaded.id, body, caller, idempotency),
  }),
  operation({
    method: 'GET',
    path: '/v1/educators/tips/sent',
    id: 'listSentTips',
    tag,
    summary: 'List the tips you gave, newest first',
    description: '`other` is the educator.',
    access: member,
    query: ListSentTipsQuery,
    success: pageOf(ListedTip),
    handle: ({ query, caller }) => tips.pageOf(caller.userId, 'sent', query),
  }),
  operation({
    method: 'GET',
    path: '/v1/educators/tips/sent/totals',
    id: 'getSentTipTotals',
    tag,
    summary: 'Retrieve totals of the tips you gave',
    access: member,
    success: ok(TipTotals),
    handle: ({ caller }) => tips.totalsOf(caller.userId, 'sent'),
  }),
  operation({
    method: 'GET',
    path: '/v1/educators/:educatorId/tips',
    id: 'listReceivedTips',
    tag,
    summary: 'List the tips an educator received, newest first',
    description: 'Requires the educator or an administrator. `other` is the member who gave the tip.',
    access: educator,
    params,
    query: ListReceivedTipsQuery,
    success: pageOf(ListedTip),
    failures: [...failures, insufficientPermissions],
    load: ({ params, caller }) => profiles.managed(params.educatorId, caller),
    handle: ({ loaded, query }) => tips.pageOf(loaded.id, 'received', query),
  }),
  operation({
    method: 'GET',
    path: '/v1/educators/:educatorId/tips/totals',
    id: 'getReceivedTipTotals',
    tag,
    summary: 'Retrieve totals of the tips an educator received',
    access: educator,
    params,
    success: ok(TipTotals),
    failures: [...failures, insufficientPermissions],
    load: ({ params, caller }) => profiles.managed(params.educatorId, caller),
    handle: ({ loaded }) => tips.totalsOf(loaded.id, 'received'),
  }),
];
