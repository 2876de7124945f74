import { member } from '../../../kernel/operations/access.ts';
import { type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { spelled } from '../../../kernel/text/numbers.ts';
import { MINUTE_MS } from '../../../kernel/time/time.ts';
import { wrongMfaCode } from '../factors/factors.ts';
import { responseOf } from '../passkeys/passkeys.operations.ts';
import { passkeyRefused } from '../passkeys/passkeys.ts';
import { wrongPassword } from '../passwords/password-proof.ts';
import { ELEVATION_MS } from '../sessions/elevation.ts';
import { tooManyAttemptsFailure } from '../throttles/throttles.ts';
import { SteppedUp, StepUpBody } from './step-up.schemas.ts';
import { type StepUpRules, wrongFactor } from './step-up.ts';

export const stepUpOperations = (rules: StepUpRules): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/auth/step-up',
    id: 'stepUp',
    tag: 'Second factors',
    summary: `Confirm who you are, for ${spelled(ELEVATION_MS / MINUTE_MS)} minutes of this session`,
    description:
      'Send exactly one proof; `passkey` is the response to a challenge of `signin-options`. Members with a second factor need a step-up for requests that are refused with `STEP_UP_REQUIRED`, and must confirm with that factor.',
    access: member,
    body: StepUpBody,
    success: ok(SteppedUp, { message: 'Confirmed' }),
    failures: [wrongFactor, wrongPassword, wrongMfaCode, passkeyRefused, tooManyAttemptsFailure],
    handle: ({ body: { passkey, ...proof }, caller, facts }) =>
      rules.stepUp(caller, facts, { ...proof, ...(passkey && { passkey: responseOf(passkey) }) }),
  }),
];
