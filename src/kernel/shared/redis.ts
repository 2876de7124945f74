import { once } from 'node:events';
import { Redis } from 'ioredis';
import { type Bus, type Cache, type Window, windowStart } from './shared.ts';

const PREFIX = 'platform:';
const COMMAND_TIMEOUT_MS = 500;

/**
 * KEYS: one counter a window. ARGV: for each window its limit, then for each its milliseconds to live.
 * Answers 1 or 0, then the counts.
 */
const ADMIT = `
local counts, full = {}, false
for place, key in ipairs(KEYS) do
  counts[place] = tonumber(redis.call('GET', key) or '0')
  if counts[place] >= tonumber(ARGV[place]) then full = true end
end
if not full then
  for place, key in ipairs(KEYS) do
    counts[place] = redis.call('INCR', key)
    if counts[place] == 1 then redis.call('PEXPIRE', key, ARGV[#KEYS + place]) end
  end
end
return {full and 0 or 1, unpack(counts)}`;

/** Never below zero, and nothing is made that was not there. */
const GIVE_BACK = `
for _, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '0') > 0 then redis.call('DECR', key) end
end`;

/**
 * While the server is away commands fail at once instead of waiting for it: no request is slowed by its loss, and
 * nothing that was given up takes effect later. Resolves once connected, or once the first try has failed; it goes on
 * trying either way.
 */
async function connect(url: string, onError: (error: Error) => void): Promise<Redis> {
  const redis = new Redis(url, {
    commandTimeout: COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000) + Math.random() * 100,
  });
  redis.on('error', onError);
  await once(redis, 'ready').catch(() => undefined);
  return redis;
}

/** The braces keep the counters of one key on one node of a cluster. */
const counterNames = (key: string, windows: Window[], nowMs: number): string[] =>
  windows.map((window) => `${PREFIX}{${key}}:${window.name}:${windowStart(window, nowMs) / window.lengthMs}`);

/** A cache that the processes share through Redis or Valkey. Rejects when the server can't be reached. */
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
    admit: async (key, windows, nowMs) => {
      const keys = counterNames(key, windows, nowMs);
      const lives = windows.map((window) => window.lengthMs - (nowMs % window.lengthMs) + 1000);
      const limits = windows.map(({ limit }) => limit);
      const reply = (await redis.eval(ADMIT, keys.length, ...keys, ...limits, ...lives)) as number[];
      const [admitted, ...counts] = reply;
      const stateOf = (window: Window, place: number) => ({
        window,
        remaining: Math.max(0, window.limit - (counts[place] as number)),
        resetAtMs: windowStart(window, nowMs) + window.lengthMs,
      });
      return { admitted: admitted === 1, windows: windows.map(stateOf) };
    },
    giveBack: async (key, windows, nowMs) => {
      await redis.eval(GIVE_BACK, windows.length, ...counterNames(key, windows, nowMs));
    },
    close: async () => redis.disconnect(),
  };
}

/** A bus between processes over Redis or Valkey publish/subscribe. */
export async function redisBus(url: string, onError: (error: Error) => void): Promise<Bus> {
  const [publisher, subscriber] = await Promise.all([connect(url, onError), connect(url, onError)]);
  const receivers = new Map<string, Set<(message: string) => void>>();
  subscriber.on('message', (channel: string, message: string) => {
    for (const receive of receivers.get(channel) ?? []) receive(message);
  });
  return {
    publish: async (channel, message) => {
      await publisher.publish(PREFIX + channel, message);
    },
    subscribe: async (name, receive) => {
      const channel = PREFIX + name;
      const all = receivers.get(channel) ?? new Set();
      receivers.set(channel, all.add(receive));
      if (all.size === 1) await subscriber.subscribe(channel);
      return async () => {
        all.delete(receive);
        if (all.size > 0) return;
        receivers.delete(channel);
        await subscriber.unsubscribe(channel);
      };
    },
    close: async () => {
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
}
