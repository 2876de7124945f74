import { validationFailed } from '../../../kernel/failures.ts';
import {
  authenticationRequired,
  member,
  memberOrClient,
  signedLink,
} from '../../../kernel/operations/access.ts';
import {
  accepted,
  HtmlPage,
  type Operation,
  ok,
  operation,
  type RawRequest,
} from '../../../kernel/operations/operation.ts';
import { spelled } from '../../../kernel/text/numbers.ts';
import { HOUR_MS } from '../../../kernel/time/time.ts';
import { type Throttles, tooManyAttemptsFailure } from '../throttles/throttles.ts';
import {
  Empty,
  VerificationLinkBody,
  VerificationLinkQuery,
  VerifiedEmail,
  VerifyEmailBody,
} from './email-verification.schemas.ts';
import {
  invalidVerificationCode,
  tooManyVerifications,
  VERIFICATION_LIMITS,
  type VerificationRules,
} from './email-verification.ts';
import { askingPage, invalidLinkPage, verifiedPage } from './verification-page.ts';

const tag = 'Sign-in';
const TooMany = () => tooManyVerifications(1200);
const LINK_PATH = '/v1/auth/verify-email/link';

/** Returns the address of the page that verifies an e-mail address by a token. */
export const verificationLinkOf = (baseUrl: string, token: string): string =>
  `${baseUrl.replace(/\/$/, '')}${LINK_PATH}?token=${token}`;

/** Returns whether to respond with a page: for browsers, but not for API clients. */
const wantsPage = (raw: RawRequest): boolean => raw.header('accept').includes('text/html');

interface Parts {
  verification: VerificationRules;
  throttle: Throttles;
}

export const verificationOperations = ({ verification, throttle }: Parts): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/auth/verify-email',
    id: 'verifyEmail',
    tag,
    summary: 'Verify your e-mail address',
    description: `With the \`code\` of the mail and a bearer token, or with the \`token\` of its link and none. Both are valid for ${VERIFICATION_LIMITS.lifetimeMs / HOUR_MS} hours, or until the next mail; the code becomes invalid after ${spelled(VERIFICATION_LIMITS.wrongTries)} wrong attempts.`,
    access: memberOrClient,
    body: VerifyEmailBody,
    success: ok(VerifiedEmail, { message: 'E-mail address verified' }),
    failures: [invalidVerificationCode, tooManyAttemptsFailure],
    handle: async ({ body: { code, token }, caller, facts }) => {
      if ((code === undefined) === (token === undefined))
        throw validationFailed([{ field: 'code', message: 'or token is required, and not both' }]);
      if (code !== undefined && caller.kind !== 'user') throw authenticationRequired();
      await throttle.guard([{ limit: 'codesFromAddress', name: facts.network }], () =>
        code !== undefined && caller.kind === 'user'
          ? verification.verifyByCode(caller.userId, code)
          : verification.verifyByToken(token as string),
      );
      return { emailVerified: true };
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
  operation({
    method: 'GET',
    path: LINK_PATH,
    id: 'showEmailVerification',
    tag,
    summary: 'Show the page of a verification link',
    description: 'The link in a mail. Its button sends the POST request; opening it changes nothing.',
    access: signedLink,
    isLink: true,
    query: VerificationLinkQuery,
    success: ok(Empty, { alsoAs: 'text/html' }),
    failures: [invalidVerificationCode],
    handle: async ({ query, raw }) => {
      if (await verification.knowsToken(query.token)) return new HtmlPage(200, askingPage());
      if (wantsPage(raw)) return new HtmlPage(400, invalidLinkPage());
      throw invalidVerificationCode();
    },
  }),
  operation({
    method: 'POST',
    path: LINK_PATH,
    id: 'verifyEmailByLink',
    tag,
    summary: 'Verify an e-mail address on the page of its link',
    access: signedLink,
    isLink: true,
    form: true,
    maxBodyBytes: 1024,
    query: VerificationLinkQuery,
    body: VerificationLinkBody,
    success: ok(VerifiedEmail, { message: 'E-mail address verified', alsoAs: 'text/html' }),
    failures: [invalidVerificationCode, tooManyAttemptsFailure],
    handle: async ({ query, raw, facts }) => {
      const verify = () => verification.verifyByToken(query.token);
      const verifying = throttle.guard([{ limit: 'codesFromAddress', name: facts.network }], verify);
      if (!wantsPage(raw)) {
        await verifying;
        return { emailVerified: true };
      }
      try {
        await verifying;
        return new HtmlPage(200, verifiedPage());
      } catch (error) {
        if (!invalidVerificationCode.is(error)) throw error;
        return new HtmlPage(400, invalidLinkPage());
      }
    },
  }),
];
