import type { Mailer } from './port.ts';
import type { MailSettings } from './settings.ts';
import { smtpMailer } from './smtp.ts';

/** Returns the mail server, or undefined when none is configured: no mail is then sent. */
export const mailer = ({ url, from }: MailSettings): Mailer | undefined =>
  url === undefined ? undefined : smtpMailer({ url, from });
