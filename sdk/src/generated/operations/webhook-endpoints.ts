// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** Register an endpoint that events are sent to. `POST /v1/webhook-endpoints` For administrator. */
export const createWebhookEndpoint: Operation<{
  body: wire.CreateWebhookEndpointBody;
  data: wire.NewWebhookEndpoint;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'STEP_UP_REQUIRED' | 'WEBHOOK_ENDPOINT_LIMIT';
}> = {
  id: 'createWebhookEndpoint',
  method: 'POST',
  path: '/v1/webhook-endpoints',
  isIdempotent: true,
};

/** List webhook endpoints, newest first. `GET /v1/webhook-endpoints` For administrator. */
export const listWebhookEndpoints: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
  };
  data: wire.WebhookEndpoint[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'listWebhookEndpoints',
  method: 'GET',
  path: '/v1/webhook-endpoints',
  pages: pagesOf,
};

/** Retrieve a webhook endpoint and the state of its deliveries. `GET /v1/webhook-endpoints/{id}` For administrator. */
export const getWebhookEndpoint: Operation<{
  params: {
    id: wire.ObjectId;
  };
  data: wire.WebhookEndpointDetail;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getWebhookEndpoint',
  method: 'GET',
  path: '/v1/webhook-endpoints/{id}',
  fill: filled,
};

/** Change a webhook endpoint; enabling one continues where it stopped. `PATCH /v1/webhook-endpoints/{id}` For administrator. */
export const updateWebhookEndpoint: Operation<{
  params: {
    id: wire.ObjectId;
  };
  body: wire.UpdateWebhookEndpointBody;
  data: wire.WebhookEndpoint;
  code: AnyCode | TokenCode | WriteCode | 'CHANGED_MEANWHILE' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'STEP_UP_REQUIRED';
}> = {
  id: 'updateWebhookEndpoint',
  method: 'PATCH',
  path: '/v1/webhook-endpoints/{id}',
  fill: filled,
};

/** Delete a webhook endpoint. `DELETE /v1/webhook-endpoints/{id}` For administrator. */
export const deleteWebhookEndpoint: Operation<{
  params: {
    id: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.DeleteWebhookEndpointResult;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'STEP_UP_REQUIRED';
}> = {
  id: 'deleteWebhookEndpoint',
  method: 'DELETE',
  path: '/v1/webhook-endpoints/{id}',
  fill: filled,
};

/** Replace the secret of a webhook endpoint; for 24 hours deliveries are signed with both. `POST /v1/webhook-endpoints/{id}/rotate-secret` For administrator. */
export const rotateWebhookSecret: Operation<{
  params: {
    id: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.RotatedWebhookSecret;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'STEP_UP_REQUIRED' | 'WEBHOOK_SECRET_JUST_REPLACED';
}> = {
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/v1/webhook-endpoints/{id}/rotate-secret',
  fill: filled,
};

/** Send a `webhook.test` to a webhook endpoint. `POST /v1/webhook-endpoints/{id}/test` For administrator. */
export const testWebhookEndpoint: Operation<{
  params: {
    id: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.WebhookTestSent;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'STEP_UP_REQUIRED' | 'WEBHOOK_ENDPOINT_DISABLED';
}> = {
  id: 'testWebhookEndpoint',
  method: 'POST',
  path: '/v1/webhook-endpoints/{id}/test',
  fill: filled,
  isIdempotent: true,
};

/** List the deliveries to a webhook endpoint, newest first. `GET /v1/webhook-endpoints/{id}/deliveries` For administrator. */
export const listWebhookDeliveries: Operation<{
  params: {
    id: wire.ObjectId;
  };
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    status?: 'pending' | 'delivered' | 'failed';
    type?: string;
  };
  data: wire.WebhookDelivery[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/v1/webhook-endpoints/{id}/deliveries',
  fill: filled,
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** Read a delivery with its body and the answers. `GET /v1/webhook-endpoints/{id}/deliveries/{deliveryId}` For administrator. */
export const getWebhookDelivery: Operation<{
  params: {
    id: wire.ObjectId;
    deliveryId: wire.ObjectId;
  };
  data: wire.WebhookDeliveryDetail;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getWebhookDelivery',
  method: 'GET',
  path: '/v1/webhook-endpoints/{id}/deliveries/{deliveryId}',
  fill: filled,
};

/** Send events again, with the same ids and numbers. `POST /v1/webhook-endpoints/{id}/replay` For administrator. */
export const replayWebhooks: Operation<{
  params: {
    id: wire.ObjectId;
  };
  body: wire.ReplayWebhooksBody;
  data: wire.WebhookReplay;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'STEP_UP_REQUIRED';
}> = {
  id: 'replayWebhooks',
  method: 'POST',
  path: '/v1/webhook-endpoints/{id}/replay',
  fill: filled,
};
