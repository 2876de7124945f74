import type { Database } from '../../kernel/database/database.ts';
import { type Live, liveChannel } from '../../kernel/live/live.ts';
import { onExternal, onInTransaction, type Subscription } from '../../kernel/messaging/events.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { memberBlocked } from '../moderation/contract.ts';
import type { MembershipStore } from './memberships.store.ts';
import type { RoomStore } from './rooms.store.ts';
import type { Telling } from './telling.ts';

interface BlockingDeps {
  store: RoomStore;
  members: MembershipStore;
  telling: Pick<Telling, 'withdraw' | 'tellRemoved'>;
  database: Database;
  live: Live;
  clock: Clock;
}

/**
 * Bans a blocked member from every room of the blocker, and removes the blocker from rooms of the blocked member that
 * only the two are in. Later joins are rejected when they are attempted.
 */
export function blocking({ store, members, telling, database, live, clock }: BlockingDeps): Subscription[] {
  return [
    onInTransaction(memberBlocked, 'chat', async ({ data: { blockerId, blockedId } }, tx) => {
      // Joining and adding members also lock the room: each such change is either visible here, or sees the block.
      await store.lockOwn(tx, [blockerId, blockedId]);
      const { own, shared } = await members.roomsOfTwo(tx, blockerId, blockedId);
      // All rooms at once: nobody may keep others from blocking them by the number of their rooms.
      await telling.withdraw(tx, blockedId, await members.leaveAll(tx, own, blockedId));
      await members.banFromAll(tx, own, blockedId, clock.date());
      await telling.withdraw(tx, blockerId, await members.leaveAll(tx, shared, blockerId));
    }),
    onExternal(memberBlocked, 'chat-connections', async ({ data: { blockerId, blockedId } }) => {
      const roomIds = await members.bannedFrom(database, blockerId, blockedId);
      for (const roomId of roomIds)
        await live.revoke(liveChannel.room(roomId), { userId: blockedId, reason: 'BANNED' });
      await telling.tellRemoved(blockedId, roomIds, 'BANNED');
    }),
  ];
}
