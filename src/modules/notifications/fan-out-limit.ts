import type { Core } from '../../kernel/core.ts';
import { holds } from '../../kernel/operations/access.ts';
import { HOUR_MS } from '../../kernel/time/time.ts';
import type { FanOut } from './contract.ts';

/** Records of each kind per hour of which an author may notify everyone. */
const MAX_PER_HOUR = { member: 20, educator: 60 };

/** Counts in the cache what authors notify everyone of. */
export const fanOutLimit = ({ cache, clock }: Pick<Core, 'cache' | 'clock'>): FanOut => ({
  async admits(kind, author) {
    const limit = MAX_PER_HOUR[holds(author, 'educator') ? 'educator' : 'member'];
    const key = `fan-out:${kind}:${author.userId}`;
    return (await cache.consumeSliding(key, { lengthMs: HOUR_MS, limit }, clock.now())).admitted;
  },
});
