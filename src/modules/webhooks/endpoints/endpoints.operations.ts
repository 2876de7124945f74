import { Type } from 'typebox';
import { administrator } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { changedMeanwhile } from '../../../kernel/operations/lost-updates.ts';
import {
  accepted,
  created,
  type Operation,
  ok,
  operation,
  pageOf,
} from '../../../kernel/operations/operation.ts';
import {
  EndpointChanges,
  EndpointDetail,
  EndpointDraft,
  EndpointQuery,
  EndpointShape,
  NewEndpoint,
  RotatedSecret,
  TestSent,
} from './endpoints.schemas.ts';
import {
  type EndpointRules,
  endpointDisabled,
  endpointLimit,
  endpointNotFound,
  secretJustReplaced,
} from './endpoints.ts';

const tag = 'Webhook endpoints';
const params = Type.Object({ id: pathId('webhook endpoint') });
const shared = { tag, access: administrator, params, failures: [endpointNotFound] };

export const endpointOperations = (endpoints: EndpointRules): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/webhook-endpoints',
    id: 'createWebhookEndpoint',
    tag,
    summary: 'Register an endpoint that events are sent to',
    access: administrator,
    isSensitive: true,
    idempotent: true,
    answersSecret: true,
    body: EndpointDraft,
    success: created(NewEndpoint, { message: 'Webhook endpoint created' }),
    failures: [endpointLimit],
    handle: ({ body, caller, facts, idempotency }) =>
      endpoints.create(body, actorOf(caller, facts), idempotency),
  }),
  operation({
    method: 'GET',
    path: '/v1/webhook-endpoints',
    id: 'listWebhookEndpoints',
    tag,
    summary: 'List webhook endpoints, newest first',
    access: administrator,
    query: EndpointQuery,
    success: pageOf(EndpointShape),
    handle: ({ query }) => endpoints.pageOf(query),
  }),
  operation({
    ...shared,
    method: 'GET',
    path: '/v1/webhook-endpoints/:id',
    id: 'getWebhookEndpoint',
    summary: 'Retrieve a webhook endpoint and the state of its deliveries',
    success: ok(EndpointDetail),
    handle: ({ params: { id } }) => endpoints.get(id),
  }),
  operation({
    ...shared,
    method: 'PATCH',
    path: '/v1/webhook-endpoints/:id',
    id: 'updateWebhookEndpoint',
    summary: 'Change a webhook endpoint; enabling one continues where it stopped',
    isSensitive: true,
    body: EndpointChanges,
    success: ok(EndpointShape, { message: 'Webhook endpoint changed' }),
    failures: [endpointNotFound, changedMeanwhile],
    load: ({ params: { id } }) => endpoints.find(id),
    handle: ({ params: { id }, body, caller, facts }) => endpoints.update(id, body, actorOf(caller, facts)),
  }),
  operation({
    ...shared,
    method: 'DELETE',
    path: '/v1/webhook-endpoints/:id',
    id: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    isSensitive: true,
    success: ok(Type.Null(), { message: 'Webhook endpoint deleted' }),
    handle: ({ params: { id }, caller, facts }) => endpoints.remove(id, actorOf(caller, facts)),
  }),
  operation({
    ...shared,
    method: 'POST',
    path: '/v1/webhook-endpoints/:id/rotate-secret',
    id: 'rotateWebhookSecret',
    summary: 'Replace the secret of a webhook endpoint; for 24 hours deliveries are signed with both',
    description:
      'The secret before the former one stops signing at once; a second replacement within ten seconds is therefore 409.',
    isSensitive: true,
    success: ok(RotatedSecret, { message: 'Secret replaced' }),
    failures: [endpointNotFound, secretJustReplaced],
    handle: ({ params: { id }, caller, facts }) => endpoints.rotate(id, actorOf(caller, facts)),
  }),
  operation({
    ...shared,
    method: 'POST',
    path: '/v1/webhook-endpoints/:id/test',
    id: 'testWebhookEndpoint',
    summary: 'Send a `webhook.test` to a webhook endpoint',
    isSensitive: true,
    idempotent: true,
    success: accepted(TestSent),
    failures: [endpointNotFound, endpointDisabled],
    handle: ({ params: { id }, caller, facts, idempotency }) =>
      endpoints.test(id, actorOf(caller, facts), idempotency),
  }),
];
