import { randomBytes } from 'node:crypto';
import type { Bus } from './bus.ts';
import type { Cache } from './cache.ts';
import { inProcessBus } from './in-process.ts';
import { type RateWindow, windowStart } from './rate-limiter.ts';
import { connectRedis, TIMED_OUT } from './redis-connection.ts';

const PREFIX = 'platform:';

/**
 * KEYS: one counter per window. ARGV: the limit of each window, then the time to live of each in milliseconds, then how
 * many occurrences to count. Returns 1 or 0, then the counts.
 */
const CONSUME = `
local counts, full, more = {}, false, tonumber(ARGV[#ARGV])
for place, key in ipairs(KEYS) do
  counts[place] = tonumber(redis.call('GET', key) or '0')
  if counts[place] + more > tonumber(ARGV[place]) then full = true end
end
if not full then
  for place, key in ipairs(KEYS) do
    counts[place] = redis.call('INCRBY', key, more)
    if counts[place] == more then redis.call('PEXPIRE', key, ARGV[#KEYS + place]) end
  end
end
return {full and 0 or 1, unpack(counts)}`;

/**
 * KEYS[1]: a list of instants. ARGV: the limit, the length of the period in milliseconds, now. Returns 1, or 0 and the
 * oldest instant in the period.
 */
const CONSUME_SLIDING = `
local key, limit, length, now = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local oldest = tonumber(redis.call('LINDEX', key, 0) or now)
while oldest <= now - length do
  redis.call('LPOP', key)
  oldest = tonumber(redis.call('LINDEX', key, 0) or now)
end
if redis.call('LLEN', key) >= limit then return {0, oldest} end
redis.call('RPUSH', key, ARGV[3])
redis.call('PEXPIRE', key, length + 1000)
return {1, now}`;

/** Never goes below zero and never creates a counter. */
const REFUND = `
for _, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '0') > 0 then redis.call('DECR', key) end
end`;

/** The braces keep the counters of one key on the same node of a cluster. */
const counterNames = (key: string, windows: RateWindow[], nowMs: number): string[] =>
  windows.map((window) => `${PREFIX}{${key}}:${window.name}:${windowStart(window, nowMs) / window.lengthMs}`);

/** Returns a cache that processes share through Redis or Valkey. Its methods reject when the server is unreachable. */
export async function redisCache(url: string, onError: (error: Error) => void): Promise<Cache> {
  const { send, isUp, close } = await connectRedis(url, { onError });
  const run = (script: string, keys: string[], ...values: (string | number)[]) =>
    send((redis) => redis.eval(script, keys.length, ...keys, ...values));
  return {
    get: async (key) => (await send((redis) => redis.get(PREFIX + key))) ?? undefined,
    set: async (key, value, ttlMs) => {
      await send((redis) => redis.set(PREFIX + key, value, 'PX', Math.max(1, Math.ceil(ttlMs))));
    },
    delete: async (key) => {
      await send((redis) => redis.del(PREFIX + key));
    },
    consume: async (key, windows, nowMs, count = 1) => {
      const lives = windows.map((window) => window.lengthMs - (nowMs % window.lengthMs) + 1000);
      const limits = windows.map(({ limit }) => limit);
      const reply = await run(CONSUME, counterNames(key, windows, nowMs), ...limits, ...lives, count);
      const [admitted, ...counts] = reply as number[];
      const stateOf = (window: RateWindow, place: number) => ({
        window,
        remaining: Math.max(0, window.limit - (counts[place] as number)),
        resetAtMs: windowStart(window, nowMs) + window.lengthMs,
      });
      return { admitted: admitted === 1, windows: windows.map(stateOf) };
    },
    consumeSliding: async (key, { lengthMs, limit }, nowMs) => {
      const reply = await run(
        CONSUME_SLIDING,
        [`${PREFIX}{${key}}:within`],
        limit,
        lengthMs,
        Math.floor(nowMs),
      );
      const [admitted, oldestMs] = reply as [number, number];
      return { admitted: admitted === 1, retryAtMs: admitted ? nowMs : oldestMs + lengthMs };
    },
    refund: async (key, windows, nowMs) => {
      await run(REFUND, counterNames(key, windows, nowMs));
    },
    isConnected: isUp,
    close: async () => close(),
  };
}

