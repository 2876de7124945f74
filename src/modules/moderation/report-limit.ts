import type { Core } from '../../kernel/core.ts';
import { tooManyRequests } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { HOUR_MS, SECOND_MS } from '../../kernel/time/time.ts';

/** How many reports a member can make, so that nobody fills the worklist of moderators alone. */
const REPORTS = { lengthMs: HOUR_MS, limit: 60 };

/** Returns what counts one more report of a member. @throws RATE_LIMIT_EXCEEDED */
export const reportLimit =
  ({ cache, clock }: Pick<Core, 'cache' | 'clock'>) =>
  async (userId: ObjectId): Promise<void> => {
    const nowMs = clock.now();
    const { admitted, retryAtMs } = await cache.consumeSliding(`reports:${userId}`, REPORTS, nowMs);
    if (!admitted)
      throw tooManyRequests('RATE_LIMIT_EXCEEDED', Math.max(1, Math.ceil((retryAtMs - nowMs) / SECOND_MS)));
  };
