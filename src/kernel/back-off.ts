import { setTimeout as sleep } from 'node:timers/promises';

const BUSY = 0.6;
const YIELD_FACTOR = 20;
const MAX_YIELD_MS = 5_000;

/**
 * Throttles low-priority work: while requests keep the event loop busy, waits a multiple of the time the work took, at
 * most five seconds.
 * @param end aborts every wait, so that the process can stop without delay
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
