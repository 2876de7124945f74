import { setTimeout as sleep } from 'node:timers/promises';
import { serviceUnavailable } from '../../kernel/failures.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/time.ts';
import type { BoardStore } from './boards.store.ts';

/** Part 2, Limits: leaderboard cache. */
const FRESH_MS = 120 * SECOND_MS;
/** A board without the gifts is asked for again soon. */
const PARTIAL_MS = 5 * SECOND_MS;
const MAX_BUILD_MS = MINUTE_MS;
const POLL_MS = 50;
/** Boards that one process builds at once, and callers who wait for any. */
const MAX_BUILDS = 2;
const MAX_WAITING = 500;

interface BoardDeps {
  store: BoardStore;
  clock: Clock;
}

/** Keeps boards for all processes: each is built by one of them at a time, and shown until it is two minutes old. */
export function keptBoards({ store, clock }: BoardDeps) {
  const underWay = new Map<string, Promise<object>>();
  let builds = 0;
  let waiting = 0;

  async function build<B extends { partial: boolean }>(key: string, make: () => Promise<B>): Promise<B> {
    builds++;
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
      builds--;
    }
  }

  /** Waits until the board is there, or is this process's to build. Time that passes is real, not the clock's. */
  async function find<B extends { partial: boolean }>(key: string, make: () => Promise<B>): Promise<object> {
    for (const deadlineMs = performance.now() + MAX_BUILD_MS; performance.now() < deadlineMs; ) {
      if (builds < MAX_BUILDS) {
        const nowMs = clock.now();
        const until = new Date(nowMs + MAX_BUILD_MS);
        const { payload, isBuilder } = await store.claim(key, new Date(nowMs), until);
        if (payload) return payload;
        if (isBuilder) return JSON.parse(JSON.stringify(await build(key, make))) as object;
      }
      await sleep(POLL_MS);
    }
    throw serviceUnavailable();
  }

  /** Returns a board as JSON has it: as it is kept, or made now. @throws 503 when too many wait, or for too long */
  return async <B extends { partial: boolean }>(key: string, make: () => Promise<B>): Promise<object> => {
    const known = underWay.get(key);
    if (known) return known;
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
