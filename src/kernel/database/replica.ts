import { codeOf, isLostConnection } from '../outages.ts';
import type { LaneQueries } from './lanes.ts';
import type { CatchUp } from './replica-position.ts';
import { ReplicaBehind } from './replica-position.ts';

/** Numbers since the start of the process. */
export interface ReplicaUse {
  /** Queries that the replica answered. */
  answered: number;
  /** Queries that the primary answered instead. */
  fallbacks: number;
}

interface ReplicaOptions {
  catchUp: CatchUp;
  /** How long to wait until the replica has what the primary has when a query arrives. */
  maxLagMs: number;
  use: ReplicaUse;
  /** Called when the primary has to answer because the replica is lost or too far behind. */
  onUnused: (error: Error) => void;
}

/** Time for which a replica is left alone that was lost or behind. */
const REST_MS = 5_000;
/** Of queries that conflict with what the replica has to apply, such as the removal of rows that they may still read. */
const ATTEMPTS = 2;
const RECOVERY_CONFLICT = '40001';

/**
 * Runs read-only queries on the replica once it has everything that was committed when they arrived, so that readers see
 * their own writes; on the primary when the replica is lost, or does not catch up in time. Work may run several times.
 */
export function replicaFirst({ catchUp, maxLagMs, use, onUnused }: ReplicaOptions) {
  let restsUntilMs = 0;
  let isLost = false;
  let isProbing = false;

  function giveUp(error: Error): void {
    if (!isLost) onUnused(error);
    isLost = true;
    restsUntilMs = performance.now() + REST_MS;
  }

  async function probe(): Promise<void> {
    isProbing = true;
    try {
      await catchUp(maxLagMs);
      isLost = false;
    } catch (error) {
      giveUp(error as Error);
    } finally {
      isProbing = false;
    }
  }

  /** After a rest nobody waits for a replica that may still be lost: it is tried beside. */
  function mayAsk(): boolean {
    if (!isLost) return true;
    if (performance.now() < restsUntilMs) return false;
    if (!isProbing) void probe();
    return false;
  }

  /** @returns what the replica answered; undefined when the primary has to be asked */
  async function ask<T>(onReplica: () => Promise<T>): Promise<{ answer: T } | undefined> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        await catchUp(maxLagMs);
        return { answer: await onReplica() };
      } catch (error) {
        if (codeOf(error) === RECOVERY_CONFLICT) continue;
        if (!(error instanceof ReplicaBehind) && !isLostConnection(error)) throw error;
        giveUp(error as Error);
        return undefined;
      }
    }
    return undefined;
  }

  async function run<T>(onReplica: () => Promise<T>, onPrimary: () => Promise<T>): Promise<T> {
    const found = mayAsk() ? await ask(onReplica) : undefined;
    if (!found) {
      use.fallbacks++;
      return onPrimary();
    }
    use.answered++;
    return found.answer;
  }

  return {
    run,
    /** Returns a lane on the replica, with that on the primary in its place. */
    lane: (onReplica: LaneQueries, onPrimary: LaneQueries): Pick<LaneQueries, 'run'> => ({
      run: (work, signal) =>
        run(
          () => onReplica.run(work, signal),
          () => onPrimary.run(work, signal),
        ),
    }),
  };
}

export type ReplicaFirst = ReturnType<typeof replicaFirst>;
