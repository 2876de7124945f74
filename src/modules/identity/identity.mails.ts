import { type Mail, type MailContent, mail } from '../mail/contract.ts';
import { VERIFICATION_LIMITS } from './email-verification/email-verification.ts';
import type { FactorChange } from './factors/factors.model.ts';
import { RESET_LIMITS } from './passwords/password-resets.ts';
import {
  factorsChangedMail,
  newSignInMail,
  passwordChangedMail,
  passwordResetMail,
  verificationMail,
  welcomeMail,
} from './requested-mails.schemas.ts';

const NAME = /^[\p{L}\p{M}\p{N} '’.-]{1,60}$/u;
/** Matches text that mail programs turn into a link: a host name or a telephone number. */
const LINK = /\.[\p{L}\p{N}]{2}|\d{5}/u;

/**
 * Returns `before` and the name, or an empty string if the name is unsafe. The address may belong to someone who never
 * signed up: a link or an advertisement in the name would reach them under the platform's name.
 */
const named = (before: string, firstName: string): string =>
  NAME.test(firstName) && !LINK.test(firstName) ? `${before}${firstName}` : '';

const TOLD: Record<FactorChange, string> = {
  'authenticator-added':
    'an authenticator app was added to your account. Signing in now requires one of its codes.',
  'authenticator-removed': 'the authenticator app was removed from your account.',
  'passkey-added': 'a passkey was added to your account.',
  'passkey-removed': 'a passkey was removed from your account.',
  'recovery-codes-renewed': 'new recovery codes were generated for your account; the earlier ones are void.',
  'removed-by-administrator':
    'our support removed the authenticator app and the passkeys from your account. Add new ones as soon as you can.',
  'removed-by-reset':
    'the authenticator app and the passkeys that were added to your account before were removed, because the reset of your password is the first proof that this address is yours. Add new ones as soon as you can.',
  'removed-by-owner':
    'the authenticator app and the passkeys of whoever signed up were removed, because the page of the link that we mailed to you was answered with “No, make the account mine”. Their sessions and their password have ended, too. Set a password of your own by “forgot password”.',
};

/** Returns the mail in place of further ones of its kind within an hour, behind which something could hide. */
const summaryOf = (what: string): MailContent => ({
  subject: 'More has happened to your account than we mail one by one',
  paragraphs: [
    'Hello,',
    `within an hour there were more than ten ${what}. There may be further ones in this hour, of which we send no mails.`,
    'If you do not know the reason, change your password now, which ends all other sessions. Then look through your passkeys and your authenticator app.',
  ],
});

interface Parts {
  /** Opens the sealed code of a `passwordResetMail`. */
  openResetCode: (sealed: string) => string;
  /** Opens the sealed code and token of a `verificationMail`. */
  openVerification: (sealed: string) => string;
  /** Whether no newer mail has replaced the one with this token, and its account is still there. */
  isNewestVerification: (token: string) => Promise<boolean>;
  /** Returns the address of the page that verifies an e-mail address by this token. */
  verificationLink: (token: string) => string;
  /** Returns the address of the page that ends a session. */
  endingLink: (sessionId: string, openedAt: Date) => string;
}

/** The e-mails of identity. */
export const identityMails = ({
  openResetCode,
  openVerification,
  isNewestVerification,
  verificationLink,
  endingLink,
}: Parts): Mail[] => [
  mail(welcomeMail, ({ firstName }) => ({
    subject: `Welcome${named(', ', firstName)}`,
    paragraphs: [`Hello${named(' ', firstName)},`, 'your account is ready. We are glad to have you.'],
  })),
  mail(
    passwordResetMail,
    ({ firstName, code: sealed }) => {
      const code = openResetCode(sealed);
      return {
        subject: 'Your password reset code',
        paragraphs: [
          `Hello${named(' ', firstName)},\nyour code is ${code}. It is valid for one hour.`,
          'If you did not request it, you can ignore this mail.',
        ],
        highlight: code,
      };
    },
    { isAskedFor: true, usefulForMs: RESET_LIMITS.codeLifetimeMs },
  ),
  mail(
    verificationMail,
    ({ firstName, code: sealed, token }) => {
      const code = openVerification(sealed);
      return {
        subject: 'Verify your e-mail address',
        paragraphs: [
          `Hello${named(' ', firstName)},\nyour code is ${code}. It is valid for 24 hours.`,
          'If you did not sign up, somebody else did with your address. Give the code to nobody. You can ignore this mail, or open the link: unless you share a network with whoever it was, its page offers to end their access and to make the account yours.',
        ],
        highlight: code,
        action: { label: 'Verify with one click', url: verificationLink(openVerification(token)) },
      };
    },
    {
      isAskedFor: true,
      usefulForMs: VERIFICATION_LIMITS.lifetimeMs,
      isPointless: async ({ token }) => !(await isNewestVerification(openVerification(token))),
    },
  ),
  mail(
    newSignInMail,
    ({ firstName, sessionId, platform, device, address, at }) => ({
      subject: 'A new sign-in to your account',
      paragraphs: [
        `Hello${named(' ', firstName)},`,
        `somebody signed in to your account at ${at.slice(0, 16).replace('T', ' ')} UTC, on ${platform}${named(' by the device ', device)}, from the address ${address}. That device or network is new to us.`,
        'If it was you, there is nothing to do. If not, end that session, and change your password now.',
      ],
      action: { label: 'End that session', url: endingLink(sessionId, new Date(at)) },
    }),
    { summary: summaryOf('sign-ins to your account from devices or networks that are new to us') },
  ),
  mail(
    passwordChangedMail,
    ({ firstName }) => ({
      subject: 'Your password was changed',
      paragraphs: [
        `Hello${named(' ', firstName)},`,
        'your password was changed, and your other sessions have ended.',
        'If you did not change it, reset your password now.',
      ],
    }),
    { summary: summaryOf('changes of your password') },
  ),
  mail(
    factorsChangedMail,
    ({ firstName, change }) => ({
      subject: 'Your sign-in was changed',
      paragraphs: [
        `Hello${named(' ', firstName)},`,
        TOLD[change],
        'If you did not expect this, change your password now and contact our support.',
      ],
    }),
    { summary: summaryOf('changes of your passkeys, authenticator app or recovery codes') },
  ),
];
