import { Type } from 'typebox';
import type { Core } from '../../kernel/core.ts';
import { type Live, liveChannel } from '../../kernel/live/live.ts';
import { onInTransaction, type Subscription } from '../../kernel/messaging/events.ts';
import { type Job, job, jobKind } from '../../kernel/messaging/jobs.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { memberBlocked } from '../moderation/contract.ts';
import type { MembershipStore } from './memberships.store.ts';
import type { RoomStore } from './rooms.store.ts';
import type { Telling } from './telling.ts';

/** Ends what a member sees of rooms that a block has taken them out of. */
const sendAway = jobKind('chat.send-away', {
  version: 1,
  data: Type.Object({ userId: ObjectIdShape, roomIds: Type.Array(ObjectIdShape), reason: Type.String() }),
});

interface BlockingDeps extends Pick<Core, 'jobs'> {
  store: Pick<RoomStore, 'lockOwn'>;
  members: Pick<MembershipStore, 'roomsOfTwo' | 'leaveAll' | 'banFromAll'>;
  telling: Pick<Telling, 'withdraw' | 'tellRemoved'>;
  live: Live;
  clock: Clock;
}

/**
 * Bans a blocked member from the rooms of the blocker that they are in, and removes the blocker from rooms of the blocked
 * member that only the two are in. Later joins are rejected when they are attempted.
 */
export function blocking({ store, members, telling, jobs, live, clock }: BlockingDeps): {
  subscriptions: Subscription[];
  jobs: Job[];
} {
  return {
    subscriptions: [
      onInTransaction(memberBlocked, 'chat', async ({ data: { blockerId, blockedId } }, tx) => {
        // Joining and adding members also lock the room: each such change is either visible here, or sees the block.
        await store.lockOwn(tx, [blockerId, blockedId]);
        const { own, shared } = await members.roomsOfTwo(tx, blockerId, blockedId);
        // All rooms at once: nobody may keep others from blocking them by the number of their rooms.
        await telling.withdraw(tx, blockedId, await members.leaveAll(tx, own, blockedId));
        await members.banFromAll(tx, own, blockedId, clock.date());
        await telling.withdraw(tx, blockerId, await members.leaveAll(tx, shared, blockerId));
        const parted = [
          { userId: blockedId, roomIds: own, reason: 'BANNED' },
          { userId: blockerId, roomIds: shared, reason: 'LEFT' },
        ].filter(({ roomIds }) => roomIds.length > 0);
        if (parted.length > 0) await jobs.enqueue(tx, sendAway, parted);
      }),
    ],
    jobs: [
      job(sendAway, {
        run: async ({ userId, roomIds, reason }) => {
          for (const roomId of roomIds) await live.revoke(liveChannel.room(roomId), { userId, reason });
          await telling.tellRemoved(userId, roomIds, reason);
        },
      }),
    ],
  };
}
