import { setTimeout as sleep } from 'node:timers/promises';

const BUSY = 0.6;
const YIELD_FACTOR = 20;
const MAX_YIELD_MS = 5_000;

/**
 * For work that may wait: waits a multiple of the time it took, as long as requests keep the event loop busy.
 * @param end ends every wait: whoever stops has no time for it
 */
export function backOff(end: AbortSignal) {
  let before = performance.eventLoopUtilization();
  return async (takenMs: number): Promise<void> => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization <= BUSY) return;
    await sleep(Math.min(MAX_YIELD_MS, takenMs * YIELD_FACTOR), undefined, { signal: end }).catch(
      () => undefined,
    );
  };
}
