import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Live, liveChannel } from '../../kernel/live/live.ts';
import { type Events, onExternal, type Subscription } from '../../kernel/messaging/events.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { userDeleted } from '../identity/contract.ts';
import { roomChanged } from './contract.ts';
import type { MembershipStore } from './memberships.store.ts';
import type { RoomStore } from './rooms.store.ts';

interface ErasingDeps {
  store: RoomStore;
  members: MembershipStore;
  database: Database;
  events: Events;
  live: Live;
  clock: Clock;
}

/**
 * Removes a deleted member from every room, with their mutes and bans. Their messages remain, without their name; their room
 * as an educator, which contains their name, is deleted.
 */
export function erasing({ store, members, database, events, live, clock }: ErasingDeps): Subscription {
  async function erase(userId: ObjectId): Promise<void> {
    while ((await database.transaction((tx) => members.leaveSome(tx, userId))) > 0);
    await members.forget(userId);
    const roomId = await store.ofEducator(userId);
    if (roomId === undefined) return;
    const at = new Date(clock.now());
    await database.transaction(async (tx) => {
      await store.update(roomId, { name: 'A former educator', description: '', rules: [] }, at, tx);
      await store.delete(tx, roomId, at);
      await events.publish(tx, roomChanged, { roomId });
    });
    await live.revoke(liveChannel.room(roomId), { reason: 'ROOM_DELETED' });
  }
  return onExternal(userDeleted, 'chat', ({ data }) => erase(data.userId));
}
