import { failure } from '../failures.ts';
import type { Caller } from './callers.ts';

/**
 * The member has not verified their e-mail address. Clients have the code from the mail entered, and repeat the
 * request.
 */
export const emailNotVerified = failure(
  403,
  'EMAIL_NOT_VERIFIED',
  'Verify your e-mail address first (POST /v1/auth/verify-email)',
);

/** @throws emailNotVerified where the installation wants a verified address before money moves */
export function mustHaveVerifiedEmail(caller: Caller): void {
  if (caller.kind === 'user' && caller.lacksVerifiedEmail) throw emailNotVerified();
}
