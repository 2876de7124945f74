import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Job, type JobKind, type Jobs, job, jobKind, Postponed } from '../../kernel/messaging/jobs.ts';
import type { AnyMetric } from '../../kernel/metric.ts';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/time/time.ts';
import { responseOf } from '../mail/contract.ts';
import type { Channel } from './contract.ts';
import type { Delivery, DeliveryStatus, Receipt } from './deliveries.model.ts';
import type { DeliveryStore } from './deliveries.store.ts';
import { deliveryCounts } from './delivering.metrics.ts';
import { deliveringTogether } from './delivering-together.ts';
import { deliverOn, deliverOnAnyChannel, digestOn } from './notifications.jobs.ts';
import type { Preferences } from './preferences.model.ts';
import { type PreferenceRules, quietUntil, wants } from './preferences.ts';

/** Also the attempts of jobs by default, as of those that send transactional e-mails. */
export const MAX_ATTEMPTS = 9;
const MEMBERS_AT_ONCE = 500;
/** Concurrent deliveries share their statements, so that many pushes at once take less of the database than few. */
const AT_ONCE: Record<Channel, number> = { push: 100, email: 20, sms: 20 };
/** Few enough that all end in time although each of them waits for its time-out; that of a mail server is long. */
const TAKEN: Record<Channel, number> = { push: 200, email: 100, sms: 100 };
/** As long as a job may take at most, since an abandoned run could still send. */
const DIGEST_CLAIM_MS = 5 * MINUTE_MS;
/** Maximum number of notifications shown in a digest; the others are only counted. */
const MAX_SHOWN_IN_DIGEST = 50;

/** A message to one member on one channel. */
export interface Parcel {
  userId: ObjectId;
  /** Identical for every attempt. */
  id: string;
  /** A single notification, or the oldest notifications of a digest. */
  listed: Pick<Delivery, 'title' | 'message' | 'type' | 'priority' | 'metadata' | 'notificationId'>[];
  /** Total number, including those not shown. */
  total: number;
}

/** Sends on one channel; returns the resulting status, or throws an error that may be transient. */
export type ChannelSender = (parcel: Parcel) => Promise<Receipt & { status: DeliveryStatus; error?: string }>;

interface DeliveringDeps {
  store: DeliveryStore;
  preferences: PreferenceRules;
  senders: Partial<Record<Channel, ChannelSender>>;
  database: Database;
  jobs: Pick<Jobs, 'enqueue'>;
  clock: Clock;
}

/**
 * Sends deliveries: each is a durable job, retried with increasing delays, and marked failed after the last attempt.
 * Each channel has its own queues, so that an unresponsive server delays no other channel. Preferences are checked on
 * each attempt.
 */
