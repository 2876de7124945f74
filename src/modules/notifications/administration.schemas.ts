import { Type } from 'typebox';
import { bodyId } from '../../kernel/operations/ids.ts';
import { cursorQuery, InstantText, oneOf } from '../../kernel/operations/shapes.ts';
import { CHANNELS } from './contract.ts';
import { DELIVERY_KINDS } from './deliveries.model.ts';
import { ChannelShape, DeliveryStatusQuery, type NotificationShapes } from './notifications.schemas.ts';

/** Maximum number of ids that fit into a request body. */
const MAX_BULK = 30_000;

export const sendNotificationBody = ({ messageFields }: NotificationShapes) =>
  Type.Object({ userId: bodyId('user'), ...messageFields });

export const sendBulkNotificationBody = ({ messageFields }: NotificationShapes) =>
  Type.Object({
    userIds: Type.Array(bodyId('user'), { minItems: 1, maxItems: MAX_BULK }),
    notification: Type.Object(messageFields),
  });

export const ListDeliveriesQuery = Type.Object({
  ...cursorQuery({
    limit: 50,
    before: Type.String({
      pattern: `^[0-9a-f]{24}_(${CHANNELS.join('|')})$`,
      maxLength: 30,
      examples: ['6740f1c2a9b3e4d5f6a7b8c9_email'],
    }),
    cursorOf: ['notificationId', 'channel'],
  }),
  status: Type.Optional(DeliveryStatusQuery),
  userId: Type.Optional(bodyId('user')),
  channel: Type.Optional(ChannelShape),
  kind: Type.Optional(oneOf(DELIVERY_KINDS)),
  notificationId: Type.Optional(bodyId('notification')),
  from: Type.Optional(InstantText),
  to: Type.Optional(InstantText),
});

export const ListNotificationsOfUserQuery = Type.Object(
  cursorQuery({ limit: 50, before: bodyId('notification') }),
);

export const testNotificationBody = ({ TypeShape }: NotificationShapes) =>
  Type.Object({
    channel: ChannelShape,
    userId: Type.Optional({ ...bodyId('user'), description: 'Yourself by default' }),
    type: TypeShape,
  });

export const ReplayDeliveriesBody = Type.Object({
  delivery: Type.Optional(Type.Object({ notificationId: bodyId('notification'), channel: ChannelShape })),
});

export const ReplayDeliveriesResult = Type.Object({ count: Type.Integer({ examples: [1] }) });
