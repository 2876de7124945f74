import type { Failure } from '../failures.ts';
import { SECOND_MS } from '../time/time.ts';

/** A limit on occurrences within a window aligned to the clock. */
export interface RateWindow {
  name: string;
  lengthMs: number;
  limit: number;
}

/** A limit on occurrences within any period of a given length. */
interface SlidingLimit {
  lengthMs: number;
  limit: number;
}

export interface WindowState {
  window: RateWindow;
  /** Further occurrences admitted in this window. */
  remaining: number;
  resetAtMs: number;
}

export interface Allowance {
  admitted: boolean;
  /** In the order of the request. */
  windows: WindowState[];
}

/** Counts occurrences against limits that all processes share. */
export interface RateLimiter {
  /**
   * Counts one more occurrence under the key in every window, or in none when any is full. Windows are aligned to the
   * clock (a minute begins at :00), so that all processes agree on them.
   * @param count number of occurrences to count, all or none; 1 by default
   */
  consume(key: string, windows: RateWindow[], nowMs: number, count?: number): Promise<Allowance>;
  /**
   * Counts one more occurrence under the key unless `limit` of them occurred within the last `lengthMs`; no period of
   * that length ever exceeds the limit. When rejected, returns when the next one is admitted.
   */
  consumeSliding(
    key: string,
    limit: SlidingLimit,
    nowMs: number,
  ): Promise<{ admitted: boolean; retryAtMs: number }>;
  /** Reverses the counting of an occurrence. */
  refund(key: string, windows: RateWindow[], nowMs: number): Promise<void>;
}

export const windowStart = ({ lengthMs }: RateWindow, nowMs: number): number => nowMs - (nowMs % lengthMs);

/** Returns the seconds until a rejected occurrence would be admitted, at least one. */
export const secondsUntil = ({ windows }: Allowance, nowMs: number): number =>
  Math.max(1, ...windows.map(({ resetAtMs }) => Math.ceil((resetAtMs - nowMs) / SECOND_MS)));

interface SlidingRefusal {
  nowMs: number;
  /** Makes the failure from the seconds until the next occurrence is admitted, at least one. */
  refused: (retryAfterSeconds: number) => Failure;
}

/** Counts one more occurrence as {@link RateLimiter.consumeSliding}. @throws the failure that `refused` makes */
export async function admitSliding(
  limiter: Pick<RateLimiter, 'consumeSliding'>,
  key: string,
  limit: SlidingLimit,
  { nowMs, refused }: SlidingRefusal,
): Promise<void> {
  const { admitted, retryAtMs } = await limiter.consumeSliding(key, limit, nowMs);
  if (!admitted) throw refused(Math.max(1, Math.ceil((retryAtMs - nowMs) / SECOND_MS)));
}
