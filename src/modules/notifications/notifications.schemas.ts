import { Type } from 'typebox';
import {
  cursorQuery,
  DateTime,
  Metadata,
  nullable,
  ObjectIdShape,
  oneOf,
  readableText,
} from '../../kernel/operations/shapes.ts';
import { PersonShape } from '../administration/contract.ts';
import { CHANNELS, type NoticeAction, PRIORITIES } from './contract.ts';
import { DELIVERY_KINDS, DELIVERY_STATUSES } from './deliveries.model.ts';
import type { Vocabulary } from './vocabulary.model.ts';

const PriorityShape = oneOf(PRIORITIES, { examples: ['high'] });
export const ChannelShape = oneOf(CHANNELS, { $id: 'NotificationChannel', examples: ['push'] });

const DeliveryStatusShape = oneOf(DELIVERY_STATUSES, {
  description:
    '`batched`: waits for the hourly digest. `muted`: turned off by the member. `unavailable`: the channel is not available yet, or the member has no address on it. `read`: read in the app before it could be sent. `suppressed`: the address refuses our mail',
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
    user: nullable(PersonShape),
    kind: oneOf(DELIVERY_KINDS, {
      description:
        '`transactional`: an e-mail that is no notification, such as a reset code; `notificationId` is its own id',
    }),
    type: nullable(
      Type.String({
        description: 'Of the notification or the e-mail; null if the notification was deleted',
        examples: ['announcement', 'email.welcome'],
      }),
    ),
    title: nullable(Type.String({ examples: ['The session begins'] })),
    to: nullable(
      Type.String({
        description: 'The e-mail address that it went to, masked',
        examples: ['a***@example.com'],
      }),
    ),
    messageId: nullable(Type.String({ description: 'The `Message-ID` of the e-mail' })),
    lastResponse: nullable(
      Type.String({
        description: 'What the mail server answered last',
        examples: ['250 OK: message queued'],
      }),
    ),
    suppressed: Type.Boolean({ description: 'Whether the address refuses our mail' }),
    status: DeliveryStatusShape,
    attempts: Type.Integer({ examples: [1] }),
    lastError: nullable(Type.String()),
    createdAt: DateTime,
    settledAt: nullable(DateTime),
  },
  { $id: 'Delivery' },
);
export const DeliveryStatusQuery = DeliveryStatusShape;

/** A notification of a member as operators see it. */
export const SentMessageShape = Type.Object(
  {
    id: ObjectIdShape,
    kind: oneOf(DELIVERY_KINDS),
    type: Type.String({ examples: ['announcement'] }),
    title: Type.String({ examples: ['The session begins'] }),
    message: nullable(Type.String({ description: 'Null of an e-mail that is no notification' })),
    read: nullable(Type.Boolean()),
    createdAt: DateTime,
    deliveries: Type.Array(DeliveryShape),
  },
  { $id: 'NotificationOfUser' },
);

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

export const Count = Type.Object({ count: Type.Integer({ examples: [3] }) });

export const ReadNotificationResult = Type.Object({
  id: Type.String(),
  read: Type.Boolean({ examples: [true] }),
});

export const DeleteNotificationResult = Type.Object({ id: Type.String() });

const fieldsOf = ({ ids, optionalIds }: NoticeAction): string =>
  [...ids.map((id) => `\`${id}\``), ...optionalIds.map((id) => `\`${id}\` (not always)`)].join(', ') ||
  'no ids';

