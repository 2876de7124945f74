import { anyClient, member } from '../../../kernel/operations/access.ts';
import { type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { spelled } from '../../../kernel/text/numbers.ts';
import { HOUR_MS, MINUTE_MS } from '../../../kernel/time/time.ts';
import { type Throttles, tooManyAttemptsFailure } from '../throttles/throttles.ts';
import type { PasswordPolicy } from './password-policy.ts';
import { wrongPassword } from './password-proof.ts';
import { invalidCode, type PasswordRules, RESET_LIMITS, tooManyResets } from './password-resets.ts';
import {
  ChangePasswordBody,
  Empty,
  ForgotPasswordBody,
  ResetPasswordBody,
  ValidateResetCodeBody,
  ValidateResetCodeResult,
} from './passwords.schemas.ts';

const tag = 'Passwords';
const TooMany = () => tooManyResets(120);

interface PasswordParts {
  passwords: PasswordRules;
  policy: Pick<PasswordPolicy, 'faultsIn'>;
  throttle: Throttles;
}

export const passwordOperations = ({ passwords, policy, throttle }: PasswordParts): Operation[] => [
  operation({
    method: 'POST',
    path: '/auth/forgot-password',
    id: 'forgotPassword',
    tag,
    summary: 'Request a password reset code by mail (step 1 of 3)',
    description: `The response is the same whether or not the e-mail is known. A six-digit code can be requested every ${spelled(RESET_LIMITS.pauseMs / MINUTE_MS)} minutes, up to ${spelled(RESET_LIMITS.perDay)} times a day for each e-mail. A code is valid for ${spelled(RESET_LIMITS.codeLifetimeMs / HOUR_MS)} hour and becomes invalid after ${spelled(RESET_LIMITS.wrongTries)} wrong attempts.`,
    access: anyClient,
    body: ForgotPasswordBody,
    success: ok(Empty, { message: 'If the email is known, a code is on its way' }),
    failures: [TooMany],
    handle: async ({ body, facts }) => {
      await throttle.guard([{ limit: 'resetsFromAddress', name: facts.network }], () =>
        passwords.request(body.email),
      );
      return {};
    },
  }),
  operation({
    method: 'POST',
    path: '/auth/validate-reset-code',
    id: 'validateResetCode',
    tag,
    summary: 'Check a password reset code (step 2 of 3)',
    access: anyClient,
    body: ValidateResetCodeBody,
    success: ok(ValidateResetCodeResult, {
      message: 'The code is valid',
    }),
    failures: [invalidCode, tooManyAttemptsFailure],
    handle: async ({ body, facts }) => {
      await throttle.guard([{ limit: 'codesFromAddress', name: facts.network }], () =>
        passwords.validate(body.email, body.code),
      );
      return { valid: true };
    },
  }),
  operation({
    method: 'POST',
    path: '/auth/reset-password',
    id: 'resetPassword',
    tag,
    summary: 'Set a new password with a reset code (step 3 of 3)',
    description: 'Ends all sessions of the user.',
    access: anyClient,
    body: ResetPasswordBody,
    success: ok(Empty, { message: 'Password reset successfully' }),
    failures: [invalidCode, tooManyAttemptsFailure],
    faults: ({ body: { email, newPassword } }) => policy.faultsIn({ email, newPassword }),
    handle: async ({ body, facts }) => {
      await throttle.guard([{ limit: 'codesFromAddress', name: facts.network }], () =>
        passwords.reset(body.email, body.code, body.newPassword),
      );
      return {};
    },
  }),
  operation({
    method: 'POST',
    path: '/auth/change-password',
    id: 'changePassword',
    tag,
    summary: 'Change your password and end your other sessions',
    access: member,
    needsStepUp: true,
    body: ChangePasswordBody,
    success: ok(Empty, { message: 'Password changed successfully' }),
    failures: [wrongPassword, tooManyAttemptsFailure],
    faults: ({ body: { newPassword } }) => policy.faultsIn({ newPassword }),
    handle: async ({ body, caller, facts }) => {
      await passwords.change(caller, facts, body);
      return {};
    },
  }),
];
