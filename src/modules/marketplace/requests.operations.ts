import { Type } from 'typebox';
import { administrator, member } from '../../kernel/operations/access.ts';
import { actorOf } from '../../kernel/operations/callers.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { momentPageOf } from '../../kernel/operations/moments.ts';
import {
  answer,
  created,
  type Operation,
  ok,
  operation,
  pageOf,
  Streamed,
} from '../../kernel/operations/operation.ts';
import { spelled } from '../../kernel/text/numbers.ts';
import { SECOND_MS } from '../../kernel/time/time.ts';
import { userNotFound } from '../identity/contract.ts';
import { GRANT_WAIT_MS } from '../indicators/contract.ts';
import { productNotFound, requestNotFound } from './contract.ts';
import {
  BulkDecision,
  chartingIdRequired,
  DecidedRequest,
  DecisionInBody,
  DecisionsInBody,
  GetAccessRequestStatusQuery,
  ListAccessRequestsQuery,
  ListOwnRequestsQuery,
  OwnRequest,
  QueuedRequest,
  RequestInBody,
  RequestStatus,
  SubmittedAccessRequest,
} from './requests.schemas.ts';
import { noForm, type RequestRules, type SubmittedRequest, tooManyRequestsOfMember } from './requests.ts';
import { ALREADY, type Reviewing } from './reviewing.ts';

const tag = 'Marketplace';
const base = '/v1/streams/marketplace/access-requests';

function submitted({ request: { decidedBy: _, ...request }, outcome, ignored }: SubmittedRequest) {
  if (outcome === 'submitted') return answer(request, { ignored });
  const message = outcome === 'updated' ? 'Request updated' : 'The request is already approved';
  return answer(request, { status: 200, message, ignored });
}

export const requestOperations = (requests: RequestRules, reviews: Reviewing): Operation[] => [
  operation({
    method: 'POST',
    path: base,
    id: 'submitAccessRequest',
    tag,
    summary: 'Request access to a product',
    description:
      'Submitting again for the same product and e-mail updates the request (200); a request that is already approved is returned unchanged. Access is granted to the account that submits the request, regardless of the e-mail.',
    access: member,
    idempotent: true,
    body: RequestInBody,
    success: created(SubmittedAccessRequest, { message: 'Request submitted', alternative: 200 }),
    failures: [productNotFound, noForm, chartingIdRequired, tooManyRequestsOfMember],
    faults: ({ body }) => requests.faultsOf(body),
    handle: async ({ body, caller, idempotency }) =>
      submitted(await requests.submit(body, caller.userId, { idempotency, of: submitted })),
  }),
  operation({
    method: 'GET',
    path: `${base}/status`,
    id: 'getAccessRequestStatus',
    tag,
    summary: 'Retrieve the status of access requests by product',
    description:
      'Covers your own requests made with the given e-mail; for administrators, those of all members. If a product has several requests, `approved` takes precedence.',
    access: member,
    query: GetAccessRequestStatusQuery,
    success: ok(Type.Record(Type.String(), RequestStatus)),
    handle: ({ query, caller }) => requests.statusesOf(query.email, caller),
  }),
  operation({
    method: 'GET',
    path: `${base}/mine`,
    id: 'listOwnAccessRequests',
    tag,
    summary: 'List your access requests, newest first',
    description: 'With your answers, and the reason of a decision.',
    access: member,
    query: ListOwnRequestsQuery,
    success: pageOf(OwnRequest),
    handle: ({ query: { productId, ...page }, caller }) => requests.pageOf(caller.userId, productId, page),
  }),
  operation({
    method: 'GET',
    path: base,
    id: 'listAccessRequests',
    tag,
    summary: 'List access requests, most recently changed first',
    description: '`format=csv` returns all matching requests as a file.',
    access: administrator,
    query: ListAccessRequestsQuery,
    success: pageOf(QueuedRequest, { alsoAs: 'text/csv' }),
    handle: async ({ query: { page, limit, before, format, ...filter } }) =>
      format === 'csv'
        ? new Streamed({
            kind: 'text',
            contentType: 'text/csv; charset=utf-8',
            fileName: 'access-requests.csv',
            chunks: reviews.csvOf(filter),
          })
        : reviews.queue(filter, momentPageOf({ page, limit, before })),
  }),
  operation({
    method: 'PATCH',
    path: base,
    id: 'decideAccessRequests',
    tag,
    summary: 'Decide access requests alike, with a result for each',
    description: `As each would be decided by itself; one that cannot be decided leaves the others as they are. Grants that have not taken effect within ${spelled(GRANT_WAIT_MS / SECOND_MS)} seconds for all have an \`entitlementWarning\`.`,
    access: administrator,
    body: DecisionsInBody,
    success: ok(Type.Array(BulkDecision), { message: 'Decisions saved' }),
    handle: ({ body: { ids, ...decision }, caller, facts }) =>
      reviews.decideAll(ids, decision, actorOf(caller, facts)),
  }),
  operation({
    method: 'PATCH',
    path: `${base}/:id`,
    id: 'decideAccessRequest',
    tag,
    summary: 'Approve or deny an access request, or withdraw a decision',
    description: `Approving a request for a scanner product grants its indicator; withdrawing the approval revokes the grant it created. The decision is saved in any case. If access is not granted within ${spelled(GRANT_WAIT_MS / SECOND_MS)} seconds, \`entitlementWarning\` contains the reason.`,
    access: administrator,
    params: Type.Object({ id: pathId('request') }),
    body: DecisionInBody,
    success: ok(DecidedRequest, { message: 'Decision saved' }),
    failures: [requestNotFound, userNotFound, ...Object.values(ALREADY)],
    load: ({ params }) => requests.existing(params.id),
    handle: ({ loaded, body, caller, facts }) => reviews.decide(loaded.id, body, actorOf(caller, facts)),
  }),
];
