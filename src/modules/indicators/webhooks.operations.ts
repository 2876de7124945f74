import { Type } from 'typebox';
import { webhookSecret } from '../../kernel/operations/access.ts';
import { type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { DateTime, nullable, ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';
import { userNotFound } from '../identity/contract.ts';
import { AccessStatus } from './access.schemas.ts';
import { invalidPayload, unknownStatus } from './webhook-bodies.ts';
import {
  chartingUsernameRequired,
  customerNotFound,
  invalidAction,
  invalidUserId,
  type WebhookRules,
} from './webhooks.ts';

const tag = 'Webhooks';

const Results = Type.Array(
  Type.Object({
    scannerId: ObjectIdShape,
    scannerName: Type.String({ examples: ['Trend Pulse'] }),
    accessId: ObjectIdShape,
    status: AccessStatus,
    error: Type.Optional(Type.String({ description: 'Why it failed' })),
  }),
);

const AccessWebhookAnswer = Type.Object(
  {
    customerId: Type.String({ examples: ['C-10293'] }),
    action: oneOf(['grant', 'revoke']),
    userId: ObjectIdShape,
    email: Type.String({ examples: ['ada@example.com'] }),
    chartingUsername: nullable(Type.String({ examples: ['ada_trades'] })),
    scanners: Type.Integer({ description: 'Indicators in the active catalogue' }),
    changed: Type.Integer({ description: 'Grants or revocations that this call set in motion' }),
    skipped: Type.Integer({ description: 'Of the catalogue, what the member does not hold; when revoking' }),
    failed: Type.Integer({ description: 'Grants that need a person' }),
    ignored: Type.Boolean({
      description: 'Older than what was received before (`occurredAt`); nothing was done',
    }),
    results: Results,
  },
  { $id: 'IndicatorAccessWebhookAnswer' },
);

const ActivityWebhookAnswer = Type.Object(
  {
    userId: ObjectIdShape,
    email: Type.String({ examples: ['ada@example.com'] }),
    active: Type.Boolean(),
    changed: Type.Integer({ description: 'Countdowns that this call began or ended' }),
    graceEndsAt: nullable(DateTime),
    ignored: Type.Boolean({
      description: 'Older than what was received before (`occurredAt`); nothing was done',
    }),
    results: Results,
  },
  { $id: 'ActivityStatusWebhookAnswer' },
);

const described = (properties: object, example: object) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    properties,
    examples: [example],
  });
// The shapes are documentation only: validation failures have specific codes in a specific order.
const AccessBody = described(
  {
    customer_id: { description: 'The customer id of the account' },
    customerId: { description: 'The same' },
    action: { description: '`grant` or `revoke`' },
    charting_username: { description: 'When granting and none is on record' },
    chartingUsername: { description: 'The same' },
    eventId: { description: 'The same event is answered again, and done once' },
    occurredAt: { description: 'ISO 8601. What is older than what came before is ignored' },
  },
  { customer_id: 'C-10293', action: 'grant', charting_username: 'ada_trades' },
);
const ActivityBody = described(
  {
    userId: { description: 'The user id; this or `email`' },
    email: { description: 'When the user id is unknown' },
    active: { description: 'A boolean; this or `status`' },
    status: {
      description:
        '`active`, `enabled`, `inactive`, `cancelled`, `canceled`, `expired`, `suspended`, `disabled`',
    },
    eventId: { description: 'The same event is answered again, and done once' },
    occurredAt: { description: 'ISO 8601. What is older than what came before is ignored' },
  },
  { email: 'ada@example.com', status: 'cancelled' },
);

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
    failures: [invalidPayload, invalidAction, customerNotFound, chartingUsernameRequired],
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
    failures: [invalidPayload, invalidUserId, unknownStatus, userNotFound],
    handle: ({ body }) => webhooks.receiveActivity(body),
  }),
];
