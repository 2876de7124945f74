import { type Clock, SECOND_MS } from './time.ts';

const FAULTS_TO_OPEN = 5;
const OPEN_MS = 10 * SECOND_MS;

/**
 * Spares a system that is down, and those who would wait for it: after five faults in a row calls are refused at once
 * for ten seconds, then one is let through to see.
 * @param refused what to throw meanwhile
 */
export function circuit(clock: Clock, refused: () => Error) {
  let faults = 0;
  let openUntilMs = 0;
  return async <T>(call: () => Promise<T>): Promise<T> => {
    const nowMs = clock.now();
    if (nowMs < openUntilMs) throw refused();
    // While this one tries, the others still wait.
    if (faults >= FAULTS_TO_OPEN) openUntilMs = nowMs + OPEN_MS;
    try {
      const result = await call();
      faults = 0;
      openUntilMs = 0;
      return result;
    } catch (error) {
      faults++;
      if (faults >= FAULTS_TO_OPEN) openUntilMs = clock.now() + OPEN_MS;
      throw error;
    }
  };
}
