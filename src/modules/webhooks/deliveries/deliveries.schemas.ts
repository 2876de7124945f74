import { Type } from 'typebox';
import { MOST_COUNTED } from '../../../kernel/database/pagination.ts';
import { invalidId } from '../../../kernel/failures.ts';
import {
  cursorQuery,
  DateTime,
  InstantText,
  nullable,
  ObjectIdShape,
  oneOf,
  refusedAs,
} from '../../../kernel/operations/shapes.ts';
import { DELIVERY_STATUSES } from './deliveries.model.ts';

const delivery = {
  id: ObjectIdShape,
  eventId: Type.String({ examples: ['evt_6740f1c2a9b3e4d5f6a7b8c9'] }),
  type: Type.String({ examples: ['wallet.funded'] }),
  sequence: Type.Integer({ description: 'Its number at this endpoint' }),
  status: oneOf(DELIVERY_STATUSES, { description: '`failed`: it is not tried again by itself' }),
  attempts: Type.Integer(),
  responseStatus: nullable(Type.Integer({ description: 'Of the last attempt' })),
  responseMs: nullable(Type.Integer({ description: 'Of the last attempt' })),
  lastError: nullable(Type.String({ description: 'Why the last attempt failed' })),
  nextAttemptAt: nullable({ ...DateTime, description: 'Null while the endpoint is disabled' }),
  createdAt: DateTime,
  deliveredAt: nullable(DateTime),
};
export const DeliveryShape = Type.Object(delivery, { $id: 'WebhookDelivery' });
export const DeliveryDetailShape = Type.Object(
  {
    ...delivery,
    body: nullable(Type.String({ description: 'What is sent, byte for byte' })),
    responses: Type.Array(
      Type.Object({
        at: Type.String({ format: 'date-time' }),
        status: Type.Integer(),
        ms: Type.Integer(),
        body: Type.String({ description: 'The first 2 KiB' }),
      }),
      { description: 'The newest 20 answers' },
    ),
  },
  { $id: 'WebhookDeliveryDetail' },
);

export const DeliveryQuery = Type.Object({
  ...cursorQuery({ before: refusedAs(ObjectIdShape, invalidId('delivery'), null) }),
  status: Type.Optional(oneOf(DELIVERY_STATUSES)),
  type: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
});

export const ReplayBody = Type.Object(
  {
    fromSequence: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    since: Type.Optional(InstantText),
    until: Type.Optional({ ...InstantText, description: 'By default now' }),
  },
  { exactlyOne: [['fromSequence', 'since']] },
);
export const ReplayStarted = Type.Object(
  {
    events: Type.Integer({
      description: `Number of deliveries that are sent again, counted up to ${MOST_COUNTED}`,
    }),
  },
  { $id: 'WebhookReplay' },
);
