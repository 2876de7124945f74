import { EventEmitter } from 'node:events';
import { recentlyUsed } from '../concurrency/recently-used.ts';
import type { Clock } from '../time/time.ts';
import type { Bus } from './bus.ts';
import type { Cache } from './cache.ts';
import { type RateWindow, type WindowState, windowStart } from './rate-limiter.ts';

const MAX_VALUES = 50_000;
const MAX_COUNTERS = 200_000;
/** Each log holds up to its limit of instants. */
const MAX_LOGS = 20_000;

interface Counter {
  startMs: number;
  lengthMs: number;
  count: number;
}

/** Returns a bounded cache in this process's memory that evicts the least recently used entries. */
export function inProcessCache(clock: Clock): Cache {
  const values = recentlyUsed<string, { value: string; expiresMs: number }>(MAX_VALUES);
  const counters = recentlyUsed<string, Counter[]>(MAX_COUNTERS);
  const logs = recentlyUsed<string, number[]>(MAX_LOGS);

  /** Returns the counters of the key in these windows; those of windows that have ended begin again. */
  function currentCounters(key: string, windows: RateWindow[], nowMs: number): Counter[] {
    let known = counters.get(key);
    if (known?.length !== windows.length) {
      known = windows.map(() => ({ startMs: 0, lengthMs: 0, count: 0 }));
      counters.set(key, known);
    }
    for (const [place, window] of windows.entries()) {
      const counter = known[place] as Counter;
      const { startMs, lengthMs } = counter;
      // The remainder of a division, by which windows are aligned, takes longer than all the rest.
      if (lengthMs === window.lengthMs && nowMs >= startMs && nowMs < startMs + lengthMs) continue;
      Object.assign(counter, { startMs: windowStart(window, nowMs), lengthMs: window.lengthMs, count: 0 });
    }
    return known;
  }

  return {
    get: async (key) => {
      const entry = values.get(key);
      return entry && entry.expiresMs > clock.elapsedMs() ? entry.value : undefined;
    },
    set: async (key, value, ttlMs) => {
      values.set(key, { value, expiresMs: clock.elapsedMs() + ttlMs });
    },
    delete: async (key) => {
      values.delete(key);
    },
    consume: async (key, windows, nowMs, count = 1) => {
      const current = currentCounters(key, windows, nowMs);
      const admitted = windows.every(
        ({ limit }, place) => (current[place] as Counter).count + count <= limit,
      );
      if (admitted) for (const counter of current) counter.count += count;
      return {
        admitted,
        windows: windows.map((window, place) => stateOf(window, current[place] as Counter)),
      };
    },
    consumeSliding: async (key, { lengthMs, limit }, nowMs) => {
      // What lies further ahead was counted before the clock was set back.
      const log = (logs.get(key) ?? []).filter((atMs) => Math.abs(nowMs - atMs) < lengthMs);
      const admitted = log.length < limit;
      if (admitted) log.push(nowMs);
      logs.set(key, log);
      return { admitted, retryAtMs: admitted ? nowMs : (log[0] as number) + lengthMs };
    },
    refund: async (key, windows, nowMs) => {
      for (const counter of currentCounters(key, windows, nowMs))
        counter.count = Math.max(0, counter.count - 1);
    },
    isConnected: () => true,
    close: async () => {
      values.clear();
      counters.clear();
      logs.clear();
    },
  };
}

const stateOf = (window: RateWindow, { startMs, count }: Counter): WindowState => ({
  window,
  remaining: Math.max(0, window.limit - count),
  resetAtMs: startMs + window.lengthMs,
});

/** Returns a bus within this process. */
export function inProcessBus(): Bus {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    isShared: false,
    publish: async (channel, message) => {
      setImmediate(() => emitter.emit(channel, message));
    },
    subscribe: async (channel, receive) => {
      emitter.on(channel, receive);
      return async () => {
        emitter.off(channel, receive);
      };
    },
    isConnected: () => true,
    onReconnect: () => undefined,
    close: async () => {
      emitter.removeAllListeners();
    },
  };
}
