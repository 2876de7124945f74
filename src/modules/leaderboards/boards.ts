import { setTimeout as sleep } from 'node:timers/promises';
import { serviceUnavailable } from '../../kernel/failures.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/time/time.ts';
import type { BoardStore } from './boards.store.ts';

/** How long a complete board is served before it is rebuilt. */
export const FRESH_MS = 120 * SECOND_MS;
/** Lifetime of a board without gifts, short so that they appear soon. */
const PARTIAL_MS = 5 * SECOND_MS;
const MAX_WAIT_MS = MINUTE_MS;
const POLL_MS = 50;
/** How long other processes wait for a builder that may have been killed; a living builder renews the lease. */
const LEASE_MS = 6 * SECOND_MS;
const RENEW_MS = 2 * SECOND_MS;
/** Maximum numbers of boards that one process builds concurrently, and of waiting callers. */
const MAX_BUILDS = 2;
const MAX_WAITING = 500;

interface BoardDeps {
  store: BoardStore;
  clock: Clock;
}

/** Caches boards for all processes: one process at a time builds a board, which is valid for two minutes. */
export function keptBoards({ store, clock }: BoardDeps) {
  const underWay = new Map<string, Promise<object>>();
  let builds = 0;
  let waiting = 0;

  async function build<B extends { partial: boolean }>(key: string, make: () => Promise<B>): Promise<B> {
    builds++;
    // After a failed renewal another process may build the board too: twice the work, and the same board.
    const renewing = setInterval(() => {
      store.renew(key, new Date(clock.now() + LEASE_MS)).catch(() => undefined);
    }, RENEW_MS);
    try {
      const board = await make();
      const freshMs = board.partial ? PARTIAL_MS : FRESH_MS;
      await store.keep(key, board, new Date(clock.now() + freshMs));
      await store.forget(new Date(clock.now() - 10 * MINUTE_MS));
      return board;
    } catch (error) {
      await store.release(key).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(renewing);
      builds--;
    }
  }

  /** Waits until the board is available, or this process must build it. Waits in real time, not by the clock. */
  async function find<B extends { partial: boolean }>(key: string, make: () => Promise<B>): Promise<object> {
    for (const deadlineMs = performance.now() + MAX_WAIT_MS; performance.now() < deadlineMs; ) {
      if (builds < MAX_BUILDS) {
        const nowMs = clock.now();
        const until = new Date(nowMs + LEASE_MS);
        const { payload, isBuilder } = await store.claim(key, new Date(nowMs), until);
        if (payload) return payload;
        if (isBuilder) return JSON.parse(JSON.stringify(await build(key, make))) as object;
      }
      await sleep(POLL_MS);
    }
    throw serviceUnavailable();
  }

  /** Returns a board, cached or newly built, as parsed JSON. @throws 503 after a timeout, or if too many wait */
  return async <B extends { partial: boolean }>(key: string, make: () => Promise<B>): Promise<object> => {
    const remembered = underWay.get(key);
    if (remembered) return remembered;
    if (waiting >= MAX_WAITING) throw serviceUnavailable();
    waiting++;
    const finding = find(key, make).finally(() => {
      waiting--;
      underWay.delete(key);
    });
    underWay.set(key, finding);
    return finding;
  };
}

export type KeptBoards = ReturnType<typeof keptBoards>;
