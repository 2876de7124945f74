/** A limit on how often something may happen within a window that stands on the clock. */
export interface RateWindow {
  name: string;
  lengthMs: number;
  limit: number;
}

/** A limit on how often something may happen within any period of a length, wherever it begins. */
interface SlidingLimit {
  lengthMs: number;
  limit: number;
}

export interface WindowState {
  window: RateWindow;
  /** How often it may happen again before the window ends. */
  remaining: number;
  resetAtMs: number;
}

interface Allowance {
  admitted: boolean;
  /** In the order asked. */
  windows: WindowState[];
}

/** Counts occurrences against limits that all processes share. */
export interface RateLimiter {
  /**
   * Counts one more occurrence under the key in every window, or in none when any is full.
   * Windows stand on the clock (a minute begins at :00), so that all processes agree on them.
   */
  consume(key: string, windows: RateWindow[], nowMs: number): Promise<Allowance>;
  /**
   * Counts one more occurrence under the key unless there were `limit` within the last `lengthMs`: wherever a period of
   * that length begins, it has no more. Otherwise says when the next one is admitted.
   */
  consumeSliding(
    key: string,
    limit: SlidingLimit,
    nowMs: number,
  ): Promise<{ admitted: boolean; retryAtMs: number }>;
  /** Takes back an occurrence that was counted and, as it turned out, should not have been. */
  refund(key: string, windows: RateWindow[], nowMs: number): Promise<void>;
}

export const windowStart = ({ lengthMs }: RateWindow, nowMs: number): number => nowMs - (nowMs % lengthMs);
