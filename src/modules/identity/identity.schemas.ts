import { type Static, Type } from 'typebox';
import { DateTime, nameText, nullable, ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/time/time.ts';
import { educatorFields, MemberShape } from './contract.ts';
import { MfaCode } from './factors/factors.schemas.ts';
import { PasskeyResponse } from './passkeys/passkeys.schemas.ts';
import { SHORTEST_PASSWORD } from './passwords/passwords.model.ts';
import { PlatformShape } from './platforms/platforms.schemas.ts';
import { ACCESS_TOKEN_MS, REFRESH_TOKEN_MS } from './sessions/sessions.model.ts';
import { MOST_PERMISSIONS } from './users/users.model.ts';

export const Email = Type.String({ format: 'mailbox', maxLength: 320, examples: ['ada@example.com'] });
export const Password = Type.String({
  minLength: SHORTEST_PASSWORD,
  maxLength: 128,
  examples: ['correct horse battery'],
});
const Name = nameText(100);

export const placeFields = {
  platform: PlatformShape,
  device: Type.Optional(
    nameText(100, {
      description: 'Distinguishes this device from other devices of the member',
      examples: ['iPhone 17'],
    }),
  ),
  deviceId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
};

export const SignUp = Type.Object({
  email: Email,
  password: Password,
  firstName: { ...Name, examples: ['Ada'] },
  lastName: { ...Name, examples: ['Lovelace'] },
  ...placeFields,
});

export const SignIn = Type.Object({
  email: Type.String({ maxLength: 320, examples: ['ada@example.com'] }),
  password: Type.String({ maxLength: 1024, examples: ['correct horse battery'] }),
  mfaCode: Type.Optional(MfaCode),
  ...placeFields,
});

export const PasskeySignInBody = Type.Object({ response: PasskeyResponse, ...placeFields });

const RefreshToken = Type.String({ minLength: 1, maxLength: 200, examples: ['q3Zl0l7s...'] });
export const Refresh = Type.Object({ refreshToken: RefreshToken });

export const Username = Type.String({
  pattern: '^[a-z0-9](?:[a-z0-9._-]{0,58}[a-z0-9])?$',
  patternMessage:
    'must be at most 60 lower-case letters, digits, dots, hyphens and underscores, beginning and ending with a letter or digit',
  description: 'Lower-case letters, digits, dots, hyphens and underscores',
  examples: ['ada'],
});

/** Permission names are open-ended: any name of this form is valid. */
export const PermissionName = Type.String({
  pattern: '^[a-z][a-z0-9_:.-]{0,63}$',
  description:
    'Up to 64 lower-case letters, digits and `_ : . -`; begins with a letter. Operations ask for `admin`, `moderator`, `educator`, `read_users` and `write_users`; others grant nothing here, and are for your own systems',
  examples: ['read_courses'],
});
export const PermissionList = Type.Array(PermissionName, {
  maxItems: MOST_PERMISSIONS,
  examples: [['educator', 'read_users']],
});

export const TokenPair = Type.Object(
  {
    accessToken: Type.String({
      description: `A JWT, valid for ${ACCESS_TOKEN_MS / MINUTE_MS} minutes`,
      examples: ['eyJhbGciOiJFZERTQSJ9...'],
    }),
    refreshToken: Type.String({
      description: `Valid for ${REFRESH_TOKEN_MS / DAY_MS} days and a single use`,
      examples: ['q3Zl0l7s...'],
    }),
  },
  { $id: 'TokenPair' },
);

export const Profile = Type.Object(
  {
    id: ObjectIdShape,
    email: Type.String({ examples: ['ada@example.com'] }),
    emailVerified: Type.Boolean({ description: 'Whether the member has proved that the address is theirs' }),
    username: Type.String({ examples: ['ada'] }),
    firstName: Type.String({ examples: ['Ada'] }),
    lastName: Type.String({ examples: ['Lovelace'] }),
    customerId: nullable(Type.String()),
    permissions: Type.Array(Type.String(), { examples: [['educator']] }),
    isActive: Type.Boolean(),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  { $id: 'Profile' },
);

/** An account as its owner sees it. */
export const OwnProfile = Type.Object(
  {
    ...Profile.properties,
    ...MemberShape.properties,
    bio: nullable(Type.String({ examples: ['Twenty years of trading.'] })),
    timeZone: nullable(Type.String({ examples: ['Europe/Warsaw'] })),
    locale: nullable(Type.String({ examples: ['pt-BR'] })),
    mutedUntil: Type.Optional(
      nullable({
        ...DateTime,
        description:
          'Until when you are muted everywhere; null if you are not. Left out of the answer to a sign-in',
      }),
    ),
  },
  { $id: 'OwnProfile' },
);
export type OwnProfile = Static<typeof OwnProfile>;

/** A user as administrators see them. */
export const AccountShape = Type.Object(
  {
    ...Profile.properties,
    ...MemberShape.properties,
    ...Type.Partial(Type.Object(educatorFields)).properties,
  },
  { $id: 'Account' },
);

export const SignedIn = Type.Object({ ...TokenPair.properties, user: OwnProfile }, { $id: 'SignedIn' });
