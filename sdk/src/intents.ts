import { PlatformError } from './errors.ts';
import { isFinal } from './retrying.ts';
import type { Storage } from './storage.ts';

/** The platform keeps an answer under its key for 24 hours; an hour less allows for clocks that differ. */
const KEPT_MS = 23 * 3_600_000;

/**
 * The keys of intents: one name stands for one effect, also after a restart of the program. A key is kept once it has
 * taken effect, and given up when the request was refused, so that it can be made again.
 */
export function intents(storage: Storage, newKey: () => string): Intents {
  return {
    async keyOf(name: string): Promise<string> {
      const kept = await storage.get(`intent:${name}`);
      if (!kept) {
        const key = newKey();
        await storage.set(`intent:${name}`, JSON.stringify({ key, at: Date.now() }));
        return key;
      }
      const { key, at } = JSON.parse(kept) as { key: string; at: number };
      if (Date.now() - at < KEPT_MS) return key;
      throw new PlatformError('It was begun more than a day ago: look up whether it took effect', {
        kind: 'client',
        code: 'INTENT_EXPIRED',
        idempotencyKey: key,
      });
    },
    async refused(name: string, error: PlatformError): Promise<void> {
      if (isFinal(error)) await storage.set(`intent:${name}`, undefined);
    },
  };
}

interface Intents {
  keyOf(name: string): Promise<string>;
  refused(name: string, error: PlatformError): Promise<void>;
}
