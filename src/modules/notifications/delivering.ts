import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Job, Jobs } from '../../kernel/jobs.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Contact } from '../identity/contract.ts';
import type { Mails } from '../mail/contract.ts';
import type { Channel } from './contract.ts';
import type { Delivery, DeliveryStatus, DeliveryStore } from './deliveries.store.ts';
import { letterOf } from './letters.ts';
import { DELIVER } from './sending.ts';

const DIGEST = 'notifications.digest';
const DIGEST_OF = 'notifications.digest-of-member';
const MOST_ATTEMPTS = 9;
const MEMBERS_AT_ONCE = 500;
const MOST_IN_A_DIGEST = 50;

/** How members are reached on one channel: what became of it, or a fault that may pass. */
export type Carrier = (
  userId: ObjectId,
  /** The same at every attempt. */
  id: string,
  all: Pick<Delivery, 'title' | 'message' | 'type' | 'priority' | 'metadata' | 'notificationId'>[],
) => Promise<{ status: DeliveryStatus; error?: string }>;

/** By e-mail, to members who are active. */
export function emailCarrier({
  mails,
  contactOf,
  unsubscribeUrlOf,
}: {
  mails: Mails;
  contactOf: (userId: ObjectId) => Promise<Contact | undefined>;
  unsubscribeUrlOf: (userId: ObjectId) => string;
}): Carrier {
  return async (userId, id, all) => {
    const contact = await contactOf(userId);
    if (!contact?.isActive) return { status: 'unavailable', error: 'the account is not active' };
    const { status, error } = await mails.send({
      id,
      kind: 'email.notification',
      to: contact.email,
      unsubscribeUrl: unsubscribeUrlOf(userId),
      ...letterOf(all),
    });
    return { status: status === 'rejected' ? 'failed' : status, error };
  };
}

interface DeliveringNeeds {
  store: DeliveryStore;
  carriers: Partial<Record<Channel, Carrier>>;
  database: Database;
  jobs: Pick<Jobs, 'enqueue'>;
  clock: Clock;
}

/** Carries deliveries out: each is a durable job, tried with growing pauses; then it stands on the list of failed ones. */
export function delivering({ store, carriers, database, jobs, clock }: DeliveringNeeds) {
  async function carry(id: string, all: Delivery[]): Promise<void> {
    const [first] = all;
    if (!first) return;
    const ids = all.map(({ notificationId }) => notificationId);
    const settle = (status: DeliveryStatus, error: string | null): Promise<void> =>
      store.settle(first.channel, ids, { status, error, at: new Date(clock.now()) });
    const carrier = carriers[first.channel];
    if (!carrier) return settle('unavailable', 'the channel is not set up');
    try {
      const { status, error = null } = await carrier(first.userId, id, all);
      await settle(status, error);
    } catch (error) {
      const isLast = first.attempts + 1 >= MOST_ATTEMPTS;
      await settle(isLast ? 'failed' : first.status, (error as Error).message);
      if (!isLast) throw error;
    }
  }

  const deliver: Job = {
    name: DELIVER,
    retries: MOST_ATTEMPTS - 1,
    concurrency: 20,
    run: async ({ notificationId, channel }: { notificationId: ObjectId; channel: Channel }) => {
      const delivery = await store.find(notificationId, channel);
      if (delivery?.status === 'pending') await carry(notificationId, [delivery]);
    },
  };

  /** Each hour one mail, and one push, for what is not urgent. */
  const digest: Job = {
    name: DIGEST,
    cron: '0 * * * *',
    concurrency: 1,
    run: async () => {
      for (const channel of Object.keys(carriers) as Channel[]) {
        for (let after = ''; ; ) {
          const userIds = await store.batchedUsers(channel, after, MEMBERS_AT_ONCE);
          const asked = userIds.map((userId) => ({ userId, channel }));
          await database.transaction((tx) => jobs.enqueue(tx, DIGEST_OF, asked));
          if (userIds.length < MEMBERS_AT_ONCE) break;
          after = userIds.at(-1) as ObjectId;
        }
      }
    },
  };
  const digestOfMember: Job = {
    name: DIGEST_OF,
    retries: MOST_ATTEMPTS - 1,
    run: async ({ userId, channel }: { userId: ObjectId; channel: Channel }) => {
      const waiting = await store.batchedOf(userId, channel, MOST_IN_A_DIGEST);
      const [first, last] = [waiting[0], waiting.at(-1)];
      // Named after what is in it: the same digest, sent again after a crash, is the same mail, and a longer one is not.
      if (first && last) await carry(`digest-${first.notificationId}-${last.notificationId}`, waiting);
    },
  };

  return { jobs: [deliver, digest, digestOfMember] };
}
