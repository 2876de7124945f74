import { mailbox, optionalSmtpUrl } from '../../kernel/address-settings.ts';
import { type Setting, type ValuesOf, withSecret } from '../../kernel/settings.ts';

/** Settings of the mail server. */
export const mailSettings = {
  url: withSecret(
    optionalSmtpUrl(
      'SMTP_URL',
      "The mail server. Without it, development uses the sandbox's mailbox, and production sends no mail",
      'smtp://user:password@mail.example.com:587',
    ),
  ),
  from: mailbox('MAIL_FROM', 'Platform <no-reply@platform.localhost>', 'The sender of mails'),
} satisfies Record<string, Setting<unknown>>;

export type MailSettings = ValuesOf<typeof mailSettings>;
