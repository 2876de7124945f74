import type { Cache } from './shared.ts';

/**
 * A shared cache whose loss does no harm: while it can't be reached each process counts for itself (a looser limit,
 * but a limit), and what was kept is as good as forgotten.
 */
export function resilientCache(shared: Cache, local: Cache): Cache {
  return {
    get: (key) => shared.get(key).catch(() => undefined),
    set: (key, value, ttlMs) => shared.set(key, value, ttlMs).catch(() => undefined),
    delete: (key) => shared.delete(key).catch(() => undefined),
    admit: (key, windows, nowMs) =>
      shared.admit(key, windows, nowMs).catch(() => local.admit(key, windows, nowMs)),
    admitWithin: (key, limit, nowMs) =>
      shared.admitWithin(key, limit, nowMs).catch(() => local.admitWithin(key, limit, nowMs)),
    giveBack: (key, windows, nowMs) =>
      shared.giveBack(key, windows, nowMs).catch(() => local.giveBack(key, windows, nowMs)),
    close: async () => {
      await Promise.all([shared.close(), local.close()]);
    },
  };
}
