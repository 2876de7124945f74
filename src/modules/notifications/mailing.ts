import { type Mailer, MailRefused } from '../../external/mail/port.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Contact } from '../identity/index.ts';
import type { Carrier } from './delivering.ts';
import { letterOf } from './letters.ts';

interface MailingNeeds {
  mailer: Mailer | undefined;
  contactOf: (userId: ObjectId) => Promise<Contact | undefined>;
  unsubscribeUrlOf: (userId: ObjectId) => string;
}

/** By e-mail, to members who are active. */
export function emailCarrier({ mailer, contactOf, unsubscribeUrlOf }: MailingNeeds): Carrier {
  return async (parcel) => {
    const { userId, id } = parcel;
    if (!mailer) return { status: 'unavailable', error: 'no mail server is set up' };
    const contact = await contactOf(userId);
    if (!contact?.isActive) return { status: 'unavailable', error: 'the account is not active' };
    const unsubscribeUrl = unsubscribeUrlOf(userId);
    const letter = letterOf(parcel, unsubscribeUrl);
    try {
      await mailer.send({ id, kind: 'email.notification', to: contact.email, unsubscribeUrl, ...letter });
      return { status: 'sent' };
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      return { status: 'failed', error: error.message };
    }
  };
}
