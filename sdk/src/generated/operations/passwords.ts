// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, TokenCode, WriteCode } from '../codes.ts';
import type * as wire from '../wire.ts';

/** Request a password reset code by mail (step 1 of 3). `POST /auth/forgot-password` For client. */
export const forgotPassword: Operation<{
  body: wire.ForgotPasswordBody;
  data: wire.Nothing;
  code: AnyCode | WriteCode | 'API_KEY_REQUIRED' | 'INVALID_API_KEY' | 'RESET_LIMIT_EXCEEDED';
}> = {
  id: 'forgotPassword',
  method: 'POST',
  path: '/auth/forgot-password',
  isOpen: true,
};

/** Check a password reset code (step 2 of 3). `POST /auth/validate-reset-code` For client. */
export const validateResetCode: Operation<{
  body: wire.ValidateResetCodeBody;
  data: wire.CodeCheck;
  code: AnyCode | WriteCode | 'API_KEY_REQUIRED' | 'INVALID_API_KEY' | 'INVALID_RESET_CODE' | 'TOO_MANY_ATTEMPTS';
}> = {
  id: 'validateResetCode',
  method: 'POST',
  path: '/auth/validate-reset-code',
  isOpen: true,
};

/** Set a new password with a reset code (step 3 of 3). `POST /auth/reset-password` For client. */
export const resetPassword: Operation<{
  body: wire.ResetPasswordBody;
  data: wire.Nothing;
  code: AnyCode | WriteCode | 'API_KEY_REQUIRED' | 'INVALID_API_KEY' | 'INVALID_RESET_CODE' | 'TOO_MANY_ATTEMPTS';
}> = {
  id: 'resetPassword',
  method: 'POST',
  path: '/auth/reset-password',
  isOpen: true,
};

/** Change your password and end your other sessions. `POST /auth/change-password` For member. */
export const changePassword: Operation<{
  body: wire.ChangePasswordBody;
  data: wire.Nothing;
  code: AnyCode | TokenCode | WriteCode | 'STEP_UP_REQUIRED' | 'TOO_MANY_ATTEMPTS' | 'WRONG_PASSWORD';
}> = {
  id: 'changePassword',
  method: 'POST',
  path: '/auth/change-password',
};
