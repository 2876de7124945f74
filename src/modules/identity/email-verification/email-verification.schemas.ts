import { Type } from 'typebox';

export const VerifyEmailBody = Type.Object({
  code: Type.Optional(
    Type.String({ pattern: '^[0-9]{6}$', description: 'The code of the mail', examples: ['493021'] }),
  ),
  token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'The token of the link in the mail; needs no bearer token. Send that of the account, if there is one',
      examples: ['q3Zl0l7s...'],
    }),
  ),
});

export const VerifiedEmail = Type.Object({
  emailVerified: Type.Boolean(),
  accessEnded: Type.Optional(
    Type.Boolean({
      description:
        'true if the sessions, the password and the factors of the account have ended, because a stranger may have signed up: the owner of the address sets a password by a reset',
    }),
  ),
});

export const Empty = Type.Object({});
