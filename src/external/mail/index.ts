import type { Mailer } from './port.ts';
import type { MailSettings } from './settings.ts';
import { smtpMailer } from './smtp.ts';

/** Returns the mail server, or undefined when none is configured: no mail is then sent. */
export const mailer = ({ smtpUrl, mailFrom }: MailSettings): Mailer | undefined =>
  smtpUrl === undefined ? undefined : smtpMailer({ url: smtpUrl, from: mailFrom });
