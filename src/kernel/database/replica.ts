import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, isLostConnection } from './faults.ts';
import type { LaneQueries } from './lanes.ts';
import type { Server } from './server.ts';

/** Numbers since the start of the process. */
export interface ReplicaUse {
  /** Queries that the replica answered. */
  answered: number;
  /** Queries that the primary answered instead. */
  fallbacks: number;
}

interface ReplicaOptions {
  primary: Pick<Server, 'pool'>;
  replica: Pick<Server, 'pool'>;
  /** How long to wait until the replica has what the primary has when a query arrives. */
  maxLagMs: number;
  /** Called when the primary has to answer because the replica is lost or too far behind. */
  onUnused: (error: Error) => void;
}

/** The replica has not caught up in time. */
class ReplicaBehind extends Error {
  override readonly name = 'ReplicaBehind';
}

/** Time for which a replica is left alone that was lost or behind. */
const REST_MS = 5_000;
const POLL_MS = 20;
/** A statement about the position takes no time; a server that does not answer it hangs. */
const ANSWER_MS = 2_000;
/** Of queries that conflict with what the replica has to apply, such as the removal of rows that they may still read. */
const ATTEMPTS = 2;
const RECOVERY_CONFLICT = '40001';

/**
 * Runs read-only queries on the replica once it has everything that was committed when they arrived, so that readers see
 * their own writes; on the primary when the replica is lost, or does not catch up in time. Work may run several times.
 */
export function replicaFirst({ primary, replica, maxLagMs, onUnused }: ReplicaOptions) {
  const use: ReplicaUse = { answered: 0, fallbacks: 0 };
  let restsUntilMs = 0;

  async function catchUp(): Promise<void> {
    const { rows } = await primary.pool.query<{ position: string }>(
      'select pg_current_wal_lsn()::text as position',
    );
    const position = rows[0]?.position;
    const untilMs = performance.now() + maxLagMs;
    for (;;) {
      const answer = await replica.pool.query({
        text: 'select not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= $1::pg_lsn as reached',
        values: [position],
        query_timeout: ANSWER_MS,
      } as { text: string; values: unknown[] });
      if (answer.rows[0]?.reached) return;
      if (performance.now() >= untilMs)
        throw new ReplicaBehind(`the replica is more than ${maxLagMs / 1000} s behind the primary`);
      await sleep(POLL_MS);
    }
  }

  /** @returns what the replica answered; undefined when the primary has to be asked */
  async function ask<T>(onReplica: () => Promise<T>): Promise<{ answer: T } | undefined> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        await catchUp();
        return { answer: await onReplica() };
      } catch (error) {
        if (codeOf(error) === RECOVERY_CONFLICT) continue;
        if (!(error instanceof ReplicaBehind) && !isLostConnection(error)) throw error;
        restsUntilMs = performance.now() + REST_MS;
        onUnused(error as Error);
        return undefined;
      }
    }
    return undefined;
  }

  async function run<T>(onReplica: () => Promise<T>, onPrimary: () => Promise<T>): Promise<T> {
    const found = performance.now() < restsUntilMs ? undefined : await ask(onReplica);
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
    use: (): ReplicaUse => use,
  };
}
