import { type Mail, mail } from '../mail/contract.ts';
import { passwordChangedMail, passwordResetMail, welcomeMail } from './contract.ts';

/** The e-mails of identity. `openCode` opens the sealed reset code of a `passwordResetMail`. */
export const identityMails = (openCode: (sealed: string) => string): Mail[] => [
  mail(welcomeMail, ({ firstName }) => ({
    subject: `Welcome, ${firstName}`,
    paragraphs: [`Hello ${firstName},`, 'your account is ready. We are glad that you are here.'],
  })),
  mail(passwordResetMail, ({ firstName, code: sealed }) => {
    const code = openCode(sealed);
    return {
      subject: 'Your password reset code',
      paragraphs: [
        `Hello ${firstName},\nyour code is ${code}. It is good for one hour.`,
        'If you did not ask for it, you need do nothing.',
      ],
      highlight: code,
    };
  }),
  mail(passwordChangedMail, ({ firstName }) => ({
    subject: 'Your password was changed',
    paragraphs: [
      `Hello ${firstName},`,
      'your password was changed, and your other sessions have ended.',
      'If that was not you, reset your password now.',
    ],
  })),
];
