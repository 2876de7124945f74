import type { Metric } from '../metric.ts';
import { type Clock, SECOND_MS } from '../time/time.ts';

const FAULTS_TO_OPEN = 5;
const OPEN_MS = 10 * SECOND_MS;

/** The circuits of this process, which show operators to which systems calls are suspended. */
export function circuitBoard() {
  const isOpenOf = new Map<string, () => boolean>();
  return {
    /** Registers a circuit under the name of the system that it guards. */
    add: (system: string, isOpen: () => boolean): void => {
      isOpenOf.set(system, isOpen);
    },
    states: (): { system: string; isOpen: boolean }[] =>
      [...isOpenOf].map(([system, isOpen]) => ({ system, isOpen: isOpen() })),
  };
}

export type CircuitBoard = ReturnType<typeof circuitBoard>;

/** Shows to which external systems calls are suspended. */
export const circuitMetrics = (board: Pick<CircuitBoard, 'states'>): Metric[] => [
  {
    name: 'circuit_open',
    help: 'Whether this process suspends calls to an external system, after five failures in a row',
    scope: 'process',
    group: 'External systems',
    labels: ['system'],
    alerts: [
      {
        name: 'ExternalSystemUnavailable',
        query: 'max by (system) (circuit_open)',
        condition: '> 0',
        minutes: 10,
        severity: 'page',
        means:
          'An external system has not answered for ten minutes. What depends on it waits or is refused with 503: see "When a system is unavailable" in operations.md.',
        steps: [
          "The administrators' page of the installation (`GET /v1/admin/health`) has the last error of each system.",
          'Look at the status page of its provider, at its credentials, and at the network.',
          'Nothing has to be restarted: a call is tried every ten seconds.',
        ],
      },
    ],
    read: () => board.states().map(({ system, isOpen }) => ({ labels: { system }, value: Number(isOpen) })),
  },
];

/** The board that a circuit registers with, and the system's name there. */
export interface CircuitPlace {
  system: string;
  board: Pick<CircuitBoard, 'add'> | undefined;
}

/**
 * Protects a failing system and its callers: after five consecutive faults it rejects calls at once for ten seconds,
 * then lets one call through as a probe.
 * @param refused makes the error for rejected calls
 */
export function circuitBreaker(clock: Clock, refused: () => Error, place?: CircuitPlace) {
  let faults = 0;
  let openUntilMs = Number.NEGATIVE_INFINITY;
  // A circuit counts as open until a call succeeds, including while it waits to send its probe.
  place?.board?.add(place.system, () => faults >= FAULTS_TO_OPEN);
  return async <T>(call: () => Promise<T>): Promise<T> => {
    const nowMs = clock.elapsedMs();
    if (nowMs < openUntilMs) throw refused();
    // While this probe runs, other calls are still rejected.
    if (faults >= FAULTS_TO_OPEN) openUntilMs = nowMs + OPEN_MS;
    try {
      const result = await call();
      faults = 0;
      openUntilMs = Number.NEGATIVE_INFINITY;
      return result;
    } catch (error) {
      faults++;
      if (faults >= FAULTS_TO_OPEN) openUntilMs = clock.elapsedMs() + OPEN_MS;
      throw error;
    }
  };
}
