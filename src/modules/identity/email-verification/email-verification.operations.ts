import { validationFailed } from '../../../kernel/failures.ts';
import { authenticationRequired, member, memberOrClient } from '../../../kernel/operations/access.ts';
import { mailLink } from '../../../kernel/operations/mail-links.ts';
import { accepted, type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { spelled } from '../../../kernel/text/numbers.ts';
import { HOUR_MS } from '../../../kernel/time/time.ts';
import { type Throttles, tooManyAttemptsFailure } from '../throttles/throttles.ts';
import { Empty, VerifiedEmail, VerifyByLinkBody, VerifyEmailBody } from './email-verification.schemas.ts';
import {
  invalidVerificationCode,
  tooManyVerifications,
  VERIFICATION_LIMITS,
  type VerificationRules,
} from './email-verification.ts';
import type { VerificationLinks, Verified } from './verification-links.ts';
import {
  accessEndedPage,
  accessKeptPage,
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
    description: `With the \`code\` of the mail and a bearer token, or with the \`token\` of its link and none. Both are valid for ${VERIFICATION_LIMITS.lifetimeMs / HOUR_MS} hours, or until the next mail; the code becomes invalid after ${spelled(VERIFICATION_LIMITS.wrongTries)} wrong attempts. A \`token\` shows who reads the mailbox, not who signed up: \`access: end\`, for an owner of the address who did not, ends the access of whoever did.`,
    access: memberOrClient,
    body: VerifyEmailBody,
    success: ok(VerifiedEmail, { message: 'E-mail address verified' }),
    failures: [invalidVerificationCode, tooManyAttemptsFailure],
    handle: async ({ body: { code, token, access }, caller, facts }) => {
      if ((code === undefined) === (token === undefined))
        throw validationFailed([{ field: 'code', message: 'or token is required, and not both' }]);
      if (code !== undefined && access === 'end')
        throw validationFailed([
          { field: 'access', message: 'must be left out with a code, which whoever signed up enters' },
        ]);
      if (code !== undefined && caller.kind !== 'user') throw authenticationRequired();
      return throttle.guard<Verified>([{ limit: 'codesFromAddress', name: facts.network }], async () => {
        if (token !== undefined) return links.verify(token, access ?? 'keep');
        if (caller.kind === 'user') await verification.verifyByCode(caller.userId, code as string);
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
    body: VerifyByLinkBody,
    success: ok(VerifiedEmail, { message: 'E-mail address verified' }),
    invalid: invalidVerificationCode,
    failures: [tooManyAttemptsFailure],
    pages: {
      asking: async (token, facts) =>
        (await links.mayBeStranger(token, facts.network)) ? askingStrangerPage() : askingPage(),
      done: ({ accessEnded }) =>
        accessEnded === undefined ? verifiedPage() : accessEnded ? accessEndedPage() : accessKeptPage(),
      invalid: invalidLinkPage,
    },
    isValid: async (token) => (await verification.ownerOf(token)) !== undefined,
    run: async (token, { access = 'keep' }, facts) => {
      const verify = () => links.verify(token, access);
      try {
        return await throttle.guard([{ limit: 'codesFromAddress', name: facts.network }], verify);
      } catch (error) {
        if (invalidVerificationCode.is(error)) return undefined;
        throw error;
      }
    },
  }),
];
