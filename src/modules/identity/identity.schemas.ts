import { Type } from 'typebox';
import { DateTime, nullable, ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { PlatformShape } from './platforms.ts';

const Email = Type.String({ format: 'mailbox', maxLength: 320, examples: ['ada@example.com'] });
const Password = Type.String({ minLength: 8, maxLength: 128, examples: ['correct horse battery'] });
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });

const place = {
  platform: PlatformShape,
  device: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Names the device among those of the member',
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
  ...place,
});

export const SignIn = Type.Object({
  email: Type.String({ maxLength: 320, examples: ['ada@example.com'] }),
  password: Type.String({ maxLength: 1024, examples: ['correct horse battery'] }),
  ...place,
});

const RefreshToken = Type.String({ minLength: 1, maxLength: 200, examples: ['q3Zl0l7s...'] });
export const Refresh = Type.Object({ refreshToken: RefreshToken });

export const TokenPair = Type.Object(
  {
    accessToken: Type.String({
      description: 'A JWT, good for 15 minutes',
      examples: ['eyJhbGciOiJFZERTQSJ9...'],
    }),
    refreshToken: Type.String({ description: 'Good for 30 days and for one use', examples: ['q3Zl0l7s...'] }),
  },
  { $id: 'TokenPair' },
);

export const Profile = Type.Object(
  {
    id: ObjectIdShape,
    email: Type.String({ examples: ['ada@example.com'] }),
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

export const SignedIn = Type.Object({ ...TokenPair.properties, user: Profile }, { $id: 'SignedIn' });
