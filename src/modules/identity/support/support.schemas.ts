import { Type } from 'typebox';
import { DateTime, nullable, oneOf } from '../../../kernel/operations/shapes.ts';
import { PLATFORMS } from '../platforms/platforms.model.ts';
import { REASONS } from './support.model.ts';

export const AccessVerdict = Type.Object(
  {
    platform: oneOf(PLATFORMS),
    allowed: Type.Boolean({ description: 'Whether the member can sign in there now' }),
    reason: oneOf(REASONS, {
      description:
        '`throttled`: too many wrong passwords from unknown addresses in the last minutes; `unverified`: signing in requires a verified e-mail address here',
    }),
    sku: nullable(Type.String({ description: 'The purchase that decides', examples: ['XHSET101'] })),
    until: nullable(DateTime),
    acceptedSkus: Type.Array(Type.String(), { description: 'Any of these grants access' }),
  },
  { $id: 'AccessVerdict' },
);
