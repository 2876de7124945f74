import type { Cache } from './cache.ts';

/**
 * Returns a cache that tolerates the loss of the shared one: while it is unreachable, each process counts separately (a
 * looser limit) and stored values read as missing.
 */
export function resilientCache(shared: Cache, local: Cache): Cache {
  return {
    get: (key) => shared.get(key).catch(() => undefined),
    set: (key, value, ttlMs) => shared.set(key, value, ttlMs).catch(() => undefined),
    delete: (key) => shared.delete(key).catch(() => undefined),
    consume: (key, windows, nowMs, count) =>
      shared.consume(key, windows, nowMs, count).catch(() => local.consume(key, windows, nowMs, count)),
    consumeSliding: (key, limit, nowMs) =>
      shared.consumeSliding(key, limit, nowMs).catch(() => local.consumeSliding(key, limit, nowMs)),
    refund: (key, windows, nowMs) =>
      shared.refund(key, windows, nowMs).catch(() => local.refund(key, windows, nowMs)),
    isConnected: shared.isConnected,
    close: async () => {
      await Promise.all([shared.close(), local.close()]);
    },
  };
}
