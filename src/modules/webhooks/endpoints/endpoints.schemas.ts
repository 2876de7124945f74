import { type Static, Type } from 'typebox';
import { MOST_COUNTED } from '../../../kernel/database/pagination.ts';
import { asRead } from '../../../kernel/operations/lost-updates.ts';
import {
  DateTime,
  nullable,
  ObjectIdShape,
  optionalText,
  pageQuery,
} from '../../../kernel/operations/shapes.ts';

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'An https address of a public host, without credentials and fragment; in development also http, and the loopback',
  examples: ['https://crm.example.com/hooks'],
});
const Types = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: 100,
  description: 'Types of event; `*` for all, `wallet.*` for all whose name begins with `wallet.`',
  examples: [['wallet.*', 'user.created']],
});
const Description = optionalText(500, { description: 'For operators', examples: ['The CRM'] });
const Enabled = Type.Boolean({
  description: 'Whether events are sent to it; events of the time in which it is disabled are sent later',
});
const Ordered = Type.Boolean({
  description: 'Whether each delivery waits until the one before it succeeded or failed for good',
});
const Secret = Type.String({
  description: 'The secret that signs deliveries, shown only in this response: `whsec_` and base64',
  examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
});

export const EndpointDraft = Type.Object({
  url: Url,
  types: Type.Optional(Types),
  description: Type.Optional(Description),
  enabled: Type.Optional(Enabled),
  ordered: Type.Optional(Ordered),
});
export type EndpointDraft = Static<typeof EndpointDraft>;

export const EndpointChanges = Type.Object({ ...Type.Partial(EndpointDraft).properties, ...asRead });
export type EndpointChanges = Static<typeof EndpointChanges>;

const endpoint = {
  id: ObjectIdShape,
  url: Url,
  types: Types,
  description: nullable(Description),
  enabled: Enabled,
  ordered: Ordered,
  createdAt: DateTime,
  updatedAt: { ...DateTime, description: 'When an administrator last changed it' },
  lastSequence: Type.Integer({ description: 'The number of the newest delivery' }),
  failingSince: { ...nullable(DateTime), description: 'Since when no delivery has succeeded' },
  disabledReason: nullable(Type.String({ description: 'Why the platform disabled it' })),
};
export const EndpointShape = Type.Object(endpoint, { $id: 'WebhookEndpoint' });
export const NewEndpoint = Type.Object({ ...endpoint, secret: Secret }, { $id: 'NewWebhookEndpoint' });
export const EndpointDetail = Type.Object(
  {
    ...endpoint,
    pending: Type.Integer({
      description: `Deliveries that wait or are retried, counted up to ${MOST_COUNTED}`,
    }),
    failed: Type.Integer({ description: `Deliveries that failed for good, counted up to ${MOST_COUNTED}` }),
    lastDeliveredAt: nullable(DateTime),
  },
  { $id: 'WebhookEndpointDetail' },
);
export const RotatedSecret = Type.Object(
  { secret: Secret, previousSecretExpiresAt: { ...DateTime, description: 'Until then both secrets sign' } },
  { $id: 'RotatedWebhookSecret' },
);
export const TestSent = Type.Object(
  { eventId: Type.String({ examples: ['evt_6740f1c2a9b3e4d5f6a7b8c9'] }) },
  { $id: 'WebhookTestSent' },
);

export const EndpointQuery = Type.Object(pageQuery());
