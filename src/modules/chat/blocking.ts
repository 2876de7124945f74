import type { Database } from '../../kernel/database/database.ts';
import { type Live, liveChannel } from '../../kernel/live/live.ts';
import { onExternal, onInTransaction, type Subscription } from '../../kernel/messaging/events.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { memberBlocked } from '../moderation/contract.ts';
import type { MembershipStore } from './memberships.store.ts';
import type { RoomStore } from './rooms.store.ts';

interface BlockingDeps {
  store: RoomStore;
  members: MembershipStore;
  database: Database;
  live: Live;
  clock: Clock;
}

/**
 * Bans a blocked member from every room of the blocker, and removes the blocker from rooms of the blocked member that
 * only the two are in. Later joins are rejected when they are attempted.
 */
export function blocking({ store, members, database, live, clock }: BlockingDeps): Subscription[] {
  return [
    onInTransaction(memberBlocked, 'chat', async ({ data: { blockerId, blockedId } }, tx) => {
      // Joining and adding members also lock the room: each such change is either visible here, or sees the block.
      await store.lockOwn(tx, [blockerId, blockedId]);
      const { own, shared } = await members.roomsOfTwo(tx, blockerId, blockedId);
      // All rooms at once: nobody may keep others from blocking them by the number of their rooms.
      await members.leaveAll(tx, own, blockedId);
      await members.banFromAll(tx, own, blockedId, clock.date());
      await members.leaveAll(tx, shared, blockerId);
    }),
    onExternal(memberBlocked, 'chat-connections', async ({ data: { blockerId, blockedId } }) => {
      for (const roomId of await members.bannedFrom(database, blockerId, blockedId))
        await live.revoke(liveChannel.room(roomId), { userId: blockedId, reason: 'BANNED' });
    }),
  ];
}
