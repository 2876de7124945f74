import { Type } from 'typebox';
import { DateTime, nullable, ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';
import { AccessStatus } from './access.schemas.ts';

const Results = Type.Array(
  Type.Object({
    scannerId: ObjectIdShape,
    scannerName: Type.String({ examples: ['Trend Pulse'] }),
    accessId: ObjectIdShape,
    status: AccessStatus,
    error: Type.Optional(Type.String({ description: 'Why it failed' })),
  }),
);

export const AccessWebhookAnswer = Type.Object(
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

export const ActivityWebhookAnswer = Type.Object(
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
export const AccessBody = described(
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

export const ActivityBody = described(
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
