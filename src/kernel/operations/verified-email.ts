import { failure } from '../failures.ts';
import type { Caller } from './callers.ts';

/** The member has not shown that the e-mail address is theirs. Clients ask for the code of a mail, and repeat the request. */
export const emailNotVerified = failure(
  403,
  'EMAIL_NOT_VERIFIED',
  'Verify your e-mail address first (POST /v1/auth/verify-email)',
);

/** @throws emailNotVerified where the installation wants a verified address before money moves */
export function mustHaveVerifiedEmail(caller: Caller): void {
  if (caller.kind === 'user' && caller.lacksVerifiedEmail) throw emailNotVerified();
}
