import type { RateLimiter } from './rate-limiter.ts';

/** Short-lived values and counters that processes share and may lose without harm. */
export interface Cache extends RateLimiter {
  get(key: string): Promise<string | undefined>;
  /** Stores a value that expires after `ttlMs`. */
  set(key: string, value: string, ttlMs: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** Whether processes currently share it; always true for a single process. */
  isConnected(): boolean;
  close(): Promise<void>;
}
