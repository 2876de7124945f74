import type { Core } from '../../kernel/core.ts';
import { holds } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { HOUR_MS } from '../../kernel/time/time.ts';
import { ANNOUNCED_PER_HOUR, type FanOut } from './contract.ts';

/** Counts in the cache the records of which authors notify others. */
export function fanOutLimit({ cache, clock }: Pick<Core, 'cache' | 'clock'>): FanOut {
  async function admits(kind: string, author: UserCaller): Promise<boolean> {
    const limit = ANNOUNCED_PER_HOUR[holds(author, 'educator') ? 'educator' : 'member'];
    const key = `fan-out:${kind}:${author.userId}`;
    return (await cache.consumeSliding(key, { lengthMs: HOUR_MS, limit }, clock.now())).admitted;
  }
  return {
    admits,
    admitsChange: async (kind, by, ownerId) =>
      (by.userId !== ownerId && holds(by, 'moderator')) || admits(kind, by),
  };
}
