import { type Clock, SECOND_MS } from './time.ts';

const FAULTS_TO_OPEN = 5;
const OPEN_MS = 10 * SECOND_MS;

/** The circuits of this process, so that operators can see which systems are not being called. */
export function circuitBoard() {
  const isOpenOf = new Map<string, () => boolean>();
  return {
    /** Puts a circuit on the board, under the name of the system that it guards. */
    add: (system: string, isOpen: () => boolean): void => {
      isOpenOf.set(system, isOpen);
    },
    states: (): { system: string; isOpen: boolean }[] =>
      [...isOpenOf].map(([system, isOpen]) => ({ system, isOpen: isOpen() })),
  };
}

export type CircuitBoard = ReturnType<typeof circuitBoard>;

/** The place on a board that a circuit reports to. */
export interface CircuitPlace {
  system: string;
  board: Pick<CircuitBoard, 'add'> | undefined;
}

/**
 * Spares a system that is down, and those who would wait for it: after five faults in a row calls are refused at once
 * for ten seconds, then one is let through to see.
 * @param refused what to throw meanwhile
 */
export function circuitBreaker(clock: Clock, refused: () => Error, place?: CircuitPlace) {
  let faults = 0;
  let openUntilMs = 0;
  // Until a call has succeeded: a circuit that only waits to let one through has not closed yet.
  place?.board?.add(place.system, () => faults >= FAULTS_TO_OPEN);
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
