import { Type } from 'typebox';
import { oneOf } from '../../../kernel/operations/shapes.ts';
import { LINK_ACCESS } from './email-verification.model.ts';

const LinkAccessShape = Type.Optional(
  oneOf(LINK_ACCESS, {
    description:
      '`end`, with a `token`, if the owner of the address did not sign up: ends the sessions, the password and the factors of whoever did. `keep` by default',
  }),
);

export const VerifyByLinkBody = Type.Object({ access: LinkAccessShape });

export const VerifyEmailBody = Type.Object({
  code: Type.Optional(
    Type.String({ pattern: '^[0-9]{6}$', description: 'The code of the mail', examples: ['493021'] }),
  ),
  token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The token of the link in the mail; needs no bearer token',
      examples: ['q3Zl0l7s...'],
    }),
  ),
  access: LinkAccessShape,
});

export const VerifiedEmail = Type.Object(
  {
    emailVerified: Type.Boolean(),
    accessEnded: Type.Optional(
      Type.Boolean({
        description:
          'With `access: end`: true if the sessions, the password and the factors of whoever signed up have ended, now or by the same link before: the owner of the address sets a password by a reset. false, and nothing has ended, once the address was proved by the code or a reset, and of accounts that administrators made',
      }),
    ),
  },
  { $id: 'VerifiedEmail' },
);

export const Empty = Type.Object({});
