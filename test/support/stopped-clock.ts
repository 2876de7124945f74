import type { TestContext } from 'node:test';
import { manualClock, type TravellingClock } from '../../src/kernel/time/time.ts';

/**
 * Stops a clock until the test ends: what has to happen within a minute, or before ten seconds are over, then may take a
 * busy machine longer. The test can still move the clock on.
 */
export function stopClock(t: TestContext, clock: TravellingClock): void {
  const running = { ...clock };
  const stopped = manualClock(clock.now());
  Object.assign(clock, stopped);
  t.after(() => {
    Object.assign(clock, running);
    clock.set(stopped.now());
  });
}
