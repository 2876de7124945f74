import { recentlyUsed } from '../concurrency/recently-used.ts';
import { type Clock, SECOND_MS } from './time.ts';

const MAX_KINDS = 1_000;

/**
 * Admits one line of each kind per second. Returns the number of lines of the kind that were omitted since its last
 * line, or undefined if this one is omitted as well.
 */
export function oncePerSecond(clock: Clock): (kind: string) => number | undefined {
  const kinds = recentlyUsed<string, { atMs: number; leftOut: number }>(MAX_KINDS);
  return (kind) => {
    const nowMs = clock.elapsedMs();
    const last = kinds.get(kind);
    if (last && nowMs - last.atMs < SECOND_MS) {
      last.leftOut++;
      return undefined;
    }
    kinds.set(kind, { atMs: nowMs, leftOut: 0 });
    return last?.leftOut ?? 0;
  };
}
