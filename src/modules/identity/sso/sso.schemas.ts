import { Type } from 'typebox';
import { invalidId } from '../../../kernel/failures.ts';
import { ObjectIdShape, refusedAs } from '../../../kernel/operations/shapes.ts';
import { placeFields, SignedIn, TokenPair } from '../identity.schemas.ts';

const Token = Type.String({ minLength: 1, maxLength: 4096 });

export const SsoRequestShape = Type.Object(
  {
    userId: Type.Optional(refusedAs(ObjectIdShape, invalidId('user'))),
    customerId: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ['C-10293'] })),
    accessToken: {
      ...Token,
      description:
        'Issued by the backoffice, or by an active session of this platform where the platform itself is the customer directory',
    },
    refreshToken: Token,
    ...placeFields,
  },
  { atLeastOne: [['userId', 'customerId']] },
);

export const SsoSignedIn = Type.Object(
  {
    ...SignedIn.properties,
    redirectUrl: Type.Optional(
      Type.String({ format: 'http-url', description: 'For `livestream` only: the address to open next' }),
    ),
  },
  { $id: 'SsoSignedIn' },
);

export const Redeemed = Type.Object(
  {
    ...TokenPair.properties,
    userId: ObjectIdShape,
    sessionId: ObjectIdShape,
    user: Type.Object({
      id: ObjectIdShape,
      email: Type.String(),
      firstName: Type.String(),
      lastName: Type.String(),
    }),
  },
  { $id: 'SsoRedeemed' },
);

export const RedeemSsoTokenBody = Type.Object({ token: Token });
