import type { Mail, Mailer } from '../../external/mail/port.ts';
import { MailRefused } from '../../external/mail/port.ts';
import { type EventKind, onOutside, type Subscription } from '../../kernel/events.ts';
import type { Module } from '../../kernel/module.ts';
import {
  type IdentityMails,
  passwordChangedMail,
  passwordResetMail,
  welcomeMail,
} from '../identity/index.ts';
import { type Letter, passwordChangedLetter, passwordResetLetter, welcomeLetter } from './templates.ts';

export { type Letter, letter } from './templates.ts';

interface MailNeeds {
  mailer: Mailer;
  identity: IdentityMails;
  /** A mail that the mail server will never take. */
  onRefused: (mail: Pick<Mail, 'id' | 'kind'>, error: Error) => void;
}

/** Mail: turns the e-mail events of other modules into e-mails. Each is one durable job, tried until it is taken. */
export function mailModule({ mailer, identity, onRefused }: MailNeeds): Module<undefined> {
  const mail = <Data extends { email: string }>(
    kind: EventKind<Data>,
    write: (data: Data) => Letter,
  ): Subscription =>
    onOutside(kind, 'mail', async ({ id, name, data }) => {
      try {
        await mailer.send({ id, kind: name, to: data.email, ...write(data) });
      } catch (error) {
        if (!(error instanceof MailRefused)) throw error;
        onRefused({ id, kind: name }, error);
      }
    });

  return {
    name: 'mail',
    door: undefined,
    subscriptions: [
      mail(welcomeMail, welcomeLetter),
      mail(passwordResetMail, ({ firstName, code }) =>
        passwordResetLetter({ firstName, code: identity.openResetCode(code) }),
      ),
      mail(passwordChangedMail, passwordChangedLetter),
    ],
  };
}
