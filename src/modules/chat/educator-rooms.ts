import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Chat, roomChanged } from './contract.ts';
import type { MembershipStore } from './memberships.store.ts';
import type { RoomStore } from './rooms.store.ts';
import type { Telling } from './telling.ts';

interface EducatorRoomDeps extends Pick<Core, 'database' | 'events' | 'clock' | 'newId'> {
  store: Pick<RoomStore, 'ofEducator' | 'insert' | 'claim' | 'renameOfEducator'>;
  members: Pick<MembershipStore, 'join'>;
  telling: Pick<Telling, 'tellAll'>;
}

/** The room of each educator, which is named after them until they give it a name of their own. */
export function educatorRooms({
  store,
  members,
  telling,
  database,
  events,
  clock,
  newId,
}: EducatorRoomDeps): Pick<Chat, 'roomOfEducator' | 'renameRoomOfEducator'> {
  /** Serializes the creation of an educator's room with changes of their name. */
  const lock = (tx: Transaction, educatorId: ObjectId): Promise<void> =>
    tx.lock('chat.educator-room', educatorId);

  return {
    async roomOfEducator(educatorId, nameOf) {
      const existing = await store.ofEducator(educatorId);
      if (existing) return existing;
      return database.transaction(async (tx) => {
        await lock(tx, educatorId);
        const other = await store.ofEducator(educatorId, tx);
        if (other) return other;
        const [id, name, at] = [newId(), await nameOf(tx), clock.date()];
        const draft = { id, name, description: '', type: 'public' as const, createdBy: educatorId };
        await store.insert(tx, draft, at);
        await store.claim(tx, id, educatorId);
        await members.join(tx, [{ roomId: id, userId: educatorId }], at);
        await events.publish(tx, roomChanged, { roomId: id });
        return id;
      });
    },
    async renameRoomOfEducator(tx, educatorId, names) {
      await lock(tx, educatorId);
      const roomId = await store.renameOfEducator(tx, educatorId, names, clock.date());
      if (roomId === undefined) return;
      await events.publish(tx, roomChanged, { roomId });
      await telling.tellAll(tx, roomId);
    },
  };
}
