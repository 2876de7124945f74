import { webhookSecret } from '../../../kernel/operations/access.ts';
import { type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { userNotFound } from '../../identity/contract.ts';
import type { AccessWebhook } from './access-webhook.ts';
import type { ActivityWebhook } from './activity-webhook.ts';
import {
  chartingUsernameRequired,
  customerNotFound,
  eventIdReused,
  invalidAction,
  invalidUserId,
} from './failures.ts';
import { invalidPayload, unknownStatus } from './webhook-bodies.ts';
import { AccessBody, AccessWebhookAnswer, ActivityBody, ActivityWebhookAnswer } from './webhooks.schemas.ts';

const tag = 'Webhooks';

interface Deps {
  accessWebhook: AccessWebhook;
  activityWebhook: ActivityWebhook;
}

export const webhookOperations = ({ accessWebhook, activityWebhook }: Deps): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/streams/webhooks/indicator-access',
    id: 'receiveIndicatorAccess',
    tag,
    summary: 'Grant or revoke all indicators of a customer (backoffice webhook)',
    description:
      'Requires `X-Webhook-Secret` and no API key. A grant covers all active indicators of the catalogue; a revocation covers all indicators that the member holds, including retired ones. Repeating the request has no further effect.',
    access: webhookSecret,
    body: AccessBody,
    success: ok(AccessWebhookAnswer),
    failures: [invalidPayload, invalidAction, customerNotFound, chartingUsernameRequired, eventIdReused],
    handle: ({ body }) => accessWebhook.receive(body),
  }),
  operation({
    method: 'POST',
    path: '/v1/streams/webhooks/activity-status',
    id: 'receiveActivityStatus',
    tag,
    summary: 'Report a member as active or inactive (backoffice webhook)',
    description:
      'Requires `X-Webhook-Secret` and no API key. A member who becomes inactive enters a grace period, after which all grants that are not `manual` end. Becoming active within the grace period keeps them.',
    access: webhookSecret,
    body: ActivityBody,
    success: ok(ActivityWebhookAnswer),
    failures: [invalidPayload, invalidUserId, unknownStatus, userNotFound, eventIdReused],
    handle: ({ body }) => activityWebhook.receive(body),
  }),
];
