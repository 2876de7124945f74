import type { Mail, Mailer } from '../../external/mail/port.ts';
import { type EventKind, onOutside, type Subscription } from '../../kernel/events.ts';
import type { Module } from '../../kernel/module.ts';
import {
  type IdentityMails,
  passwordChangedMail,
  passwordResetMail,
  welcomeMail,
} from '../identity/index.ts';

interface MailNeeds {
  mailer: Mailer;
  identity: IdentityMails;
}

/** Mail: turns the e-mail events of other modules into e-mails. */
export function mailModule({ mailer, identity }: MailNeeds): Module {
  const mail = <Data extends { email: string }>(
    kind: EventKind<Data>,
    write: (data: Data) => Pick<Mail, 'subject' | 'text'>,
  ): Subscription =>
    onOutside(kind, 'mail', ({ id, name, data }) =>
      mailer.send({ id, kind: name, to: data.email, ...write(data) }),
    );

  return {
    name: 'mail',
    door: undefined,
    subscriptions: [
      mail(welcomeMail, ({ firstName }) => ({
        subject: `Welcome, ${firstName}`,
        text: `Hello ${firstName},\n\nyour account is ready. We are glad that you are here.\n`,
      })),
      mail(passwordResetMail, ({ firstName, code }) => ({
        subject: 'Your password reset code',
        text: `Hello ${firstName},\n\nyour code is ${identity.openResetCode(code)}. It is good for one hour.\nIf you did not ask for it, you need do nothing.\n`,
      })),
      mail(passwordChangedMail, ({ firstName }) => ({
        subject: 'Your password was changed',
        text: `Hello ${firstName},\n\nyour password was changed, and your other sessions have ended.\nIf that was not you, reset your password now.\n`,
      })),
    ],
  };
}
