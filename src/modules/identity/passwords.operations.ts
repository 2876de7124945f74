import { anyClient, member } from '../../kernel/operations/access.ts';
import { type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { refuseCommon } from './common-passwords.ts';
import { invalidCode, type PasswordRules, tooManyResets, wrongPassword } from './password-resets.ts';
import {
  ChangePasswordBody,
  Empty,
  ForgotPasswordBody,
  ResetPasswordBody,
  ValidateResetCodeBody,
  ValidateResetCodeResult,
} from './passwords.schemas.ts';
import { type Throttles, tooManyAttemptsFailure } from './throttles.ts';

const tag = 'Passwords';
const TooMany = () => tooManyResets(120);

interface PasswordParts {
  passwords: PasswordRules;
  throttle: Throttles;
  refusesCommonPasswords: boolean;
}

export const passwordOperations = ({
  passwords,
  throttle,
  refusesCommonPasswords,
}: PasswordParts): Operation[] => [
  operation({
    method: 'POST',
    path: '/auth/forgot-password',
    id: 'forgotPassword',
    tag,
    summary: 'Step 1 of a password reset: have a six-digit code mailed',
    description:
      'The answer is the same whether the e-mail is known or not. Two minutes between requests, five a day; the code is good for an hour and burns after five wrong tries.',
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
    summary: 'Step 2 of a password reset: check the code',
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
    summary: 'Step 3 of a password reset: set a new password with the code',
    description: 'Ends every session of the user.',
    access: anyClient,
    body: ResetPasswordBody,
    success: ok(Empty, { message: 'Password reset successfully' }),
    failures: [invalidCode, tooManyAttemptsFailure],
    handle: async ({ body, facts }) => {
      refuseCommon(body.newPassword, refusesCommonPasswords, 'newPassword');
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
    summary: 'Change your password; your other sessions end',
    access: member,
    body: ChangePasswordBody,
    success: ok(Empty, { message: 'Password changed successfully' }),
    failures: [wrongPassword, tooManyAttemptsFailure],
    handle: async ({ body, caller, facts }) => {
      refuseCommon(body.newPassword, refusesCommonPasswords, 'newPassword');
      const name = `${caller.email} ${facts.network}`;
      await throttle.guard([{ limit: 'accountFromAddress', name }], () =>
        passwords.change(caller.userId, caller.sessionId, body.currentPassword, body.newPassword),
      );
      return {};
    },
  }),
];
