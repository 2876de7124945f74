import type { Cache } from '../../kernel/distributed/cache.ts';
import type { RateWindow, WindowState } from '../../kernel/distributed/rate-limiter.ts';
import { type Failure, tooManyRequests } from '../../kernel/failures.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/time/time.ts';

/** A type rather than an interface, so that it is assignable to general header types. */
type RateHeaders = {
  'x-ratelimit-limit': number;
  'x-ratelimit-remaining': number;
  'x-ratelimit-reset': number;
};

export interface RateVerdict {
  headers: RateHeaders;
  refusal?: Failure;
}

/** The value of the headers when there is no limit. */
const NO_LIMIT = 2_147_483_647;

/** Returns the window with the smallest fraction left; of equals, the one that ends later. */
function tightest(states: WindowState[]): WindowState {
  return states.reduce((worst, state) => {
    const difference = state.remaining / state.window.limit - worst.remaining / worst.window.limit;
    if (difference !== 0) return difference < 0 ? state : worst;
    return state.resetAtMs > worst.resetAtMs ? state : worst;
  });
}

export function rateLimits(cache: Cache, clock: Clock) {
  return {
    unlimited(): RateVerdict {
      const resetAt = Math.ceil((clock.now() + MINUTE_MS) / SECOND_MS);
      return {
        headers: {
          'x-ratelimit-limit': NO_LIMIT,
          'x-ratelimit-remaining': NO_LIMIT,
          'x-ratelimit-reset': resetAt,
        },
      };
    },
    /** Counts one request of this caller, unless a window is full. */
    async take(caller: string, windows: RateWindow[]): Promise<RateVerdict> {
      const nowMs = clock.now();
      const allowance = await cache.consume(caller, windows, nowMs);
      const state = tightest(allowance.windows);
      const headers: RateHeaders = {
        'x-ratelimit-limit': state.window.limit,
        'x-ratelimit-remaining': state.remaining,
        'x-ratelimit-reset': Math.ceil(state.resetAtMs / SECOND_MS),
      };
      if (allowance.admitted) return { headers };
      const retryAfterSeconds = Math.max(1, Math.ceil((state.resetAtMs - nowMs) / SECOND_MS));
      return { headers, refusal: rateLimitExceeded(retryAfterSeconds) };
    },
  };
}

export type RateLimits = ReturnType<typeof rateLimits>;

export const rateLimitExceeded = (retryAfterSeconds: number): Failure =>
  tooManyRequests('RATE_LIMIT_EXCEEDED', retryAfterSeconds);
