import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Live, liveChannel } from '../../kernel/live/live.ts';
import type { Events } from '../../kernel/messaging/events.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { roomChanged, roomNotFound } from './contract.ts';
import { roomHasHistory } from './failures.ts';
import type { MessageStore } from './messages.store.ts';
import type { RoomView } from './room-access.ts';
import type { Room, RoomChanges } from './rooms.model.ts';
import type { RoomStore } from './rooms.store.ts';

interface RoomChangeDeps {
  store: RoomStore;
  messages: Pick<MessageStore, 'hasOthersThan'>;
  view: (room: Room, caller: UserCaller) => Promise<RoomView>;
  database: Database;
  events: Events;
  live: Live;
  clock: Clock;
}

/** Changes and deletion of chatrooms. */
export function roomChanges({ store, messages, view, database, events, live, clock }: RoomChangeDeps) {
  /** Checks that a room may become public: nobody else may have confided anything to it. @throws roomHasHistory */
  async function mayOpen(tx: Transaction, { id, type, createdBy, memberCount }: Room): Promise<void> {
    if (type === 'public') return;
    if (memberCount > 1 || (await messages.hasOthersThan(tx, id, createdBy))) throw roomHasHistory();
  }

  return {
    /** @throws roomNotFound, roomHasHistory */
    async update(roomId: ObjectId, changes: RoomChanges, caller: UserCaller): Promise<RoomView> {
      const room = await database.transaction(async (tx) => {
        // A concurrent message or membership either waits for this lock or is visible here.
        const [before] = await store.lock(tx, [roomId]);
        if (!before) throw roomNotFound();
        if (changes.type === 'public') await mayOpen(tx, before);
        const updated = await store.update(roomId, changes, clock.date(), tx);
        await events.publish(tx, roomChanged, { roomId });
        return updated;
      });
      if (!room) throw roomNotFound();
      // A public room may have become private, so that non-members lose access immediately.
      if (changes.type !== undefined && room.type !== 'public') await live.review(liveChannel.room(roomId));
      return view(room, caller);
    },
    async delete(roomId: ObjectId): Promise<void> {
      await database.transaction(async (tx) => {
        if (!(await store.delete(tx, roomId, clock.date()))) throw roomNotFound();
        await events.publish(tx, roomChanged, { roomId });
      });
      await live.revoke(liveChannel.room(roomId), { reason: 'ROOM_DELETED' });
    },
  };
}
