import type { TestContext } from 'node:test';
import type { TravellingClock } from '../../src/kernel/time/time.ts';

/**
 * Stops a clock until the test ends: what has to happen within a minute, or before ten seconds are over, then may take a
 * busy machine longer. The test can still move the clock on.
 */
export function stopClock(t: TestContext, clock: TravellingClock): void {
  const running = { ...clock };
  let nowMs = clock.now();
  const stopped: Partial<TravellingClock> = {
    now: () => nowMs,
    date: () => new Date(nowMs),
    advance: (ms) => {
      nowMs += ms;
    },
    set: (ms) => {
      nowMs = ms;
    },
  };
  Object.assign(clock, stopped);
  t.after(() => {
    Object.assign(clock, running);
    clock.set(nowMs);
  });
}
