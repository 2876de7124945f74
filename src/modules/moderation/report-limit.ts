import type { Core } from '../../kernel/core.ts';
import { admitSliding } from '../../kernel/distributed/rate-limiter.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { HOUR_MS } from '../../kernel/time/time.ts';
import { tooManyReports } from './contract.ts';

/** How many reports a member can make, so that nobody fills the worklist of moderators alone. */
const REPORTS = { lengthMs: HOUR_MS, limit: 60 };

/** Returns what counts one more report of a member. @throws tooManyReports */
export const reportLimit =
  ({ cache, clock }: Pick<Core, 'cache' | 'clock'>) =>
  (userId: ObjectId): Promise<void> =>
    admitSliding(cache, `reports:${userId}`, REPORTS, {
      nowMs: clock.now(),
      refused: tooManyReports,
    });
