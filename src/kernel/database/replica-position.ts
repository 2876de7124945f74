import { setTimeout as sleep } from 'node:timers/promises';
import { batching } from '../concurrency/batching.ts';
import type { Server } from './server.ts';

/** The replica has not caught up in time, or is none of this primary. */
export class ReplicaBehind extends Error {
  override readonly name = 'ReplicaBehind';
}

/**
 * Resolves when the replica has everything that the primary had when it was called.
 * @throws ReplicaBehind after so many milliseconds
 */
export type CatchUp = (maxLagMs: number) => Promise<void>;

/** Time between two looks at a replica that is behind. */
const POLL_MS = 5;
/** A statement about the position takes no time; a server that does not answer it hangs. */
const ANSWER_MS = 1_000;

/** Where the primary is, and which server it is. */
interface Position {
  position: string;
  started: string;
}

const POSITION = 'select pg_current_wal_lsn()::text as position, pg_postmaster_start_time()::text as started';
/** A replica that was promoted is the primary itself; another primary never is, however far it has come. */
const REACHED = `select pg_is_in_recovery() as "isReplica",
  case when pg_is_in_recovery() then pg_last_wal_replay_lsn() >= $1::pg_lsn
    else pg_postmaster_start_time()::text = $2 end as reached`;

/** Many may ask at once: those who arrive while looks are under way share the next one. */
const SHARED = {
  maxSize: 10_000,
  concurrency: 4,
  maxQueued: 10_000,
  onOverflow: () => new ReplicaBehind('too many wait for the replica'),
};

/** Waits for a replica on behalf of queries that have to see what was committed before them. */
export function catchingUp(primary: Pick<Server, 'pool'>, replica: Pick<Server, 'pool'>): CatchUp {
  async function ask<Row extends object>(server: Pick<Server, 'pool'>, text: string, values: string[] = []) {
    const query = { text, values, query_timeout: ANSWER_MS } as { text: string; values: unknown[] };
    return (await server.pool.query<Row>(query)).rows[0];
  }

  async function catchUp(maxLagMs: number): Promise<void> {
    const { position = '', started = '' } = (await ask<Position>(primary, POSITION)) ?? {};
    const untilMs = performance.now() + maxLagMs;
    for (;;) {
      const answer = await ask<{ isReplica: boolean; reached: boolean }>(replica, REACHED, [
        position,
        started,
      ]);
      if (answer?.reached) return;
      if (!answer?.isReplica) throw new ReplicaBehind('DATABASE_READ_URL leads to another primary');
      if (performance.now() >= untilMs)
        throw new ReplicaBehind(`the replica is more than ${maxLagMs / 1000} s behind the primary`);
      await sleep(POLL_MS);
    }
  }

  return batching<number, undefined>(async (lags) => {
    await catchUp(Math.max(...lags));
    return lags.map(() => undefined);
  }, SHARED);
}