const CHANNELS_AT_ONCE = 500;
/** The channel on which a process announces that the others missed messages that it could not send. */
const MISSED = `${PREFIX}bus:missed`;

/**
 * Returns a bus between processes over Redis or Valkey (sharded publish/subscribe, 7 or later). Subscribers in this
 * process are notified directly, so that during an outage only messages of other processes are missed.
 */
export async function redisBus(url: string, onError: (error: Error) => void): Promise<Bus> {
  const local = inProcessBus();
  const self = randomBytes(6).toString('hex');
  const listeners = new Map<string, number>();
  const reconnectCallbacks: (() => void)[] = [];
  let isListening = false;
  let hasLostMessages = false;
  const reportRecovery = (): void => {
    for (const callback of reconnectCallbacks) callback();
  };

  /** Announces once that the others missed messages that could not be sent. */
  async function publishMissed(): Promise<void> {
    if (!hasLostMessages) return;
    hasLostMessages = false;
    await publisher
      .send((redis) => redis.spublish(MISSED, self))
      .catch(() => {
        hasLostMessages = true;
      });
  }
  const [publisher, subscriber] = await Promise.all([
    connectRedis(url, { onError, onRecovery: () => void publishMissed() }),
    // Channels that were added while the server did not answer are not subscribed yet.
    connectRedis(url, { onError, onRecovery: () => void listenAgain() }),
  ]);
  publisher.redis.on('ready', () => void publishMissed());

  subscriber.redis.on('smessage', (channel: string, message: string) => {
    if (channel === MISSED) {
      if (message !== self) reportRecovery();
      return;
    }
    const end = message.indexOf(' ');
    if (message.slice(0, end) !== self)
      void local.publish(channel.slice(PREFIX.length), message.slice(end + 1));
  });

  async function listen(): Promise<void> {
    isListening = false;
    const names = [MISSED, ...[...listeners.keys()].map((name) => PREFIX + name)];
    for (let at = 0; at < names.length; at += CHANNELS_AT_ONCE)
      await subscriber.redis.ssubscribe(...names.slice(at, at + CHANNELS_AT_ONCE));
    isListening = true;
  }
  /** Restores all subscriptions. If the connection breaks meanwhile, its next `ready` event starts this again. */
  const listenAgain = (): Promise<void> => listen().then(reportRecovery, onListenFault);
  function onListenFault(error: Error): void {
    onError(error);
    if (error.message === TIMED_OUT) subscriber.redis.disconnect(true);
  }
  subscriber.redis.on('close', () => {
    isListening = false;
  });
  subscriber.redis.on('ready', () => void listenAgain());
  if (subscriber.isUp()) await listen().catch(onListenFault);

  return {
    publish: async (channel, message) => {
      await local.publish(channel, message);
      await publisher
        .send((redis) => redis.spublish(PREFIX + channel, `${self} ${message}`))
        .catch(() => {
          hasLostMessages = true;
        });
    },
    subscribe: async (channel, receive) => {
      const stop = await local.subscribe(channel, receive);
      const count = (listeners.get(channel) ?? 0) + 1;
      listeners.set(channel, count);
      if (count === 1)
        await subscriber.send((redis) => redis.ssubscribe(PREFIX + channel)).catch(() => undefined);
      let isOver = false;
      return async () => {
        if (isOver) return;
        isOver = true;
        await stop();
        const left = (listeners.get(channel) as number) - 1;
        listeners.set(channel, left);
        if (left > 0) return;
        listeners.delete(channel);
        await subscriber.send((redis) => redis.sunsubscribe(PREFIX + channel)).catch(() => undefined);
      };
    },
    isShared: true,
    isConnected: () => isListening && subscriber.isUp() && publisher.isUp(),
    onReconnect: (callback) => reconnectCallbacks.push(callback),
    close: async () => {
      publisher.close();
      subscriber.close();
      await local.close();
    },
  };
}
