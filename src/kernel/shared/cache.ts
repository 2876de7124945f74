import type { RateLimiter } from './rate-limiter.ts';

/** Short-lived values and counters that processes share, lost without harm. */
export interface Cache extends RateLimiter {
  get(key: string): Promise<string | undefined>;
  /** The value goes after `ttlMs`. */
  set(key: string, value: string, ttlMs: number): Promise<void>;
  delete(key: string): Promise<void>;
  close(): Promise<void>;
}
