import { Type } from 'typebox';
import { DateTime, nullable, ObjectIdShape, oneOf } from '../../../kernel/operations/shapes.ts';
import { INSTANT_PATTERN } from '../../../kernel/time/time.ts';
import { AccessStatus } from '../access/access.schemas.ts';
import { MAX_TEXT, STATUSES } from './webhooks.model.ts';

const Results = Type.Array(
  Type.Object(
    {
      scannerId: ObjectIdShape,
      scannerName: Type.String({ examples: ['Trend Pulse'] }),
      accessId: ObjectIdShape,
      status: AccessStatus,
      error: Type.Optional(Type.String({ description: 'The reason for the failure' })),
    },
    { $id: 'IndicatorAccessChange' },
  ),
);

export const AccessWebhookAnswer = Type.Object(
  {
    customerId: Type.String({ examples: ['C-10293'] }),
    action: oneOf(['grant', 'revoke']),
    userId: ObjectIdShape,
    email: Type.String({ examples: ['ada@example.com'] }),
    chartingUsername: nullable(Type.String({ examples: ['ada_trades'] })),
    scanners: Type.Integer({ description: 'Number of active indicators in the catalogue' }),
    changed: Type.Integer({
      description:
        'Number of grants or revocations that this request started, without those that failed at once',
    }),
    skipped: Type.Integer({
      description: 'For revocations: number of catalogue indicators that the member does not hold',
    }),
    failed: Type.Integer({ description: 'Number of failed grants that require manual action' }),
    ignored: Type.Boolean({
      description:
        'Whether the event was ignored because it is older (`occurredAt`) than one received before',
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
    changed: Type.Integer({
      description:
        'Number of grants whose grace period this request started or ended, failed ones too; one that was over is ended',
    }),
    graceEndsAt: nullable(DateTime),
    ignored: Type.Boolean({
      description:
        'Whether the event was ignored because it is older (`occurredAt`) than one received before',
    }),
    results: Results,
  },
  { $id: 'ActivityStatusWebhookAnswer' },
);

const described = (properties: object, example: object, atLeastOne: string[][]) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    properties,
    atLeastOne,
    examples: [example],
  });

const text = { type: ['string', 'null'], maxLength: MAX_TEXT };
/**
 * An alternative spelling of a field. It is not described, because generated clients would have two fields of one name.
 */
const ALIAS = { undocumented: true };
const metadata = {
  eventId: {
    documented: text,
    description: 'The id of the event. A repeated event is answered again but takes effect once',
  },
  occurredAt: {
    documented: { ...text, pattern: INSTANT_PATTERN },
    description: 'The time of the event; ISO 8601. Events older than one received before are ignored',
  },
};

// The shapes are documentation only: validation failures have specific codes in a specific order.
export const AccessBody = described(
  {
    customer_id: { documented: text, description: 'The customer id of the account; also as `customerId`' },
    customerId: ALIAS,
    action: { documented: { type: 'string', enum: ['grant', 'revoke'] } },
    charting_username: {
      documented: text,
      description: 'Required for `grant` if no charting username is on record; also as `chartingUsername`',
    },
    chartingUsername: ALIAS,
    ...metadata,
  },
  { customer_id: 'C-10293', action: 'grant', charting_username: 'ada_trades' },
  [['customer_id', 'customerId'], ['action']],
);

export const ActivityBody = described(
  {
    userId: { documented: text, description: 'The user id; either this or `email` is required' },
    email: { documented: text, description: 'The e-mail, if the user id is unknown' },
    active: {
      documented: { type: ['boolean', 'null'] },
      description: 'A boolean; either this or `status` is required',
    },
    status: { documented: { enum: [...Object.keys(STATUSES), null] } },
    ...metadata,
  },
  { email: 'ada@example.com', status: 'cancelled' },
  [
    ['userId', 'email'],
    ['active', 'status'],
  ],
);
