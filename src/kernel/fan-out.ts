import type { Cache } from './distributed/cache.ts';
import type { ObjectId } from './ids.ts';
import type { UserCaller } from './operations/callers.ts';
import { type Clock, HOUR_MS } from './time/time.ts';

/** Returns the message to authors whose record was stored without a notification. */
export const notAnnounced = (message: string): string =>
  `${message}; nobody was notified because you have reached your hourly limit`;

export interface FanOut {
  /**
   * Counts one more record of a kind by this author and returns whether everyone may be notified of it. The limit
   * applies to each kind separately, within any hour, over all processes.
   */
  admits(kind: string, author: UserCaller): Promise<boolean>;
}

/**
 * Limits how often one author may notify everyone. Beyond the limit, records are stored and listed as usual; only the
 * announcement is withheld.
 * @param maxPerHour the limit of an author
 */
export function fanOutLimit(
  cache: Pick<Cache, 'consumeSliding'>,
  clock: Clock,
  maxPerHour: (author: UserCaller) => number,
): FanOut {
  const keyOf = (kind: string, authorId: ObjectId): string => `fan-out:${kind}:${authorId}`;
  return {
    async admits(kind, author) {
      const perHour = { lengthMs: HOUR_MS, limit: maxPerHour(author) };
      return (await cache.consumeSliding(keyOf(kind, author.userId), perHour, clock.now())).admitted;
    },
  };
}
