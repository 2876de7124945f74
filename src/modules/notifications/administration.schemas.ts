import { Type } from 'typebox';
import { bodyId } from '../../kernel/operations/ids.ts';
import { pageQuery } from '../../kernel/operations/shapes.ts';
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
  ...pageQuery({ limit: 50 }),
  status: Type.Optional(DeliveryStatusQuery),
  userId: Type.Optional(bodyId('user')),
});

export const ReplayDeliveriesBody = Type.Object({
  delivery: Type.Optional(Type.Object({ notificationId: bodyId('notification'), channel: ChannelShape })),
});

export const ReplayDeliveriesResult = Type.Object({ count: Type.Integer({ examples: [1] }) });