export function delivering({ store, preferences, senders, database, jobs, clock }: DeliveringDeps) {
  const now = () => new Date(clock.now());
  const counts = deliveryCounts();
  const together = deliveringTogether({ store, clock });

  /** Returns the remaining time of a member's quiet hours; 0 outside of them. */
  function quietSeconds(wishes: Preferences | null): number {
    const until = quietUntil(wishes, now());
    return until ? Math.max(1, Math.ceil((until.getTime() - clock.now()) / SECOND_MS)) : 0;
  }

  /** This hour's may have begun by the clock of the database, which is ahead of this one, so the next is a minute off at least. */
  const secondsToNextDigest = (): number => {
    const soonestMs = clock.now() + MINUTE_MS;
    return (MINUTE_MS + HOUR_MS - (soonestMs % HOUR_MS)) / SECOND_MS;
  };

  const enqueueLater = <Data extends object>(kind: JobKind<Data>, data: Data, afterSeconds: number) =>
    database.transaction((tx) => jobs.enqueue(tx, kind, [data], { afterSeconds }));

  /** @param ids all notifications that the parcel covers */
  async function carry(
    { channel, attempts, status: before }: Pick<Delivery, 'channel' | 'attempts' | 'status'>,
    parcel: Parcel,
    ids: ObjectId[],
  ): Promise<void> {
    const settle = (status: DeliveryStatus, error: string | null, receipt: Receipt = {}): Promise<void> => {
      counts.add(channel, status === before ? 'retried' : status);
      return together.settle({ channel, ids, settlement: { status, error, ...receipt } });
    };
    const sender = senders[channel];
    if (!sender) return settle('unavailable', 'the channel is not configured');
    try {
      const { status, error = null, ...receipt } = await sender(parcel);
      await settle(status, error, receipt);
    } catch (error) {
      const isLast = attempts + 1 >= MAX_ATTEMPTS;
      const receipt = { response: responseOf(error) };
      await settle(isLast ? 'failed' : before, (error as Error).message, receipt);
      if (!isLast) throw error;
    }
  }

  const deliveringOn = (channel: Channel): Job =>
    job(deliverOn(channel), {
      retries: MAX_ATTEMPTS - 1,
      concurrency: AT_ONCE[channel],
      takes: TAKEN[channel],
      run: async ({ notificationId }) => {
        const delivery = await together.find({ notificationId, channel });
        if (delivery?.status !== 'pending') return;
        const { userId, type, isRead, preferences: wishes } = delivery;
        if (isRead || !wants(wishes, channel, type)) {
          const status = isRead ? 'read' : 'muted';
          return store.withhold(channel, [notificationId], { status, at: now() });
        }
        const quiet = quietSeconds(wishes);
        if (quiet > 0) return enqueueLater(deliverOn(channel), { notificationId }, quiet);
        const parcel = { userId, id: notificationId, listed: [delivery], total: 1 };
        await carry(delivery, parcel, [notificationId]);
      },
    });

  const passingOn = job(deliverOnAnyChannel, {
    runIn: (tx, { notificationId, channel }) => jobs.enqueue(tx, deliverOn(channel), [{ notificationId }]),
  });

  /** Each hour, enqueues one digest per channel and member for low-priority notifications. */
  const digest = job(jobKind('notifications.digest'), {
    cron: '0 * * * *',
    concurrency: 1,
    run: async () => {
      for (const channel of Object.keys(senders) as Channel[]) {
        for (let after = ''; ; ) {
          const waiting = await store.digestsDue(channel, after, MEMBERS_AT_ONCE);
          await database.transaction((tx) => jobs.enqueue(tx, digestOn(channel), waiting));
          if (waiting.length < MEMBERS_AT_ONCE) break;
          after = waiting.at(-1)?.userId as ObjectId;
        }
      }
    },
  });

  /**
   * Two digests of a member overlap when one is retried or enqueued twice; the later one waits, and sends what is left.
   * @returns what is claimed, and what throws Postponed once the claim has ended: another run may be sending it then
   * @throws Postponed
   */
  async function claimBatch(batch: Parameters<typeof store.claimBatch>[0]) {
    const until = new Date(clock.now() + DIGEST_CLAIM_MS);
    const claimed = await store.claimBatch(batch, { at: now(), until });
    const mustHold = (): void => {
      if (now() >= until)
        throw new Postponed('the run was held up for longer than its claim', { afterSeconds: 1 });
    };
    if ('waiting' in claimed) return { waiting: claimed.waiting, mustHold };
    const afterSeconds = Math.ceil((claimed.claimedUntil.getTime() - clock.now()) / SECOND_MS);
    throw new Postponed('another digest of the member is under way', {
      afterSeconds: Math.max(1, afterSeconds),
    });
  }

  const digestingOn = (channel: Channel): Job =>
    job(digestOn(channel), {
      retries: MAX_ATTEMPTS - 1,
      run: async ({ userId, upTo }) => {
        const quiet = quietSeconds(await preferences.of(userId));
        if (quiet > 0) {
          // Longer ones are left to the digest of the next hour: several that wait for the same end would send the same.
          if (quiet < secondsToNextDigest()) await enqueueLater(digestOn(channel), { userId, upTo }, quiet);
          return;
        }
        const { waiting, mustHold } = await claimBatch({ userId, channel, upTo });
        const withhold = (status: 'read' | 'muted', which: typeof waiting): Promise<void> =>
          store.withhold(channel, ids(which), { status, at: now() });
        const [read, unread] = parted(waiting, ({ isRead }) => isRead);
        const wishes = await preferences.of(userId);
        const [wanted, unwanted] = parted(unread, ({ type }) => wants(wishes, channel, type));
        await withhold('read', read);
        await withhold('muted', unwanted);
        const listed = await store.findAll(ids(wanted.slice(0, MAX_SHOWN_IN_DIGEST)), channel);
        const [first] = listed;
        if (!first) return;
        // The id is stable, so that a resend after a crash is recognized as a duplicate.
        const parcel = { userId, id: `digest-${userId}-${upTo}`, listed, total: wanted.length };
        mustHold();
        await carry(first, parcel, ids(wanted));
      },
    });

  const channels = Object.keys(senders) as Channel[];
  return {
    jobs: [passingOn, digest, ...channels.map(deliveringOn), ...channels.map(digestingOn)],
    metrics: [counts.metric] satisfies AnyMetric[],
  };
}

const ids = (all: { notificationId: ObjectId }[]): ObjectId[] =>
  all.map(({ notificationId }) => notificationId);

function parted<T>(all: T[], isMeant: (one: T) => boolean): [T[], T[]] {
  const { yes = [], no = [] } = Object.groupBy(all, (one) => (isMeant(one) ? 'yes' : 'no'));
  return [yes, no];
}
