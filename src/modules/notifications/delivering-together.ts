import { batching } from '../../kernel/concurrency/batching.ts';
import { serviceUnavailable } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Channel } from './contract.ts';
import type { Delivery, Settlement } from './deliveries.model.ts';
import type { DeliveryStore } from './deliveries.store.ts';

interface TogetherDeps {
  store: Pick<DeliveryStore, 'findAll' | 'settle'>;
  clock: Clock;
}

interface Wanted {
  channel: Channel;
  notificationId: ObjectId;
}

/** The result of an attempt to send these notifications together. */
interface Settled {
  channel: Channel;
  ids: ObjectId[];
  settlement: Settlement;
}

const LIMITS = { maxSize: 500, concurrency: 2, maxQueued: 10_000, onOverflow: serviceUnavailable };

/** The statements that concurrent deliveries share. */
export function deliveringTogether({ store, clock }: TogetherDeps) {
  async function settleAlike(alike: Settled[]): Promise<void> {
    const [{ channel, settlement }] = alike as [Settled];
    const ids = alike.flatMap((one) => one.ids);
    await store.settle(channel, ids, { ...settlement, at: clock.date() });
  }

  return {
    /** Returns a delivery; undefined if its notification has been deleted. */
    find: batching<Wanted, Delivery | undefined>(async (wanted) => {
      const found = new Map<string, Delivery>();
      for (const [channel, ofChannel] of Map.groupBy(wanted, (one) => one.channel)) {
        const ids = new Set(ofChannel.map(({ notificationId }) => notificationId));
        for (const one of await store.findAll([...ids], channel)) found.set(keyOf(one), one);
      }
      return wanted.map((one) => found.get(keyOf(one)));
    }, LIMITS),
    /** Records the result of an attempt. Most results are alike, and those share a statement. */
    settle: batching<Settled, undefined>(async (all) => {
      const failures = new Map<Settled, Error>();
      const groups = Map.groupBy(all, ({ channel, settlement }) => JSON.stringify([channel, settlement]));
      const settling = [...groups.values()].map(async (alike) => {
        try {
          await settleAlike(alike);
        } catch (error) {
          for (const one of alike) failures.set(one, error as Error);
        }
      });
      await Promise.all(settling);
      return all.map((one) => failures.get(one));
    }, LIMITS),
  };
}

const keyOf = ({ channel, notificationId }: Wanted): string => `${channel} ${notificationId}`;
