import { Type } from 'typebox';
import { DateTime, nullable, ObjectIdShape, oneOf, pageQuery } from '../../../kernel/operations/shapes.ts';
import { PLATFORMS } from '../platforms/platforms.model.ts';
import { OptionalPlatform } from '../platforms/platforms.schemas.ts';
import { SIGN_IN_METHODS } from './sessions.model.ts';

export const SessionShape = Type.Object(
  {
    id: ObjectIdShape,
    platform: oneOf(PLATFORMS),
    device: Type.String({ examples: ['iPhone 17'] }),
    deviceId: nullable(Type.String()),
    userAgent: Type.String(),
    address: Type.String({ examples: ['203.0.113.7'] }),
    createdAt: DateTime,
    method: oneOf(SIGN_IN_METHODS, { description: 'With what it was opened; `sso` is single sign-on' }),
    lastUsedAt: DateTime,
    lastSeenAt: { ...DateTime, description: 'When it last got an access token' },
    elevatedUntil: nullable({
      ...DateTime,
      description: 'Until when it needs no further step-up; null if it has not stepped up',
    }),
    isCurrent: Type.Boolean({ description: 'Whether it is the session of this request' }),
  },
  { $id: 'Session' },
);

export const Ended = Type.Object(
  { sessionsEnded: Type.Integer({ examples: [1] }) },
  { $id: 'SessionsEnded' },
);

/** Which sessions to end: all, those on one platform, or the one of a device on it. */
export const Target = Type.Object({
  platform: OptionalPlatform,
  device: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
});

export const ListSessionsQuery = Type.Object(pageQuery());

export const ListSessionsOfUserQuery = Type.Object(pageQuery());
