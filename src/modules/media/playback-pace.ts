import { recentlyUsed } from '../../kernel/concurrency/recently-used.ts';
import { type Clock, SECOND_MS } from '../../kernel/time/time.ts';
import type { PlaybackGrant } from './tokens.ts';

/** Sustained requests per second of one viewer to one video; playing needs less than one. */
const RATE_PER_SECOND = 10;
/** Burst size: covers a player that seeks back and forth in every quality. */
const MAX_BURST = 600;
/** Maximum number of viewers tracked; an evicted viewer has a full allowance again. */
const MAX_VIEWERS = 50_000;

interface Allowance {
  left: number;
  refilledAtMs: number;
}

/** Limits how fast one viewer may fetch one video, per process, so that a shared link is of little use. */
export function playbackPace(clock: Clock) {
  const allowances = recentlyUsed<string, Allowance>(MAX_VIEWERS);

  /** Counts a request. Returns 0 if it is admitted, otherwise the seconds until the next one will be. */
  return ({ videoId, viewerId }: PlaybackGrant): number => {
    const key = `${videoId}${viewerId}`;
    const nowMs = clock.elapsedMs();
    const allowance = allowances.get(key) ?? { left: MAX_BURST, refilledAtMs: nowMs };
    const refill = ((nowMs - allowance.refilledAtMs) * RATE_PER_SECOND) / SECOND_MS;
    const left = Math.min(MAX_BURST, allowance.left + refill);
    allowances.set(key, { left: left < 1 ? left : left - 1, refilledAtMs: nowMs });
    return left < 1 ? Math.max(1, Math.ceil((1 - left) / RATE_PER_SECOND)) : 0;
  };
}
