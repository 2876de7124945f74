import { batching } from '../../kernel/concurrency/batching.ts';
import { serviceUnavailable } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { MembershipStore } from './memberships.store.ts';
import { isModerator } from './room-access.ts';
import type { Membership } from './rooms.model.ts';

interface Asked {
  roomId: ObjectId;
  userId: ObjectId;
}

interface MutingDeps {
  members: Pick<MembershipStore, 'find'>;
  moderation: Pick<Moderation, 'mutedAmong'>;
  clock: Clock;
}

/** Checks whether members may write in rooms; concurrent checks share one query. */
export function muting({ members, moderation, clock }: MutingDeps) {
  const membershipOf = batching<Asked, Membership | undefined>(
    async (lookups) => {
      const memberships = new Map((await members.find(lookups)).map((one) => [one.roomId + one.userId, one]));
      return lookups.map(({ roomId, userId }) => memberships.get(roomId + userId));
    },
    { maxSize: 500, concurrency: 2, maxQueued: 20_000, onOverflow: serviceUnavailable },
  );

  const isMutedEverywhere = batching<ObjectId, boolean>(
    async (userIds) => {
      const muted = await moderation.mutedAmong([...new Set(userIds)]);
      return userIds.map((userId) => muted.has(userId));
    },
    { maxSize: 500, concurrency: 2, maxQueued: 20_000, onOverflow: serviceUnavailable },
  );

  /** Returns whether a member is muted in a room or everywhere, or banned from it; moderators never are. */
  return async (roomId: ObjectId, caller: UserCaller): Promise<boolean> => {
    if (isModerator(caller)) return false;
    const [membership, isMuted] = await Promise.all([
      membershipOf({ roomId, userId: caller.userId }),
      isMutedEverywhere(caller.userId),
    ]);
    if (isMuted) return true;
    if (membership?.bannedAt) return true;
    return membership?.mutedUntil ? membership.mutedUntil > clock.date() : false;
  };
}
