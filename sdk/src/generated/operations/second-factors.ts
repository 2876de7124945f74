// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import type * as wire from '../wire.ts';

/** See which second factors you have. `GET /v1/auth/mfa` For member. */
export const getFactors: Operation<{
  data: wire.Factors;
  code: AnyCode | TokenCode;
}> = {
  id: 'getFactors',
  method: 'GET',
  path: '/v1/auth/mfa',
};

/** Begin to add an authenticator app (step 1 of 2). `POST /v1/auth/mfa/totp` For member. */
export const enrollAuthenticator: Operation<{
  data: wire.EnrollAuthenticatorResult;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'MFA_ALREADY_ACTIVE' | 'STEP_UP_REQUIRED';
}> = {
  id: 'enrollAuthenticator',
  method: 'POST',
  path: '/v1/auth/mfa/totp',
  isIdempotent: true,
};

/** Remove your authenticator app. `DELETE /v1/auth/mfa/totp` For member. */
export const removeAuthenticator: Operation<{
  data: wire.Factors;
  code: AnyCode | TokenCode | WriteCode | 'NOT_FOUND' | 'STEP_UP_REQUIRED';
}> = {
  id: 'removeAuthenticator',
  method: 'DELETE',
  path: '/v1/auth/mfa/totp',
};

/** Confirm the authenticator app with a code of it (step 2 of 2). `POST /v1/auth/mfa/totp/confirm` For member. */
export const confirmAuthenticator: Operation<{
  body: wire.ConfirmAuthenticatorBody;
  data: wire.RecoveryCodes;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_MFA_CODE' | 'MFA_ALREADY_ACTIVE' | 'NOT_FOUND' | 'STEP_UP_REQUIRED';
}> = {
  id: 'confirmAuthenticator',
  method: 'POST',
  path: '/v1/auth/mfa/totp/confirm',
};

/** Get new recovery codes, and void the earlier ones. `POST /v1/auth/mfa/recovery-codes` For member. */
export const renewRecoveryCodes: Operation<{
  data: wire.RecoveryCodes;
  code: AnyCode | TokenCode | WriteCode | 'MFA_NOT_ACTIVE' | 'STEP_UP_REQUIRED';
}> = {
  id: 'renewRecoveryCodes',
  method: 'POST',
  path: '/v1/auth/mfa/recovery-codes',
};

/** Confirm who you are, for ten minutes of this session. `POST /v1/auth/step-up` For member. */
export const stepUp: Operation<{
  body: wire.StepUpBody;
  data: wire.StepUpResult;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_MFA_CODE' | 'TOO_MANY_ATTEMPTS' | 'WRONG_FACTOR' | 'WRONG_PASSWORD';
}> = {
  id: 'stepUp',
  method: 'POST',
  path: '/v1/auth/step-up',
};
