import { optionalUrl, type Setting, text, type ValuesOf, withSecret } from '../../kernel/settings.ts';

/** Settings of the mail server. */
export const mailSettings = {
  smtpUrl: withSecret(
    optionalUrl(
      'SMTP_URL',
      "The mail server; in development the sandbox's mailbox, in production without it no mail is sent",
      'smtp://user:password@mail.example.com:587',
    ),
  ),
  mailFrom: text('MAIL_FROM', 'Platform <no-reply@platform.localhost>', 'Who mails come from'),
} satisfies Record<string, Setting<unknown>>;

export type MailSettings = ValuesOf<typeof mailSettings>;
