import { setTimeout as sleep } from 'node:timers/promises';
import { connectRedis, TIMED_OUT } from './redis-connection.ts';

const CHANNELS_AT_ONCE = 500;
const TRY_AGAIN_MS = 500;

/** A channel that is to be subscribed, and its slot. */
export interface Wanted {
  channel: string;
  slot: number;
}

interface Options {
  /** All channels that this server has at present. */
  wanted: () => Wanted[];
  onMessage: (channel: string, message: string) => void;
  /** Called when channels were subscribed that had been lost or could not be subscribed before. */
  onRestored: () => void;
  /** Called when the server has lost channels to another one. */
  onMoved: () => void;
  onError: (error: Error) => void;
}

export type Subscriptions = Awaited<ReturnType<typeof subscribeAt>>;

/** Keeps the wanted channels of one server subscribed, through broken connections. */
export async function subscribeAt(url: string, options: Options) {
  const { wanted, onMessage, onRestored, onMoved, onError } = options;
  const subscribed = new Set<string>();
  let isComplete = false;
  let completing: Promise<void> | undefined;
  const connection = await connectRedis(url, {
    onError,
    // Channels that were added while the server did not answer are not subscribed yet.
    onUsable: () => void complete(),
  });
  const { redis, send, isUp } = connection;
  redis.on('smessage', onMessage);
  function forget(): void {
    isComplete = false;
    subscribed.clear();
  }
  redis.on('close', forget);
  redis.on('moved', () => {
    // It does not say which.
    forget();
    onMoved();
  });

  async function subscribe(channels: Wanted[]): Promise<void> {
    // One command must name channels of one slot.
    const bySlot = Map.groupBy(channels, ({ slot }) => slot);
    const all = [...bySlot.values()].map(async (ofSlot) => {
      const names = ofSlot.map(({ channel }) => channel);
      await send(() => redis.ssubscribe(...names));
      for (const name of names) subscribed.add(name);
    });
    for (const { reason } of (await Promise.allSettled(all)).filter((one) => one.status === 'rejected'))
      throw reason;
  }
  async function subscribeMissing(): Promise<void> {
    const present = wanted();
    const names = new Set(present.map(({ channel }) => channel));
    for (const name of subscribed) if (!names.has(name)) subscribed.delete(name);
    const missing = present.filter(({ channel }) => !subscribed.has(channel));
    if (missing.length === 0) {
      isComplete = true;
      return;
    }
    isComplete = false;
    for (let at = 0; at < missing.length; at += CHANNELS_AT_ONCE)
      await subscribe(missing.slice(at, at + CHANNELS_AT_ONCE));
    isComplete = true;
    onRestored();
  }
  function onFault(error: Error): void {
    onError(error);
    if (error.message === TIMED_OUT) redis.disconnect(true);
  }
  /** Subscribes what is missing. If that fails, the next connection or look at the cluster starts it again. */
  async function complete(): Promise<void> {
    if (!isUp()) return;
    completing ??= subscribeMissing()
      .catch(onFault)
      .finally(() => {
        completing = undefined;
      });
    await completing;
  }

  return {
    started: connection.started,
    complete,
    /** Subscribes one more; tries again later if that fails. */
    async add(channel: Wanted): Promise<void> {
      await subscribe([channel]).catch(() => {
        isComplete = false;
        void sleep(TRY_AGAIN_MS, undefined, { ref: false }).then(complete);
      });
    },
    async remove(channel: string): Promise<void> {
      subscribed.delete(channel);
      await send(() => redis.sunsubscribe(channel)).catch(() => undefined);
    },
    isComplete: () => isComplete && isUp(),
    close(): void {
      redis.off('smessage', onMessage);
      connection.close();
    },
  };
}
