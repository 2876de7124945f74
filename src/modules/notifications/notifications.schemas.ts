import { Type } from 'typebox';
import {
  DateTime,
  Metadata,
  nullable,
  ObjectIdShape,
  oneOf,
  pageQuery,
  readableText,
} from '../../kernel/operations/shapes.ts';
import { CHANNELS, NOTIFICATION_TYPES, PRIORITIES } from './contract.ts';
import { DELIVERY_STATUSES } from './deliveries.model.ts';

const NotificationTypeShape = oneOf(NOTIFICATION_TYPES, { examples: ['announcement'] });
const PriorityShape = oneOf(PRIORITIES, { examples: ['high'] });
export const ChannelShape = oneOf(CHANNELS, { examples: ['push'] });

export const NotificationShape = Type.Object(
  {
    id: ObjectIdShape,
    userId: ObjectIdShape,
    type: NotificationTypeShape,
    title: Type.String({ examples: ['The session begins'] }),
    message: Type.String({ examples: ['Join us now.'] }),
    priority: PriorityShape,
    read: Type.Boolean({ examples: [false] }),
    channels: Type.Array(ChannelShape),
    metadata: Metadata,
    createdAt: DateTime,
  },
  { $id: 'Notification' },
);

/** The fields of a notification that administrators write. */
export const messageFields = {
  type: NotificationTypeShape,
  title: readableText(200, { examples: ['The session begins'] }),
  message: readableText(4000, { examples: ['Join us now.'] }),
  priority: Type.Optional(PriorityShape),
  channels: Type.Optional(
    Type.Array(ChannelShape, {
      maxItems: CHANNELS.length,
      description: 'Defaults to the channels of the type; a `critical` notification goes out on all of them',
    }),
  ),
  metadata: Type.Optional({
    ...Metadata,
    description:
      'Pushes show `icon` (a URL, or the name of an image of the Android app) and `badge` (a number, or for browsers a URL); everything else is their `data`',
  }),
};

const DeliveryStatusShape = oneOf(DELIVERY_STATUSES, {
  description:
    '`batched`: waits for the hourly digest. `muted`: turned off by the member. `unavailable`: the channel is not available yet, or the member has no address on it. `read`: read in the app before the digest was sent',
  examples: ['pending'],
});

export const SentShape = Type.Object(
  {
    notification: Type.Object({ id: ObjectIdShape, userId: ObjectIdShape }),
    deliveries: Type.Array(Type.Object({ channel: ChannelShape, status: DeliveryStatusShape })),
  },
  { $id: 'SentNotification' },
);

export const DeliveryShape = Type.Object(
  {
    notificationId: ObjectIdShape,
    channel: ChannelShape,
    userId: ObjectIdShape,
    status: DeliveryStatusShape,
    attempts: Type.Integer({ examples: [1] }),
    lastError: nullable(Type.String()),
    createdAt: DateTime,
    settledAt: nullable(DateTime),
  },
  { $id: 'Delivery' },
);
export const DeliveryStatusQuery = DeliveryStatusShape;

export const BulkShape = Type.Object(
  {
    jobId: ObjectIdShape,
    status: oneOf(['running', 'finished']),
    requested: Type.Integer({ description: 'Number of distinct members in the request' }),
    done: Type.Integer(),
    unknown: Type.Integer({ description: 'Number of processed ids that belong to no member' }),
    createdAt: DateTime,
    finishedAt: nullable(DateTime),
  },
  { $id: 'BulkNotification' },
);

const ofChannel = Type.Optional(
  Type.Object({
    enabled: Type.Optional(Type.Boolean()),
    types: Type.Optional(
      Type.Array(NotificationTypeShape, {
        maxItems: NOTIFICATION_TYPES.length,
        description: 'The types that are delivered on this channel',
      }),
    ),
  }),
);
export const PreferencesInBody = Type.Object({ email: ofChannel, push: ofChannel, sms: ofChannel });

const ChannelPreferenceShape = Type.Object({
  enabled: Type.Boolean(),
  types: Type.Array(NotificationTypeShape),
});
export const PreferencesShape = Type.Object(
  {
    preferences: Type.Object({
      email: ChannelPreferenceShape,
      push: ChannelPreferenceShape,
      sms: ChannelPreferenceShape,
    }),
  },
  { $id: 'NotificationPreferences' },
);

export const Count = Type.Object({ count: Type.Integer({ examples: [3] }) });

export const ListNotificationsQuery = Type.Object({
  ...pageQuery({ limit: 20, maximum: 50 }),
  type: Type.Optional(NotificationTypeShape),
  read: Type.Optional(Type.Boolean()),
});

export const ReadNotificationResult = Type.Object({
  id: Type.String(),
  read: Type.Boolean({ examples: [true] }),
});

export const DeleteNotificationResult = Type.Object({ id: Type.String() });
