import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FanOut } from './fan-out.ts';
import { type Lane, type LaneDeps, lane } from './lane.ts';
import type { Poster } from './posting.ts';
import { HELD_MS } from './sending.store.ts';

/** The pauses between polls: while there is work, otherwise, and without endpoints. */
const BUSY_MS = 50;
const QUIET_MS = 200;
const IDLE_MS = 1_000;
const RENEW_MS = 1_500;
/** Maximum time for which a poll yields to requests; longer pauses would let claims expire. */
const MOST_TAKEN_MS = 100;

interface PumpDeps extends LaneDeps {
  fanOut: FanOut;
  newPoster: () => Poster;
}

/**
 * Drives all sending: numbers new events, and has the lane of each endpoint work that this process holds. Backs off while
 * requests keep the process busy.
 */
export function pump({ fanOut, newPoster, ...deps }: PumpDeps) {
  const { store, clock, log, load } = deps;
  const holder = randomUUID();
  const end = new AbortController();
  const lanes = new Map<number, Lane>();
  /** When this process last claimed endpoints, by `performance.now()`. */
  let heldAtMs = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;

  /** Returns the pause before the next poll. */
  async function look(): Promise<number> {
    let targets = await store.targets(holder, clock.date());
    if (targets.length === 0) return IDLE_MS;
    const startedMs = performance.now();
    if (startedMs - heldAtMs > RENEW_MS) {
      await store.hold(holder);
      heldAtMs = startedMs;
    }
    const hasNews = targets.some((one) => one.hasNews);
    // One transaction per poll, since claims must be renewed while a long backlog is numbered.
    const hasMore = hasNews && (await fanOut());
    if (hasNews) targets = await store.targets(holder, clock.date());
    for (const target of targets.filter(({ isHeld }) => isHeld)) {
      const { number } = target;
      const own = lanes.get(number) ?? lane(deps, newPoster());
      lanes.set(number, own);
      own.run(target, heldAtMs + HELD_MS);
    }
    for (const [number, own] of lanes) {
      if (targets.some((one) => one.isHeld && one.number === number)) continue;
      lanes.delete(number);
      void own.stop();
    }
    if (hasMore) return 0;
    return hasNews || targets.some(({ isHeld, hasWork }) => isHeld && hasWork) ? BUSY_MS : QUIET_MS;
  }

  async function runOn(): Promise<void> {
    const turn = load.backOff(end.signal);
    while (!end.signal.aborted) {
      const startedMs = performance.now();
      let pauseMs = IDLE_MS;
      try {
        pauseMs = await look();
        await turn(Math.min(performance.now() - startedMs, MOST_TAKEN_MS));
      } catch (error) {
        if (!end.signal.aborted) log.warn({ err: error }, 'webhooks could not be sent');
      }
      await sleep(pauseMs, undefined, { signal: end.signal }).catch(() => undefined);
    }
  }

  return {
    start: (): void => {
      running ??= runOn();
    },
    async stop(): Promise<void> {
      end.abort();
      await running;
      await Promise.all([...lanes.values()].map((own) => own.stop()));
      if (running) await store.release(holder).catch(() => undefined);
    },
  };
}
