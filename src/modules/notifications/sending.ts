import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { EnqueueOptions, Jobs } from '../../kernel/messaging/jobs.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Contact } from '../identity/contract.ts';
import type { Moderation } from '../moderation/contract.ts';
import { CHANNELS, type Channel, type MemberMessage, type Priority } from './contract.ts';
import type { DeliveryStatus, NewDelivery } from './deliveries.model.ts';
import type { DeliveryStore } from './deliveries.store.ts';
import { announce, deliverOn } from './notifications.jobs.ts';
import type { NewNotification } from './notifications.model.ts';
import type { NotificationStore } from './notifications.store.ts';
import type { Preferences } from './preferences.model.ts';
import { type PreferenceRules, wants } from './preferences.ts';
import type { Vocabulary } from './vocabulary.model.ts';

/** Urgent notifications overtake others in the queue. */
const QUEUE_PRIORITY: Record<Priority, number> = { critical: 3, high: 2, medium: 1, low: 0 };

/** Defaults for a type that no module contributes any longer. */
const WITHOUT_TYPE = { priority: 'medium', channels: [] } as const;

interface SendingDeps {
  types: Vocabulary['types'];
  moderation: Pick<Moderation, 'blocksAmong'>;
  store: NotificationStore;
  deliveries: DeliveryStore;
  preferences: PreferenceRules;
  /** Returns those of the members who have a device for push. */
  reachable: (tx: Transaction, userIds: ObjectId[]) => Promise<Set<ObjectId>>;
  contactsOf: (userIds: ObjectId[], queries?: Queries) => Promise<Contact[]>;
  jobs: Pick<Jobs, 'enqueue'>;
  clock: Clock;
  newId: NewId;
}

export interface Sent {
  id: ObjectId;
  userId: ObjectId;
  deliveries: NewDelivery[];
}

/** Inserts notifications and their deliveries in the caller's transaction. */
export function sending(deps: SendingDeps) {
  const { store, types, deliveries, preferences, reachable, contactsOf, jobs, clock, newId } = deps;

  /** Removes messages to members who have blocked the member whose action they report. */
  async function wanted(tx: Transaction, all: MemberMessage[]): Promise<MemberMessage[]> {
    const pairs = all.flatMap(({ userId, from }) =>
      from === undefined ? [] : [{ blockerId: userId, blockedId: from }],
    );
    if (pairs.length === 0) return all;
    const blocks = await deps.moderation.blocksAmong(pairs, tx);
    const blocked = new Set(blocks.map(({ blockerId, blockedId }) => `${blockerId} ${blockedId}`));
    return all.filter(({ userId, from }) => !blocked.has(`${userId} ${from}`));
  }

  /**
   * Notifies each member with their own message. Skips deleted members, members who have blocked the acting member, and
   * those already notified of the same subject.
   * @returns the inserted notifications
   */
  return async (tx: Transaction, given: MemberMessage[]): Promise<Sent[]> => {
    const all = await wanted(tx, given);
    if (all.length === 0) return [];
    const at = new Date(clock.now());
    const memberIds = [...new Set(all.map((one) => one.userId))];
    // Pipelined, and before the insert, which locks the members' tallies until the commit.
    const [contacts, wishes, withDevice] = await Promise.all([
      contactsOf(memberIds, tx),
      preferences.ofAll(memberIds, tx),
      reachable(tx, memberIds),
    ]);
    const members = new Set(contacts.map(({ userId }) => userId));
    const existing = all.filter(({ userId }) => members.has(userId));
    const mailedApart = new Set<ObjectId>();
    const added = existing.map(
      ({ metadata = {}, subject = null, isMailedApart, ...one }): NewNotification => {
        const byDefault = types.get(one.type) ?? WITHOUT_TYPE;
        const { priority = byDefault.priority, channels = byDefault.channels } = one;
        // Critical notifications are sent on all channels that the member has not turned off.
        const chosen = priority === 'critical' ? [...channels, ...CHANNELS] : channels;
        const id = newId();
        if (isMailedApart) mailedApart.add(id);
        return { ...one, id, priority, channels: [...new Set(chosen)], metadata, subject };
      },
    );
    if (added.length === 0) return [];
    const isNew = await store.insert(tx, added, at);
    const created = added.filter(({ id }) => isNew.has(id));
    if (created.length === 0) return [];
    const sent = created.map((one) => ({
      id: one.id,
      userId: one.userId,
      deliveries: one.channels
        .filter((channel) => channel !== 'email' || !mailedApart.has(one.id))
        .map((channel) => ({
          notificationId: one.id,
          channel,
          userId: one.userId,
          status: firstStatus(channel, one, wishes.get(one.userId), withDevice.has(one.userId)),
        })),
    }));
    const made = sent.flatMap((one) => one.deliveries);
    await deliveries.insert(tx, made, at);
    for (const [priority, ofPriority] of Map.groupBy(created, (one) => one.priority)) {
      const ids = new Set(ofPriority.map(({ id }) => id));
      const due = made.filter(
        ({ notificationId, status }) => status === 'pending' && ids.has(notificationId),
      );
      const queue = { priority: QUEUE_PRIORITY[priority] };
      await enqueueDeliveries(jobs, tx, due, queue);
      await jobs.enqueue(tx, announce, [{ notificationIds: [...ids] }], queue);
    }
    return sent;
  };
}

/** Enqueues deliveries, each in the queue of its channel. */
export async function enqueueDeliveries(
  jobs: Pick<Jobs, 'enqueue'>,
  tx: Transaction,
  due: Pick<NewDelivery, 'notificationId' | 'channel'>[],
  options: EnqueueOptions = {},
): Promise<void> {
  for (const [channel, ofChannel] of Map.groupBy(due, (one) => one.channel)) {
    const data = ofChannel.map(({ notificationId }) => ({ notificationId }));
    await jobs.enqueue(tx, deliverOn(channel), data, options);
  }
}

export type Notify = ReturnType<typeof sending>;

function firstStatus(
  channel: Channel,
  { type, priority }: NewNotification,
  preferences: Preferences | undefined,
  hasDevice: boolean,
): DeliveryStatus {
  if (channel === 'sms') return 'unavailable'; // announced, but not available yet
  if (!wants(preferences, channel, type)) return 'muted';
  if (channel === 'push' && !hasDevice) return 'unavailable';
  return priority === 'low' ? 'batched' : 'pending';
}
