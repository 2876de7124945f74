import { Type } from 'typebox';
import { ok } from '../../kernel/operations/operation.ts';
import {
  DateTime,
  nullable,
  ObjectIdShape,
  oneOf,
  optionalText,
  pageQuery,
} from '../../kernel/operations/shapes.ts';

/** A stored token; older ones may be longer. */
const Token = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: 'The token that the push service assigned to the device',
  examples: ['fcm-token'],
});

/** Tokens are in a unique index, whose entries are limited to 2,700 bytes; those of push services are visible ASCII. */
const IN_INDEX = { maxLength: 2048, pattern: '^[\\x21-\\x7e]*$' };
const NewToken = Type.String({
  ...IN_INDEX,
  minLength: 1,
  description: 'The token that the push service assigned to the device',
  examples: ['fcm-token'],
});

const SubscriptionInBody = Type.Object(
  {
    endpoint: Type.String({
      ...IN_INDEX,
      examples: ['https://updates.push.services.mozilla.com/wpush/v2/x'],
    }),
    keys: Type.Object({
      p256dh: Type.String({ maxLength: 100, description: 'P-256 public key, base64url' }),
      auth: Type.String({ maxLength: 30, description: '16 bytes, base64url' }),
    }),
  },
  {
    description: 'The output of `JSON.stringify(subscription)` in a browser; for `web`, in place of `token`',
  },
);

export const DeviceShape = Type.Object(
  {
    id: ObjectIdShape,
    token: Token,
    platform: oneOf(['ios', 'android', 'web']),
    name: nullable(Type.String({ examples: ['My phone'] })),
    deviceId: nullable(Type.String({ examples: ['8c2f7a1e'] })),
    createdAt: DateTime,
    lastSeenAt: DateTime,
  },
  { $id: 'Device' },
);

/** The devices of a user, as administrators see them: without the tokens, with which pushes could be sent. */
export const OverviewDevices = Type.Array(Type.Omit(DeviceShape, ['token']));

/** Returns the shapes of subscriptions to these topics. */
export function topicShapes(topics: string[]) {
  const Topic = oneOf(topics, {
    $id: 'NotificationTopic',
    description:
      'What its subscribers are notified of: `TRADE_IDEAS` of new trade ideas, `SESSIONS` of livestreams that begin, `EDUCATION` of courses that are published, `COMMUNITIES` of new communities, `CHATROOM` of new public chatrooms, and `GENERAL` of products that the marketplace offers',
    examples: ['SESSIONS'],
  });
  return {
    TopicsInBody: Type.Object(
      { topics: Type.Array(Topic, { minItems: 1, maxItems: topics.length }) },
      { $id: 'TopicsBody' },
    ),
    TopicsOut: ok(Type.Object({ topics: Type.Array(Topic) }, { $id: 'SubscribedTopics' }), {
      message: 'Your topics',
    }),
  };
}

export const RegisterDeviceBody = Type.Object(
  {
    token: Type.Optional(NewToken),
    subscription: Type.Optional(SubscriptionInBody),
    platform: oneOf(['ios', 'android', 'web']),
    name: Type.Optional(optionalText(100, { examples: ['My phone'] })),
    deviceId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'What the app calls the device, such as the `deviceId` of the sign-in. A new token of the device replaces the one before',
        examples: ['8c2f7a1e'],
      }),
    ),
  },
  { exactlyOne: [['token', 'subscription']] },
);

export const GetVapidKeyResult = Type.Object({
  publicKey: Type.String({ description: 'P-256 point, base64url' }),
});

export const UnregisterDeviceBody = Type.Object({ token: Token });

export const UnregisterDeviceResult = Type.Object({ token: Token });

export const ListDevicesQuery = Type.Object(pageQuery({ limit: 20 }));

export const TestPushResult = Type.Object({
  reached: Type.Integer({ description: 'Devices', examples: [1] }),
});
