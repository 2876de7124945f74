import { Type } from 'typebox';
import { type FailureMaker, validationFailed } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { administrator } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { accepted, type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import {
  DeliveryDetailShape,
  DeliveryQuery,
  DeliveryShape,
  ReplayBody,
  ReplayStarted,
} from './deliveries.schemas.ts';
import { type DeliveryRules, deliveryNotFound } from './deliveries.ts';

interface Endpoints {
  /** The types of events. */
  types: readonly string[];
  find(
    id: ObjectId,
  ): Promise<{ id: ObjectId; number: number; url: string; lastSequence: number; enabled: boolean }>;
  notFound: FailureMaker;
}

const tag = 'Webhook endpoints';
const id = pathId('webhook endpoint');

export const deliveryOperations = (
  deliveries: DeliveryRules,
  { types, find, notFound }: Endpoints,
): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/webhook-endpoints/:id/deliveries',
    id: 'listWebhookDeliveries',
    tag,
    summary: 'List the deliveries to a webhook endpoint, newest first',
    access: administrator,
    params: Type.Object({ id }),
    query: DeliveryQuery,
    success: pageOf(DeliveryShape),
    failures: [notFound, deliveryNotFound],
    load: ({ params }) => find(params.id),
    handle: ({ loaded, query: { status, type, ...page } }) => {
      if (type !== undefined && !types.includes(type))
        throw validationFailed([{ field: 'type', message: `there is no type ${type}` }]);
      return deliveries.pageOf(loaded, { ...(status && { status }), ...(type && { type }) }, page);
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/webhook-endpoints/:id/deliveries/:deliveryId',
    id: 'getWebhookDelivery',
    tag,
    summary: 'Read a delivery with its body and the answers',
    access: administrator,
    params: Type.Object({ id, deliveryId: pathId('delivery') }),
    success: ok(DeliveryDetailShape),
    failures: [notFound, deliveryNotFound],
    load: ({ params }) => find(params.id),
    handle: ({ loaded, params }) => deliveries.get(loaded, params.deliveryId),
  }),
  operation({
    method: 'POST',
    path: '/v1/webhook-endpoints/:id/replay',
    id: 'replayWebhooks',
    tag,
    summary: 'Send events again, with the same ids and numbers',
    access: administrator,
    isSensitive: true,
    params: Type.Object({ id }),
    body: ReplayBody,
    success: accepted(ReplayStarted),
    failures: [notFound],
    load: ({ params }) => find(params.id),
    handle: ({ loaded, body, caller, facts }) => deliveries.replay(loaded, body, actorOf(caller, facts)),
  }),
];
