import { Type } from 'typebox';
import { administrator, member } from '../../kernel/operations/access.ts';
import { actorOf } from '../../kernel/operations/callers.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import {
  answer,
  created,
  type Operation,
  ok,
  operation,
  pageOf,
  Streamed,
} from '../../kernel/operations/operation.ts';
import { productNotFound, requestNotFound } from './contract.ts';
import {
  AccessRequest,
  chartingIdRequired,
  DecidedRequest,
  DecisionInBody,
  GetAccessRequestStatusQuery,
  ListAccessRequestsQuery,
  QueuedRequest,
  RequestInBody,
  RequestStatus,
} from './requests.schemas.ts';
import type { RequestStore } from './requests.store.ts';
import { noForm, type RequestRules, tooManyRequestsOfMember } from './requests.ts';

const tag = 'Marketplace';
const base = '/v1/streams/marketplace/access-requests';

export const requestOperations = (
  requests: RequestRules,
  store: Pick<RequestStore, 'pageOf'>,
): Operation[] => [
  operation({
    method: 'POST',
    path: base,
    id: 'submitAccessRequest',
    tag,
    summary: 'Ask for a product',
    description:
      'Submitting again for the same product and e-mail corrects the request (200); an approved one is answered as it is. Access goes to the account that asks, whatever the e-mail.',
    access: member,
    body: RequestInBody,
    success: created(AccessRequest, { message: 'Request submitted', alternative: 200 }),
    failures: [productNotFound, noForm, chartingIdRequired, tooManyRequestsOfMember],
    handle: async ({ body, caller }) => {
      const { request, isNew } = await requests.submit(body, caller.userId);
      return isNew ? request : answer(request, { status: 200, message: 'Request updated' });
    },
  }),
  operation({
    method: 'GET',
    path: `${base}/status`,
    id: 'getAccessRequestStatus',
    tag,
    summary: 'The status of what was asked for with an e-mail, by product',
    description:
      'Of your own requests; administrators see those of all. `approved` wins where there are several.',
    access: member,
    query: GetAccessRequestStatusQuery,
    success: ok(Type.Record(Type.String(), RequestStatus)),
    handle: ({ query, caller }) => requests.statusesOf(query.email, caller),
  }),
  operation({
    method: 'GET',
    path: base,
    id: 'listAccessRequests',
    tag,
    summary: 'The review queue, the latest changed first',
    description: '`format=csv` answers all that match as a file.',
    access: administrator,
    query: ListAccessRequestsQuery,
    success: { ...pageOf(QueuedRequest), alsoAs: 'text/csv' },
    handle: async ({ query: { page, limit, format, ...filter } }) =>
      format === 'csv'
        ? new Streamed({
            kind: 'text',
            contentType: 'text/csv; charset=utf-8',
            fileName: 'access-requests.csv',
            chunks: requests.csvOf(filter),
          })
        : store.pageOf(filter, { page, limit }),
  }),
  operation({
    method: 'PATCH',
    path: `${base}/:id`,
    id: 'decideAccessRequest',
    tag,
    summary: 'Approve or deny a request, or take a decision back',
    description:
      'Approving a scanner request grants its indicator; taking that back revokes the grant that it created. The decision is saved in any case; `entitlementWarning` says why there is no access yet, after at most three seconds.',
    access: administrator,
    params: Type.Object({ id: pathId('request') }),
    body: DecisionInBody,
    success: ok(DecidedRequest, { message: 'Decision saved' }),
    failures: [requestNotFound],
    load: ({ params }) => requests.existing(params.id),
    handle: ({ loaded, body, caller, facts }) => requests.decide(loaded.id, body, actorOf(caller, facts)),
  }),
];
