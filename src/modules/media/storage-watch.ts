import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ObjectStorage } from '../../external/storage/port.ts';

const DEADLINE_MS = 3_000;
/** Intervals of the check: after the storage has answered, and after it has not. */
const AVAILABLE_INTERVAL_MS = 15_000;
const UNAVAILABLE_INTERVAL_MS = 3_000;

interface WatchDeps {
  storage: Pick<ObjectStorage, 'check'>;
  log: Pick<Logger, 'warn'>;
}

/** Checks the storage regularly, so that operators learn of a fault before members do. */
export function storageWatch({ storage, log }: WatchDeps) {
  let fault: string | undefined;
  const end = new AbortController();

  async function look(): Promise<void> {
    const found = await storage.check({ deadlineMs: DEADLINE_MS }).then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (end.signal.aborted) return;
    if (found !== undefined && found !== fault) log.warn({ reason: found }, 'the storage is unavailable');
    if (found === undefined && fault !== undefined) log.warn('the storage is available again');
    fault = found;
  }

  async function watch(): Promise<void> {
    while (!end.signal.aborted) {
      const pauseMs = fault === undefined ? AVAILABLE_INTERVAL_MS : UNAVAILABLE_INTERVAL_MS;
      await sleep(pauseMs, undefined, { signal: end.signal, ref: false }).catch(() => undefined);
      if (!end.signal.aborted) await look();
    }
  }

  return {
    isUp: (): boolean => fault === undefined,
    /** Resolves after the first check, which takes a few seconds when the storage hangs. */
    async start(): Promise<void> {
      await look();
      void watch();
    },
    stop: () => end.abort(),
  };
}

export type StorageWatch = ReturnType<typeof storageWatch>;
