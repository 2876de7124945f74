import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import { validationFailed } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { maskedAddress } from '../../kernel/text/email-address.ts';
import { fullName } from '../../kernel/text/full-name.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { type Contact, type Identity, userNotFound } from '../identity/contract.ts';
import type { MailAttempt } from '../mail/contract.ts';
import type { DeliveryFilter, DeliveryStatus, DeliveryView, SentMessage } from './deliveries.model.ts';
import type { DeliveryStore } from './deliveries.store.ts';
import { MAX_ATTEMPTS } from './delivering.ts';
import type { DeliveryHistoryStore } from './delivery-history.store.ts';

interface ToldDeps {
  store: DeliveryHistoryStore;
  deliveries: Pick<DeliveryStore, 'recordMail'>;
  contactsOf: (userIds: ObjectId[]) => Promise<Contact[]>;
  contactByEmail: Identity['contactByEmail'];
  clock: Clock;
}

/** A person as operators see them. */
interface Named {
  user: { id: ObjectId; name: string; email: string } | null;
}

const STATUS_OF: Record<MailAttempt['status'], DeliveryStatus> = {
  sent: 'sent',
  unavailable: 'unavailable',
  rejected: 'failed',
  suppressed: 'suppressed',
  failing: 'pending',
};

/**
 * The history of notifications and their deliveries, for operators: recipients, channels, and the responses of
 * servers.
 */
export function deliveryHistoryRules({ store, deliveries, contactsOf, contactByEmail, clock }: ToldDeps) {
  async function withUsers(rows: DeliveryView[]): Promise<(DeliveryView & Named)[]> {
    const contacts = await contactsOf([...new Set(rows.map(({ userId }) => userId))]);
    const users = new Map(
      contacts.map(({ userId, firstName, lastName, email }) => [
        userId,
        { id: userId, name: fullName({ firstName, lastName }), email },
      ]),
    );
    return rows.map((row) => ({ ...row, user: users.get(row.userId) ?? null }));
  }

  return {
    /** @throws 422 if the period ends before it begins */
    async deliveries(filter: DeliveryFilter, page: PageRequest): Promise<Page<DeliveryView & Named>> {
      if (filter.from && filter.to && filter.from > filter.to)
        throw validationFailed([{ field: 'from', message: 'must not be after to' }]);
      const found = await store.deliveries(filter, page);
      return { ...found, items: await withUsers(found.items) };
    },
    /** Returns a member's notifications and e-mails, each with its deliveries. @throws userNotFound */
    async sentTo(
      userId: ObjectId,
      request: PageRequest,
    ): Promise<Page<SentMessage & { deliveries: (DeliveryView & Named)[] }>> {
      if ((await contactsOf([userId])).length === 0) throw userNotFound();
      const page = await store.sentTo(userId, request);
      const all = await withUsers(await store.deliveriesOf(page.items.map(({ id }) => id)));
      const byNotification = Map.groupBy(all, ({ notificationId }) => notificationId);
      return {
        ...page,
        items: page.items.map((message) => ({
          ...message,
          deliveries: byNotification.get(message.id) ?? [],
        })),
      };
    },
    /** Records an attempt to send an e-mail that is not a notification, unless the recipient has no account. */
    async recordMail({
      id,
      kind,
      to,
      userId,
      subject,
      status,
      error,
      ...answer
    }: MailAttempt): Promise<void> {
      const member = userId === undefined ? await contactByEmail(to) : (await contactsOf([userId]))[0];
      if (!member) return;
      const mail = {
        id,
        userId: member.userId,
        type: kind,
        title: subject,
        recipient: maskedAddress(to),
        status: STATUS_OF[status],
        error: error ?? null,
        ...answer,
      };
      await deliveries.recordMail(mail, clock.date(), MAX_ATTEMPTS);
    },
  };
}

export type DeliveryHistoryRules = ReturnType<typeof deliveryHistoryRules>;
