import { randomBytes } from 'node:crypto';
import type { Bus } from './bus.ts';
import { inProcessBus } from './in-process.ts';
import { openRedis } from './redis-open.ts';
import type { RedisServers } from './redis-servers.ts';
import { type Subscriptions, subscribeAt } from './redis-subscriptions.ts';

const PREFIX = 'platform:';
/** The channel on which a process announces that the others missed messages that it could not send. */
const MISSED = `${PREFIX}bus:missed`;

/**
 * Returns a bus between processes over Redis or Valkey, one server or a cluster (sharded publish/subscribe, 7 or later).
 * Subscribers in this process are notified directly, so that during an outage only messages of other processes are
 * missed.
 */
export async function redisBus(url: string, onError: (error: Error) => void): Promise<Bus> {
  const local = inProcessBus();
  const self = randomBytes(6).toString('hex');
  const listeners = new Map<string, { slot: number; count: number }>();
  const reconnectCallbacks: (() => void)[] = [];
  /** By the URL of the server. */
  const subscriptions = new Map<string, Subscriptions>();
  let hasLostMessages = false;
  let isStarting = true;
  let isClosed = false;
  let following: Promise<void> | undefined;
  const reportRecovery = (): void => {
    if (!isStarting) for (const callback of reconnectCallbacks) callback();
  };

  /** Announces once that the others missed messages that could not be sent. */
  async function publishMissed(): Promise<void> {
    if (!hasLostMessages) return;
    hasLostMessages = false;
    await servers
      .send(MISSED, (redis) => redis.spublish(MISSED, self))
      .catch(() => {
        hasLostMessages = true;
      });
  }
  const servers: RedisServers = await openRedis(url, {
    onError,
    onRecovery: () => void publishMissed(),
    onLook: () => {
      if (!isStarting) void follow();
    },
  });
  listeners.set(MISSED, { slot: servers.slotOf(MISSED), count: 1 });

  function onMessage(channel: string, message: string): void {
    if (channel === MISSED) {
      if (message !== self) reportRecovery();
      return;
    }
    const end = message.indexOf(' ');
    if (message.slice(0, end) !== self)
      void local.publish(channel.slice(PREFIX.length), message.slice(end + 1));
  }
  async function subscribeThere(server: string): Promise<void> {
    const there = await subscribeAt(server, {
      wanted: () =>
        [...listeners]
          .filter(([, { slot }]) => servers.ownerOf(slot) === server)
          .map(([channel, { slot }]) => ({ channel, slot })),
      onMessage,
      onRestored: reportRecovery,
      onMoved: servers.lookAgain,
      onError,
    });
    if (isClosed) there.close();
    else subscriptions.set(server, there);
    await there.started;
  }
  async function followTo(server: string): Promise<void> {
    if (!subscriptions.has(server)) await subscribeThere(server);
    await subscriptions.get(server)?.complete();
  }
  /** Subscribes at the servers that have the channels now. */
  async function followOnce(): Promise<void> {
    const primaries = servers.primaries();
    for (const [server, there] of subscriptions)
      if (!primaries.includes(server)) {
        there.close();
        subscriptions.delete(server);
      }
    await Promise.all(primaries.map(followTo));
  }
  const follow = (): Promise<void> => {
    following ??= followOnce().finally(() => {
      following = undefined;
    });
    return following;
  };
  /** Where a channel is subscribed. */
  const placeOf = (slot: number): Subscriptions | undefined => {
    const owner = servers.ownerOf(slot);
    return owner === undefined ? undefined : subscriptions.get(owner);
  };
  await follow();
  isStarting = false;

  return {
    publish: async (channel, message) => {
      await local.publish(channel, message);
      await servers
        .send(PREFIX + channel, (redis) => redis.spublish(PREFIX + channel, `${self} ${message}`))
        .catch(() => {
          hasLostMessages = true;
        });
    },
    subscribe: async (channel, receive) => {
      const stop = await local.subscribe(channel, (message) => {
        try {
          receive(message);
        } catch (error) {
          // Whatever has access to the server may publish something else: it must not end all processes.
          onError(new Error(`a message on ${channel} cannot be read: ${(error as Error).message}`));
        }
      });
      const name = PREFIX + channel;
      const listener = listeners.get(name) ?? { slot: servers.slotOf(name), count: 0 };
      listeners.set(name, listener);
      listener.count++;
      if (listener.count === 1) await placeOf(listener.slot)?.add({ channel: name, slot: listener.slot });
      let isOver = false;
      return async () => {
        if (isOver) return;
        isOver = true;
        await stop();
        listener.count--;
        if (listener.count > 0) return;
        listeners.delete(name);
        await placeOf(listener.slot)?.remove(name);
      };
    },
    isShared: true,
    isConnected: () =>
      servers.isUp() &&
      servers.primaries().every((server) => subscriptions.get(server)?.isComplete() === true),
    onReconnect: (callback) => reconnectCallbacks.push(callback),
    close: async () => {
      isClosed = true;
      servers.close();
      for (const there of subscriptions.values()) there.close();
      await local.close();
    },
  };
}
