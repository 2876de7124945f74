import { Type } from 'typebox';
import { failure } from '../../../kernel/failures.ts';
import { oneOf, refusedAs } from '../../../kernel/operations/shapes.ts';
import { PLATFORMS } from './platforms.model.ts';

export const PlatformAccess = Type.Object(
  {
    platform: oneOf(PLATFORMS),
    skus: Type.Array(
      Type.Object({
        sku: Type.String({ examples: ['XHSET101'] }),
        name: Type.String({
          description: 'The SKU again: the platform knows no other name',
          examples: ['XHSET101'],
        }),
        days: Type.Integer({ description: 'Days of access after the last purchase', examples: [30] }),
      }),
      { description: 'Any of these grants access; where there are none, no purchase is needed' },
    ),
  },
  { $id: 'PlatformAccess' },
);

const list = PLATFORMS.join(', ');

const platformRequired = failure(400, 'PLATFORM_REQUIRED', `Platform is required. Valid platforms: ${list}`);
const invalidPlatform = failure(400, 'INVALID_PLATFORM', `Invalid platform. Valid platforms: ${list}`);

export const PlatformShape = refusedAs(
  oneOf(PLATFORMS, { description: 'Where the member signs in', examples: ['web'] }),
  invalidPlatform,
  platformRequired,
);

/** The platform, where it is optional. */
export const OptionalPlatform = Type.Optional(refusedAs(oneOf(PLATFORMS), invalidPlatform));
