import { LRUCache } from 'lru-cache';
import { type Clock, SECOND_MS } from '../../kernel/time.ts';
import type { PlaybackGrant } from './tokens.ts';

/** Requests of one viewer to one video a second, in the long run; playing takes less than one. */
const RATE_PER_SECOND = 10;
/** At once: what a player asks for that seeks to and fro, in every quality. */
const MAX_BURST = 600;
/** Viewers that are remembered; who is forgotten begins anew. */
const MAX_VIEWERS = 50_000;

interface Allowance {
  left: number;
  refilledAtMs: number;
}

/** Limits how fast one viewer may fetch one video, in each process by itself: a link that went round is of little use. */
export function playbackPace(clock: Clock) {
  const allowances = new LRUCache<string, Allowance>({ max: MAX_VIEWERS });

  /** Counts one more request. Returns after how many seconds the next one is admitted: 0 for this one. */
  return ({ videoId, viewerId }: PlaybackGrant): number => {
    const key = `${videoId}${viewerId}`;
    const nowMs = clock.now();
    const known = allowances.get(key) ?? { left: MAX_BURST, refilledAtMs: nowMs };
    const refill = (Math.max(0, nowMs - known.refilledAtMs) * RATE_PER_SECOND) / SECOND_MS;
    const left = Math.min(MAX_BURST, known.left + refill);
    allowances.set(key, { left: left < 1 ? left : left - 1, refilledAtMs: nowMs });
    return left < 1 ? Math.max(1, Math.ceil((1 - left) / RATE_PER_SECOND)) : 0;
  };
}
