import type { Redis } from 'ioredis';
import type { Cache } from './cache.ts';
import { type RateWindow, windowStart } from './rate-limiter.ts';
import { openRedis } from './redis-open.ts';
import { refusalsOf } from './redis-refusals.ts';

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

/**
 * The braces keep the counters of one key on the same node of a cluster. Keys must not begin with a brace of their own;
 * all begin with what they count.
 */
const counterNames = (key: string, windows: RateWindow[], nowMs: number) =>
  windows.map(
    (window) => `${PREFIX}{${key}}:${window.name}:${windowStart(window, nowMs) / window.lengthMs}`,
  ) as [string, ...string[]];

/**
 * Returns whether a script of a counter admitted, and its other numbers.
 * @throws when the reply is not one of such a script; the caller then counts by itself
 */
function admissionIn(reply: unknown, length: number): { admitted: boolean; numbers: number[] } {
  const numbers = Array.isArray(reply) && reply.every((one) => Number.isSafeInteger(one)) ? reply : [];
  if (numbers.length !== length + 1) throw new Error('Redis answered a counter with something else');
  const [admitted, ...others] = numbers;
  return { admitted: admitted === 1, numbers: others };
}

/** The key of a value that is only written to see whether it can be, at the server that has another key. */
const trialOf = (key: string): string => `${PREFIX}{${/\{([^}]+)\}/.exec(key)?.[1] ?? key}}:trial`;

/**
 * Returns a cache that processes share through Redis or Valkey. Its methods reject when the server is unreachable or
 * refuses what is written; then it does not count as connected either.
 * @param onTaken called when the server takes writes again
 */
export async function redisCache(
  url: string,
  onError: (error: Error) => void,
  onTaken: () => void = () => undefined,
): Promise<Cache> {
  const servers = await openRedis(url, { onError });
  const { send, isUp } = servers;
  const refusals = refusalsOf({
    onRefused: onError,
    onTaken,
    primaries: servers.primaries,
    tryWrite: (key) => write(key, (redis) => redis.set(trialOf(key), '', 'PX', 1)),
  });
  /**
   * Sends a command that writes, at least if the answer says so.
   * @param isWritten whether this answer shows that the server takes writes
   */
  async function write<Answer>(
    key: string,
    command: (redis: Redis) => Promise<Answer>,
    isWritten: (answer: Answer) => boolean = () => true,
  ): Promise<Answer> {
    const server = servers.ownerOf(servers.slotOf(key)) ?? '';
    try {
      const answer = await send(key, command);
      if (isWritten(answer)) refusals.taken(server);
      return answer;
    } catch (error) {
      refusals.failed(server, key, error as Error);
      throw error;
    }
  }
  const run = (script: string, keys: [string, ...string[]], ...values: (string | number)[]) =>
    write(
      keys[0],
      (redis) => redis.eval(script, keys.length, ...keys, ...values),
      // What is over its limit is only read, and so may be what is refunded.
      (reply) => Array.isArray(reply) && reply[0] === 1,
    );
  return {
    get: async (key) => (await send(PREFIX + key, (redis) => redis.get(PREFIX + key))) ?? undefined,
    set: async (key, value, ttlMs) => {
      await write(PREFIX + key, (redis) =>
        redis.set(PREFIX + key, value, 'PX', Math.max(1, Math.ceil(ttlMs))),
      );
    },
    delete: async (key) => {
      await send(PREFIX + key, (redis) => redis.del(PREFIX + key));
    },
    consume: async (key, windows, nowMs, count = 1) => {
      const lives = windows.map((window) => window.lengthMs - (nowMs % window.lengthMs) + 1000);
      const limits = windows.map(({ limit }) => limit);
      const reply = await run(CONSUME, counterNames(key, windows, nowMs), ...limits, ...lives, count);
      const { admitted, numbers: counts } = admissionIn(reply, windows.length);
      const stateOf = (window: RateWindow, place: number) => ({
        window,
        remaining: Math.max(0, window.limit - (counts[place] as number)),
        resetAtMs: windowStart(window, nowMs) + window.lengthMs,
      });
      return { admitted, windows: windows.map(stateOf) };
    },
    consumeSliding: async (key, { lengthMs, limit }, nowMs) => {
      const reply = await run(
        CONSUME_SLIDING,
        [`${PREFIX}{${key}}:within`],
        limit,
        lengthMs,
        Math.floor(nowMs),
      );
      const { admitted, numbers } = admissionIn(reply, 1);
      return { admitted, retryAtMs: admitted ? nowMs : (numbers[0] as number) + lengthMs };
    },
    refund: async (key, windows, nowMs) => {
      await run(REFUND, counterNames(key, windows, nowMs));
    },
    isConnected: () => isUp() && !refusals.isRefused(),
    close: async () => {
      refusals.close();
      servers.close();
    },
  };
}
