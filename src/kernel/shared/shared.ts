/** A limit on how often something may happen within a stretch of time. */
export interface Window {
  name: string;
  lengthMs: number;
  limit: number;
}

/** A limit on how often something may happen within any stretch of a length. */
interface SlidingLimit {
  lengthMs: number;
  limit: number;
}

export interface WindowState {
  window: Window;
  /** How often it may happen again before the window ends. */
  remaining: number;
  resetAtMs: number;
}

interface Allowance {
  admitted: boolean;
  /** In the order asked. */
  windows: WindowState[];
}

/** Short-lived values that processes share, lost without harm. */
export interface Cache {
  get(key: string): Promise<string | undefined>;
  /** The value goes after `ttlMs`. */
  set(key: string, value: string, ttlMs: number): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Counts one more occurrence under the key in every window, or in none when any is full.
   * Windows stand on the clock (a minute begins at :00), so that all processes agree on them.
   */
  admit(key: string, windows: Window[], nowMs: number): Promise<Allowance>;
  /**
   * Counts one more occurrence under the key unless there were `limit` within the last `lengthMs`: wherever a stretch of
   * that length begins, it has no more. Otherwise says when the next one is admitted.
   */
  admitWithin(
    key: string,
    limit: SlidingLimit,
    nowMs: number,
  ): Promise<{ admitted: boolean; retryAtMs: number }>;
  /** Takes back an occurrence that was counted and, as it turned out, should not have been. */
  giveBack(key: string, windows: Window[], nowMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Messages between processes: at most once, to whoever listens at that moment. */
export interface Bus {
  publish(channel: string, message: string): Promise<void>;
  /** @returns a function that ends the subscription */
  subscribe(channel: string, receive: (message: string) => void): Promise<() => Promise<void>>;
  /** Whether messages reach the other processes just now; in one process alone, always. */
  isWhole(): boolean;
  /** Calls back whenever they do again: what was published meanwhile was missed. */
  onHealed(callback: () => void): void;
  close(): Promise<void>;
}

export const windowStart = ({ lengthMs }: Window, nowMs: number): number => nowMs - (nowMs % lengthMs);
