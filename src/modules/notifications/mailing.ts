import type { ObjectId } from '../../kernel/ids.ts';
import { maskedAddress } from '../../kernel/text/email-address.ts';
import type { Contact } from '../identity/contract.ts';
import type { Mails } from '../mail/contract.ts';
import type { ChannelSender } from './delivering.ts';
import { mailContentOf } from './mail-content.ts';

interface MailingDeps {
  mails: Mails;
  contactOf: (userId: ObjectId) => Promise<Contact | undefined>;
  unsubscribeUrlOf: (userId: ObjectId) => string;
}

/** Delivers by e-mail to active members. */
export function emailSender({ mails, contactOf, unsubscribeUrlOf }: MailingDeps): ChannelSender {
  return async (parcel) => {
    const { userId, id } = parcel;
    const contact = await contactOf(userId);
    if (!contact?.isActive) return { status: 'unavailable', error: 'the account is not active' };
    const unsubscribeUrl = unsubscribeUrlOf(userId);
    const { status, ...outcome } = await mails.send({
      id,
      kind: 'email.notification',
      to: contact.email,
      unsubscribeUrl,
      ...mailContentOf(parcel, unsubscribeUrl),
    });
    const recipient = maskedAddress(contact.email);
    return { status: status === 'rejected' ? 'failed' : status, recipient, ...outcome };
  };
}