/** The metadata of a notification: its action, the ids that the action needs, and further fields. */
function metadataShape({ actions }: Vocabulary) {
  const all = [...actions.values()];
  const ids = new Set(all.flatMap(({ ids, optionalIds }) => [...ids, ...optionalIds]));
  const action = oneOf([...actions.keys()], {
    $id: 'NotificationAction',
    description: `Where the notification leads, and by which fields:\n${all
      .map((one) => `- \`${one.name}\`: ${one.opens}; ${fieldsOf(one)}`)
      .join('\n')}`,
  });
  return Type.Unsafe<Record<string, unknown> & { action?: string }>({
    ...Metadata,
    properties: { action, ...Object.fromEntries([...ids].sort().map((id) => [id, { type: 'string' }])) },
    description:
      'Where the notification leads, if it does (`action`), with the ids for a deep link; and further fields. Clients ignore an action that they do not know',
    examples: [{ action: 'open-notifications' }],
  });
}

/** The actions of each type's notifications, for programs that read the description. */
const usesOf = ({ uses }: Vocabulary) =>
  uses.map(({ type, action: { name, opens, path, ids, optionalIds } }) => ({
    type,
    action: name,
    opens,
    path,
    ids,
    optionalIds,
  }));

/** The fields of a notification that administrators write. */
const fieldsToSend = (
  type: ReturnType<typeof oneOf<string>>,
  metadata: ReturnType<typeof metadataShape>,
) => ({
  type,
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
    ...metadata,
    $id: 'MessageMetadata',
    description:
      'An `action` comes with its ids. Pushes show `icon` (a URL, or the name of an image of the Android app) and `badge` (a number, or for browsers a URL); everything else is their `data`',
  }),
});

const LOCAL_TIME = {
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  patternMessage: 'must be a time of day from 00:00 to 23:59, such as 09:00',
  maxLength: 5,
};

/** The preferences in a request and in a response. */
function preferenceShapes(type: ReturnType<typeof oneOf<string>>, typeCount: number) {
  const ofChannel = Type.Optional(
    Type.Object(
      {
        enabled: Type.Optional(Type.Boolean()),
        types: Type.Optional(
          Type.Array(type, {
            maxItems: typeCount,
            description: 'The types that are delivered on this channel',
          }),
        ),
      },
      { $id: 'ChannelPreferencesDraft' },
    ),
  );
  const Channel = Type.Object(
    { enabled: Type.Boolean(), types: Type.Array(type) },
    { $id: 'ChannelPreferences' },
  );
  const QuietHours = nullable(
    Type.Object(
      {
        from: Type.String({ ...LOCAL_TIME, examples: ['22:00'] }),
        to: Type.String({
          ...LOCAL_TIME,
          description: 'Exclusive; earlier than `from` if it is on the next day',
          examples: ['07:30'],
        }),
        timeZone: Type.String({ format: 'time-zone', maxLength: 100, examples: ['Europe/Berlin'] }),
      },
      { $id: 'QuietHours', description: 'E-mails and pushes wait for their end; null if there are none' },
    ),
  );
  return {
    SetPreferencesBody: Type.Object({
      preferences: Type.Object({
        email: ofChannel,
        push: ofChannel,
        sms: ofChannel,
        quietHours: Type.Optional(QuietHours),
      }),
    }),
    PreferencesShape: Type.Object(
      { preferences: Type.Object({ email: Channel, push: Channel, sms: Channel, quietHours: QuietHours }) },
      { $id: 'NotificationPreferences' },
    ),
  };
}

/** Returns the shapes, which depend on the types and actions of all modules. */
export function notificationShapes(words: Vocabulary) {
  const TypeShape = oneOf([...words.types.keys()], { $id: 'NotificationType', examples: ['announcement'] });
  const NotificationMetadata = metadataShape(words);
  return {
    NotificationShape: Type.Object(
      {
        id: ObjectIdShape,
        userId: ObjectIdShape,
        type: TypeShape,
        title: Type.String({ examples: ['The session begins'] }),
        message: Type.String({ examples: ['Join us now.'] }),
        priority: PriorityShape,
        read: Type.Boolean({ examples: [false] }),
        channels: Type.Array(ChannelShape),
        metadata: { ...NotificationMetadata, 'x-actions': usesOf(words) },
        createdAt: DateTime,
      },
      { $id: 'Notification' },
    ),
    TypeShape,
    messageFields: fieldsToSend(TypeShape, NotificationMetadata),
    ListNotificationsQuery: Type.Object({
      ...cursorQuery({ limit: 20, maximum: 50 }),
      type: Type.Optional(TypeShape),
      read: Type.Optional(Type.Boolean()),
    }),
    ...preferenceShapes(TypeShape, words.types.size),
  };
}

export type NotificationShapes = ReturnType<typeof notificationShapes>;
