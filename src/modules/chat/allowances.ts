import type { Cache } from '../../kernel/distributed/cache.ts';
import { admitSliding } from '../../kernel/distributed/rate-limiter.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { holds } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { type Clock, HOUR_MS, MINUTE_MS } from '../../kernel/time/time.ts';
import { tooManyAdded, tooManyMessages, tooManyNewRooms, tooManyRestrictions } from './failures.ts';
import { isModerator } from './room-access.ts';

/** Messages of a member, over HTTP and the WebSocket together, in any period of this length; and edits, separately. */
export const RATE = { lengthMs: MINUTE_MS, limit: 100 };

/** Rate limits per member, separate for messages and for edits. */
export function allowances(cache: Cache, clock: Clock) {
  /** @throws tooManyMessages */
  return (what: 'message' | 'edit', userId: ObjectId): Promise<void> =>
    admitSliding(cache, `chat-${what}:${userId}`, RATE, { nowMs: clock.now(), refused: tooManyMessages });
}

export type Allowances = ReturnType<typeof allowances>;

/** Chatrooms that a member creates: everybody finds the public ones, and those who are added the others. */
export const NEW_ROOMS = { lengthMs: HOUR_MS, limit: 20 };
/** The same for educators, who open rooms for their courses. */
export const NEW_ROOMS_OF_EDUCATORS = { lengthMs: HOUR_MS, limit: 60 };
/** How often a member adds somebody to one of their chatrooms. */
export const ADDED_MEMBERS = { lengthMs: HOUR_MS, limit: 200 };

/** How often a member mutes or bans somebody in their chatrooms, or lifts that, of which those in them are told. */
export const RESTRICTED_MEMBERS = { lengthMs: HOUR_MS, limit: 200 };

/** Rate limits of creating chatrooms and of adding and restricting members; administrators and moderators have none. */
export const roomAllowances = (cache: Cache, clock: Clock) => ({
  /** @throws tooManyNewRooms */
  async takeRoom(caller: UserCaller): Promise<void> {
    if (isModerator(caller)) return;
    const limit = holds(caller, 'educator') ? NEW_ROOMS_OF_EDUCATORS : NEW_ROOMS;
    const options = { nowMs: clock.now(), refused: tooManyNewRooms };
    await admitSliding(cache, `new-chatrooms:${caller.userId}`, limit, options);
  },
  /** @throws tooManyAdded */
  async takeAdding(caller: UserCaller): Promise<void> {
    if (isModerator(caller)) return;
    const options = { nowMs: clock.now(), refused: tooManyAdded };
    await admitSliding(cache, `chatroom-members:${caller.userId}`, ADDED_MEMBERS, options);
  },
  /** @throws tooManyRestrictions */
  async takeRestricting(caller: UserCaller): Promise<void> {
    if (isModerator(caller)) return;
    const options = { nowMs: clock.now(), refused: tooManyRestrictions };
    await admitSliding(cache, `chatroom-restrictions:${caller.userId}`, RESTRICTED_MEMBERS, options);
  },
});

export type RoomAllowances = ReturnType<typeof roomAllowances>;
