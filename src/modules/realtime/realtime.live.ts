import { Type } from 'typebox';
import { liveMessage } from '../../kernel/live/live.ts';
import { DateTime, ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { ClientMessageId } from '../chat/contract.ts';
import { MAX_LISTED } from '../presence/contract.ts';

/** The fields that describe a failure: codes, messages and details as over HTTP. */
const failureFields = {
  code: Type.String({ description: 'A stable code for programs', examples: ['VALIDATION_FAILED'] }),
  message: Type.String({ description: 'A text for people', examples: ['The request is invalid'] }),
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        field: Type.String({ examples: ['message'] }),
        message: Type.String({ examples: ['is required'] }),
      }),
      { description: 'All invalid fields' },
    ),
  ),
  retryAfter: Type.Optional(
    Type.Integer({ description: 'Seconds to wait before sending the command again', examples: [1] }),
  ),
  mutedUntil: Type.Optional({ ...DateTime, description: 'Of `MUTED` only' }),
};

export const authenticated = liveMessage(
  'auth:success',
  Type.Object({ userId: ObjectIdShape, sessionId: ObjectIdShape, expiresAt: DateTime }),
  { summary: 'The token was accepted; it is valid until `expiresAt`.', audience: 'connection' },
);

export const authenticationFailed = liveMessage('auth:error', Type.Object(failureFields), {
  summary:
    'The token was rejected, and the connection is closed with 4401. If `retryAfter` is present, the failure is temporary and the connection stays open: send `auth` again.',
  audience: 'connection',
  isRefusal: true,
  examples: [{ code: 'TOKEN_EXPIRED', message: 'The token has expired' }],
});

export const tokenExpiring = liveMessage('auth:expiring', Type.Object({ expiresAt: DateTime }), {
  summary: 'The token expires within a minute. Send `auth` with a new one.',
  audience: 'connection',
});

export const pong = liveMessage('pong', Type.Object({ timestamp: DateTime }), {
  summary: 'Answers `ping` with the server time.',
  audience: 'connection',
});

const ofCommand = 'That of the command, if it has one';

export const commandFailed = liveMessage(
  'error',
  Type.Object({
    chatroomId: Type.Optional({ ...ObjectIdShape, description: ofCommand }),
    clientMessageId: Type.Optional({ ...ClientMessageId, description: ofCommand }),
    ...failureFields,
  }),
  { summary: 'A command was rejected.', audience: 'connection', isRefusal: true },
);

export const subscribeFailed = liveMessage(
  'subscribe:error',
  Type.Object({
    channel: Type.Optional(Type.String({ examples: ['chatroom'] })),
    chatroomId: Type.Optional({ ...ObjectIdShape, description: ofCommand }),
    ...failureFields,
  }),
  {
    summary: 'A subscription was rejected.',
    audience: 'connection',
    isRefusal: true,
    examples: [
      { channel: 'chatroom', code: 'NOT_A_MEMBER', message: 'You are not a member of this chatroom' },
    ],
  },
);

const Symbols = Type.Array(Type.String({ examples: ['EURUSD'] }));

export const subscribed = liveMessage(
  'subscribe:success',
  Type.Union([
    Type.Object({
      channel: Type.Literal('chatroom'),
      chatroomId: ObjectIdShape,
      seq: Type.Integer({
        description: 'The sequence number of the newest message in the room',
        examples: [120],
      }),
      memberCount: Type.Integer({ examples: [12] }),
      activeNow: Type.Integer({ description: 'Members who are connected to it now', examples: [3] }),
      online: Type.Optional(
        Type.Array(ObjectIdShape, {
          description: `Their ids; left out if there are more than ${MAX_LISTED}`,
        }),
      ),
      replayed: Type.Optional(
        Type.Integer({ description: 'With `after`: how many missed messages follow', examples: [2] }),
      ),
      more: Type.Optional(
        Type.Boolean({
          description:
            'With `after`: whether more was missed than follows. Then discard what you keep of the room from before, and read it anew over HTTP, since edits and deletions of older messages are not told',
          examples: [false],
        }),
      ),
    }),
    Type.Object({
      channel: Type.Literal('notifications'),
      userId: ObjectIdShape,
      timestamp: { ...DateTime, description: 'Since when notifications are sent' },
    }),
    Type.Object({ channel: Type.Literal('market'), symbols: Symbols }),
  ]),
  { summary: 'The subscription has started. Its messages follow.', audience: 'connection' },
);

export const unsubscribed = liveMessage(
  'unsubscribe:success',
  Type.Union([
    Type.Object({ channel: Type.Literal('chatroom'), chatroomId: ObjectIdShape }),
    Type.Object({ channel: Type.Literal('notifications'), userId: ObjectIdShape }),
    Type.Object({ channel: Type.Literal('market'), symbols: Symbols }),
  ]),
  { summary: 'The subscription has ended.', audience: 'connection' },
);

export const accessRevoked = liveMessage(
  'unsubscribed',
  Type.Object({
    channel: Type.Literal('chatroom'),
    chatroomId: ObjectIdShape,
    reason: Type.String({ description: 'A stable code for programs', examples: ['NOT_ALLOWED'] }),
  }),
  { summary: 'The member may no longer read a room that they were subscribed to.', audience: 'connection' },
);

/** Exactly the fields of the specification; see docs/decisions/realtime.md. */
export const marketPrice = liveMessage(
  'market:price',
  Type.Object({
    symbol: Type.String({ examples: ['EURUSD'] }),
    price: Type.Number({ examples: [1.0842] }),
    change: Type.Number({ description: 'Change since the market opened', examples: [0.0021] }),
    changePercent: Type.Number({ examples: [0.19] }),
  }),
  {
    summary:
      'The newest price of a symbol that the connection is subscribed to, at most four times a second.',
    audience: 'connection',
  },
);

export const REALTIME_MESSAGES = [
  authenticated,
  authenticationFailed,
  tokenExpiring,
  subscribed,
  subscribeFailed,
  unsubscribed,
  accessRevoked,
  marketPrice,
  pong,
  commandFailed,
];
