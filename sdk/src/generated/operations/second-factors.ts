// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { filled } from '../../paths.ts';
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

/** Confirm the authenticator app with one of its codes (step 2 of 2). `POST /v1/auth/mfa/totp/confirm` For member. */
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

/** Get the options with which the browser creates a passkey (step 1 of 2). `POST /v1/auth/passkeys/options` For member. */
export const getPasskeyOptions: Operation<{
  data: wire.GetPasskeyOptionsResult;
  code: AnyCode | TokenCode | WriteCode | 'STEP_UP_REQUIRED';
}> = {
  id: 'getPasskeyOptions',
  method: 'POST',
  path: '/v1/auth/passkeys/options',
};

/** Add the passkey that the browser created (step 2 of 2). `POST /v1/auth/passkeys` For member. */
export const addPasskey: Operation<{
  body: wire.AddPasskeyBody;
  data: wire.Passkey;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'PASSKEY_EXISTS' | 'PASSKEY_REJECTED' | 'STEP_UP_REQUIRED' | 'TOO_MANY_PASSKEYS';
}> = {
  id: 'addPasskey',
  method: 'POST',
  path: '/v1/auth/passkeys',
  isIdempotent: true,
};

/** List your passkeys. `GET /v1/auth/passkeys` For member. */
export const listPasskeys: Operation<{
  data: wire.Passkey[];
  code: AnyCode | TokenCode;
}> = {
  id: 'listPasskeys',
  method: 'GET',
  path: '/v1/auth/passkeys',
};

/** Rename one of your passkeys. `PATCH /v1/auth/passkeys/{id}` For member. */
export const renamePasskey: Operation<{
  params: {
    id: wire.ObjectId;
  };
  body: wire.RenamePasskeyBody;
  data: wire.Passkey;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'renamePasskey',
  method: 'PATCH',
  path: '/v1/auth/passkeys/{id}',
  fill: filled,
};

/** Remove one of your passkeys. `DELETE /v1/auth/passkeys/{id}` For member. */
export const removePasskey: Operation<{
  params: {
    id: wire.ObjectId;
  };
  data: wire.RemovePasskeyResult;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_ID' | 'NOT_FOUND' | 'STEP_UP_REQUIRED';
}> = {
  id: 'removePasskey',
  method: 'DELETE',
  path: '/v1/auth/passkeys/{id}',
  fill: filled,
};

/** Confirm who you are, for ten minutes of this session. `POST /v1/auth/step-up` For member. */
export const stepUp: Operation<{
  body: wire.StepUpBody;
  data: wire.StepUpResult;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_MFA_CODE' | 'PASSKEY_REJECTED' | 'TOO_MANY_ATTEMPTS' | 'WRONG_FACTOR' | 'WRONG_PASSWORD';
}> = {
  id: 'stepUp',
  method: 'POST',
  path: '/v1/auth/step-up',
};
