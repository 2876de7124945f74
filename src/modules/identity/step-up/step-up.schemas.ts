import { Type } from 'typebox';
import { DateTime } from '../../../kernel/operations/shapes.ts';
import { MfaCode } from '../factors/factors.schemas.ts';
import { PasskeyResponse } from '../passkeys/passkeys.schemas.ts';

export const StepUpBody = Type.Object({
  password: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: 'Of members without a second factor' }),
  ),
  mfaCode: Type.Optional(MfaCode),
  passkey: Type.Optional(PasskeyResponse),
});

export const SteppedUp = Type.Object({ until: DateTime });
