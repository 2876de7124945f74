import type { Cache } from '../../kernel/distributed/cache.ts';
import { admitSliding } from '../../kernel/distributed/rate-limiter.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Clock, MINUTE_MS } from '../../kernel/time/time.ts';
import { tooManyMessages } from './failures.ts';

/** Messages of a member, over HTTP and the WebSocket together, in any period of this length; and edits, separately. */
export const RATE = { lengthMs: MINUTE_MS, limit: 100 };

/** Rate limits per member, separate for messages and for edits. */
export function allowances(cache: Cache, clock: Clock) {
  /** @throws tooManyMessages */
  return (what: 'message' | 'edit', userId: ObjectId): Promise<void> =>
    admitSliding(cache, `chat-${what}:${userId}`, RATE, { nowMs: clock.now(), refused: tooManyMessages });
}

export type Allowances = ReturnType<typeof allowances>;
