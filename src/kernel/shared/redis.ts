import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Redis } from 'ioredis';
import type { Bus } from './bus.ts';
import type { Cache } from './cache.ts';
import { inProcessBus } from './in-process.ts';
import { type RateWindow, windowStart } from './rate-limiter.ts';

const PREFIX = 'platform:';
const COMMAND_TIMEOUT_MS = 500;

/**
 * KEYS: one counter per window. ARGV: the limit of each window, then the time to live of each in milliseconds, then how
 * many occurrences to count. Returns 1 or 0, then the counts.
 */
const ADMIT = `
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
const ADMIT_WITHIN = `
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
const GIVE_BACK = `
for _, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '0') > 0 then redis.call('DECR', key) end
end`;

/**
 * Connects to the server. While it is unreachable, commands fail at once instead of queueing: no request is delayed,
 * and no abandoned command takes effect later. Resolves once connected or after the first failed attempt; keeps
 * reconnecting in either case.
 */
async function connect(url: string, onError: (error: Error) => void): Promise<Redis> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    commandTimeout: COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000) + Math.random() * 100,
  });
  redis.on('error', onError);
  await once(redis, 'ready').catch(() => undefined);
  return redis;
}

/** The braces keep the counters of one key on the same node of a cluster. */
const counterNames = (key: string, windows: RateWindow[], nowMs: number): string[] =>
  windows.map((window) => `${PREFIX}{${key}}:${window.name}:${windowStart(window, nowMs) / window.lengthMs}`);

/** Returns a cache that processes share through Redis or Valkey. Its methods reject when the server is unreachable. */
export async function redisCache(url: string, onError: (error: Error) => void): Promise<Cache> {
  const redis = await connect(url, onError);
  return {
    get: async (key) => (await redis.get(PREFIX + key)) ?? undefined,
    set: async (key, value, ttlMs) => {
      await redis.set(PREFIX + key, value, 'PX', Math.max(1, Math.ceil(ttlMs)));
    },
    delete: async (key) => {
      await redis.del(PREFIX + key);
    },
    consume: async (key, windows, nowMs, count = 1) => {
      const keys = counterNames(key, windows, nowMs);
      const lives = windows.map((window) => window.lengthMs - (nowMs % window.lengthMs) + 1000);
      const limits = windows.map(({ limit }) => limit);
      const reply = (await redis.eval(ADMIT, keys.length, ...keys, ...limits, ...lives, count)) as number[];
      const [admitted, ...counts] = reply;
      const stateOf = (window: RateWindow, place: number) => ({
        window,
        remaining: Math.max(0, window.limit - (counts[place] as number)),
        resetAtMs: windowStart(window, nowMs) + window.lengthMs,
      });
      return { admitted: admitted === 1, windows: windows.map(stateOf) };
    },
    consumeSliding: async (key, { lengthMs, limit }, nowMs) => {
      const name = `${PREFIX}{${key}}:within`;
      const reply = await redis.eval(ADMIT_WITHIN, 1, name, limit, lengthMs, Math.floor(nowMs));
      const [admitted, oldestMs] = reply as [number, number];
      return { admitted: admitted === 1, retryAtMs: admitted ? nowMs : oldestMs + lengthMs };
    },
    refund: async (key, windows, nowMs) => {
      await redis.eval(GIVE_BACK, windows.length, ...counterNames(key, windows, nowMs));
    },
    close: async () => redis.disconnect(),
  };
}

const CHANNELS_AT_ONCE = 500;

/**
 * Returns a bus between processes over Redis or Valkey (sharded publish/subscribe, 7 or later). Subscribers in this
 * process are notified directly, so that during an outage only messages of other processes are missed.
 */
export async function redisBus(url: string, onError: (error: Error) => void): Promise<Bus> {
  const [publisher, subscriber] = await Promise.all([connect(url, onError), connect(url, onError)]);
  const local = inProcessBus();
  const self = randomBytes(6).toString('hex');
  const listeners = new Map<string, number>();
  const healed: (() => void)[] = [];
  let isListening = false;

  subscriber.on('smessage', (channel: string, message: string) => {
    const end = message.indexOf(' ');
    if (message.slice(0, end) !== self)
      void local.publish(channel.slice(PREFIX.length), message.slice(end + 1));
  });

  async function listenAgain(): Promise<void> {
    const names = [...listeners.keys()].map((name) => PREFIX + name);
    for (let at = 0; at < names.length; at += CHANNELS_AT_ONCE)
      await subscriber.ssubscribe(...names.slice(at, at + CHANNELS_AT_ONCE));
    isListening = true;
    for (const callback of healed) callback();
  }
  const isReady = () => subscriber.status === 'ready';
  subscriber.on('close', () => {
    isListening = false;
  });
  // If the connection breaks meanwhile, the next `ready` event subscribes again.
  subscriber.on('ready', () => void listenAgain().catch(onError));
  if (isReady()) isListening = true;

  return {
    publish: async (channel, message) => {
      await local.publish(channel, message);
      await publisher.spublish(PREFIX + channel, `${self} ${message}`).catch(() => undefined);
    },
    subscribe: async (channel, receive) => {
      const stop = await local.subscribe(channel, receive);
      const count = (listeners.get(channel) ?? 0) + 1;
      listeners.set(channel, count);
      if (count === 1) await subscriber.ssubscribe(PREFIX + channel).catch(() => undefined);
      let isOver = false;
      return async () => {
        if (isOver) return;
        isOver = true;
        await stop();
        const left = (listeners.get(channel) as number) - 1;
        listeners.set(channel, left);
        if (left > 0) return;
        listeners.delete(channel);
        await subscriber.sunsubscribe(PREFIX + channel).catch(() => undefined);
      };
    },
    isConnected: () => isListening && publisher.status === 'ready',
    onReconnect: (callback) => healed.push(callback),
    close: async () => {
      publisher.disconnect();
      subscriber.disconnect();
      await local.close();
    },
  };
}
