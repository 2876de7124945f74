import type { Cache } from '../../kernel/distributed/cache.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/time/time.ts';
import { tooManyMessages } from './failures.ts';

/** Messages of a member, over HTTP and the WebSocket together, in any period of this length; and edits, separately. */
export const RATE = { lengthMs: MINUTE_MS, limit: 100 };

/** Rate limits per member, separate for messages and for edits. */
export function allowances(cache: Cache, clock: Clock) {
  /** @throws tooManyMessages */
  return async (what: 'message' | 'edit', userId: ObjectId): Promise<void> => {
    const nowMs = clock.now();
    const { admitted, retryAtMs } = await cache.consumeSliding(`chat-${what}:${userId}`, RATE, nowMs);
    if (!admitted) throw tooManyMessages(Math.max(1, Math.ceil((retryAtMs - nowMs) / SECOND_MS)));
  };
}

export type Allowances = ReturnType<typeof allowances>;
