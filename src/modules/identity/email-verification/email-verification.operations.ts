import { validationFailed } from '../../../kernel/failures.ts';
import { authenticationRequired, member, memberOrClient } from '../../../kernel/operations/access.ts';
import { mailLink } from '../../../kernel/operations/mail-links.ts';
import { accepted, type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { spelled } from '../../../kernel/text/numbers.ts';
import { HOUR_MS } from '../../../kernel/time/time.ts';
import { type Throttles, tooManyAttemptsFailure } from '../throttles/throttles.ts';
import { Empty, VerifiedEmail, VerifyEmailBody } from './email-verification.schemas.ts';
import {
  invalidVerificationCode,
  tooManyVerifications,
  VERIFICATION_LIMITS,
  type VerificationRules,
} from './email-verification.ts';
import type { VerificationLinks, Verified } from './verification-links.ts';
import {
  accessEndedPage,
  askingPage,
  askingStrangerPage,
  invalidLinkPage,
  verifiedPage,
} from './verification-page.ts';

const tag = 'Sign-in';
const TooMany = () => tooManyVerifications(1200);
const LINK_PATH = '/v1/auth/verify-email/link';

/** Returns the address of the page that verifies an e-mail address by a token. */
export const verificationLinkOf = (baseUrl: string, token: string): string =>
  `${baseUrl.replace(/\/$/, '')}${LINK_PATH}?token=${token}`;

interface Parts {
  verification: VerificationRules;
  links: VerificationLinks;
  throttle: Throttles;
}

export const verificationOperations = ({ verification, links, throttle }: Parts): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/auth/verify-email',
    id: 'verifyEmail',
    tag,
    summary: 'Verify your e-mail address',
    description: `With the \`code\` of the mail and a bearer token, or with the \`token\` of its link and none. Both are valid for ${VERIFICATION_LIMITS.lifetimeMs / HOUR_MS} hours, or until the next mail; the code becomes invalid after ${spelled(VERIFICATION_LIMITS.wrongTries)} wrong attempts. A \`token\` without the bearer token of its account, from a network that the account was never used from, ends all access of whoever signed up (\`accessEnded\`).`,
    access: memberOrClient,
    body: VerifyEmailBody,
    success: ok(VerifiedEmail, { message: 'E-mail address verified' }),
    failures: [invalidVerificationCode, tooManyAttemptsFailure],
    handle: async ({ body: { code, token }, caller, facts }) => {
      if ((code === undefined) === (token === undefined))
        throw validationFailed([{ field: 'code', message: 'or token is required, and not both' }]);
      if (code !== undefined && caller.kind !== 'user') throw authenticationRequired();
      const userId = caller.kind === 'user' ? caller.userId : undefined;
      return throttle.guard<Verified>([{ limit: 'codesFromAddress', name: facts.network }], async () => {
        if (token !== undefined) return links.verify(token, { ...facts, userId });
        await verification.verifyByCode(userId as string, code as string);
        return { emailVerified: true };
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/auth/verify-email/resend',
    id: 'resendVerification',
    tag,
    summary: 'Have a new verification mail sent',
    description: `At most ${spelled(VERIFICATION_LIMITS.perHour)} an hour. Nothing is sent once the address is verified.`,
    access: member,
    success: accepted(Empty, { message: 'If the address is not verified, a mail is on its way' }),
    failures: [TooMany],
    handle: async ({ caller }) => {
      await verification.resend(caller.userId);
      return {};
    },
  }),
  ...mailLink({
    path: LINK_PATH,
    tag,
    act: { id: 'verifyEmailByLink', summary: 'Verify an e-mail address on the page of its link' },
    show: {
      id: 'showEmailVerification',
      summary: 'Show the page of a verification link',
      description: 'The link in a mail. Its button sends the POST request; opening it changes nothing.',
    },
    success: ok(VerifiedEmail, { message: 'E-mail address verified' }),
    invalid: invalidVerificationCode,
    failures: [tooManyAttemptsFailure],
    pages: {
      asking: async (token, facts) =>
        (await links.endsAccess(token, facts)) ? askingStrangerPage() : askingPage(),
      done: ({ accessEnded }) => (accessEnded ? accessEndedPage() : verifiedPage()),
      invalid: invalidLinkPage,
    },
    isValid: async (token) => (await verification.ownerOf(token)) !== undefined,
    run: async (token, facts) => {
      const verify = () => links.verify(token, facts);
      try {
        return await throttle.guard([{ limit: 'codesFromAddress', name: facts.network }], verify);
      } catch (error) {
        if (invalidVerificationCode.is(error)) return undefined;
        throw error;
      }
    },
  }),
];
