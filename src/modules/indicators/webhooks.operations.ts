import { webhookSecret } from '../../kernel/operations/access.ts';
import { type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { userNotFound } from '../identity/contract.ts';
import { invalidPayload, unknownStatus } from './webhook-bodies.ts';
import { AccessBody, AccessWebhookAnswer, ActivityBody, ActivityWebhookAnswer } from './webhooks.schemas.ts';
import {
  chartingUsernameRequired,
  customerNotFound,
  eventIdReused,
  invalidAction,
  invalidUserId,
  type WebhookRules,
} from './webhooks.ts';

const tag = 'Webhooks';

export const webhookOperations = (webhooks: WebhookRules): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/streams/webhooks/indicator-access',
    id: 'receiveIndicatorAccess',
    tag,
    summary: 'The backoffice grants or revokes all indicators of a customer',
    description:
      'Needs the X-Webhook-Secret and no API key. A grant walks the active catalogue, a revocation what the member holds, retired indicators included. A repetition changes nothing.',
    access: webhookSecret,
    body: AccessBody,
    success: ok(AccessWebhookAnswer),
    failures: [invalidPayload, invalidAction, customerNotFound, chartingUsernameRequired, eventIdReused],
    handle: ({ body }) => webhooks.receiveAccess(body),
  }),
  operation({
    method: 'POST',
    path: '/v1/streams/webhooks/activity-status',
    id: 'receiveActivityStatus',
    tag,
    summary: 'The backoffice tells that a member is active or inactive',
    description:
      'Needs the X-Webhook-Secret and no API key. Going inactive begins a grace period for all grants that are not `manual`; becoming active within it keeps them.',
    access: webhookSecret,
    body: ActivityBody,
    success: ok(ActivityWebhookAnswer),
    failures: [invalidPayload, invalidUserId, unknownStatus, userNotFound, eventIdReused],
    handle: ({ body }) => webhooks.receiveActivity(body),
  }),
];
