import type { ObjectId } from './ids.ts';
import { holds } from './operations/access.ts';
import type { UserCaller } from './operations/callers.ts';
import type { Cache } from './shared/cache.ts';
import { type Clock, HOUR_MS } from './time.ts';

/** What goes to everybody: those who are connected, and those who follow the topic. */
type FanOutKind = 'trades' | 'livestreams' | 'posts';

const MAX_OF_MEMBER = 20;
const MAX_OF_EDUCATOR = 60;

/** What authors are answered when theirs was stored, and nobody was told of it. */
export const notAnnounced = (message: string): string =>
  `${message}; nobody was notified, as you have reached your limit for this hour`;

export interface FanOut {
  /**
   * Counts one more thing of this author, and answers whether everybody is to be told of it: of each kind 20 within any
   * hour, 60 for educators and administrators, in all processes together.
   */
  admits(kind: FanOutKind, author: UserCaller): Promise<boolean>;
}

/**
 * Keeps one member from making everybody's phone ring at will. Beyond the limit things are stored as ever, and stand in
 * the lists; what is withheld is the news of them.
 */
export function fanOutLimit(cache: Pick<Cache, 'consumeSliding'>, clock: Clock): FanOut {
  const keyOf = (kind: FanOutKind, authorId: ObjectId): string => `fan-out:${kind}:${authorId}`;
  return {
    async admits(kind, author) {
      const limit = holds(author, 'educator') ? MAX_OF_EDUCATOR : MAX_OF_MEMBER;
      const perHour = { lengthMs: HOUR_MS, limit };
      return (await cache.consumeSliding(keyOf(kind, author.userId), perHour, clock.now())).admitted;
    },
  };
}
