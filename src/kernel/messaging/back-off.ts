import { setTimeout as sleep } from 'node:timers/promises';

const BUSY = 0.6;
const YIELD_FACTOR = 20;
const MAX_YIELD_MS = 5_000;
/** With fewer requests per second, the low-priority work itself is what occupies the event loop. */
const MIN_REQUESTS_PER_SECOND = 20;

/** Waits between two units of work; given how long the last one took. */
type Pause = (takenMs: number) => Promise<void>;

/** Slows low-priority work down; `end` aborts every wait, so that the process can stop without delay. */
export type BackOff = (end: AbortSignal) => Pause;

/** Never waits; for tests. */
export const neverBackOff: BackOff = () => async () => undefined;

/** The load of requests on a process, for which its low-priority work backs off. */
export interface RequestLoad {
  countRequest(): void;
  /**
   * Throttles low-priority work: while requests keep the event loop busy, waits a multiple of the time the work took, at
   * most five seconds. Call it between transactions: one that stays open meanwhile keeps its locks, and PostgreSQL ends
   * the connection of one that idles for too long.
   */
  backOff: BackOff;
}

export function requestLoad(): RequestLoad {
  let requests = 0;
  const measure = () => ({ requests, atMs: performance.now(), loop: performance.eventLoopUtilization() });
  return {
    countRequest(): void {
      requests++;
    },
    backOff(end) {
      let before = measure();
      return async (takenMs) => {
        const now = measure();
        const { utilization } = performance.eventLoopUtilization(now.loop, before.loop);
        const perSecond = ((now.requests - before.requests) * 1000) / Math.max(1, now.atMs - before.atMs);
        before = now;
        if (utilization <= BUSY || perSecond < MIN_REQUESTS_PER_SECOND) return;
        await sleep(Math.min(MAX_YIELD_MS, takenMs * YIELD_FACTOR), undefined, { signal: end }).catch(
          () => undefined,
        );
      };
    },
  };
}
