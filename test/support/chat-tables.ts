import { after } from 'node:test';
import { openDatabase } from '../../src/kernel/database/database.ts';
import type { Transaction } from '../../src/kernel/database/queries.ts';
import { idMaker, type ObjectId } from '../../src/kernel/ids.ts';
import { systemClock } from '../../src/kernel/time/time.ts';
import { membershipStore } from '../../src/modules/chat/memberships.store.ts';
import { messageStore } from '../../src/modules/chat/messages.store.ts';
import type { RoomType } from '../../src/modules/chat/rooms.model.ts';
import { roomStore } from '../../src/modules/chat/rooms.store.ts';
import { newDatabase } from './databases.ts';

/** The instant at which the tests of chat tables act, and others so many milliseconds after it. */
export const AT = new Date();
export const at = (ms: number): Date => new Date(AT.getTime() + ms);
export const idsOf = (all: { id: ObjectId }[]) => all.map(({ id }) => id);

/** The tables of the chat in a database of this test file, without a platform around them. */
export async function chatTables() {
  const { url, drop } = await newDatabase();
  const database = openDatabase({ url, connections: 3, onBackgroundError: () => undefined });
  after(async () => {
    await database.close();
    await drop();
  });
  const [rooms, members, messages] = [roomStore(database), membershipStore(database), messageStore(database)];
  const within = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => database.transaction(work);
  const newId = idMaker(systemClock);
  let said = 0;

  return {
    database,
    rooms,
    members,
    messages,
    within,
    newId,
    async newRoom(createdBy: ObjectId, type: RoomType = 'public', name = 'Gold'): Promise<ObjectId> {
      const id = newId();
      await within(async (tx) => {
        await rooms.insert(tx, { id, name, description: 'About gold', type, createdBy }, AT);
        await members.join(tx, [{ roomId: id, userId: createdBy }], AT);
      });
      return id;
    },
    join: (roomId: ObjectId, ...userIds: ObjectId[]) =>
      members.join(
        database,
        userIds.map((userId) => ({ roomId, userId })),
        AT,
      ),
    leave: async (roomId: ObjectId, userId: ObjectId): Promise<boolean> =>
      (await within((tx) => members.leaveAll(tx, [roomId], userId))).length > 0,
    ban: (roomId: ObjectId, userId: ObjectId, since: Date | null = AT) =>
      within((tx) => members.ban(tx, roomId, userId, since)),
    mute: (roomId: ObjectId, userId: ObjectId, until: Date | null) =>
      within((tx) => members.mute(tx, roomId, userId, until)),
    remove: (roomId: ObjectId) => within((tx) => rooms.delete(tx, roomId, AT)),
    membership: async (roomId: ObjectId, userId: ObjectId) => (await members.find([{ roomId, userId }]))[0],
    /** Sends messages of a member, with the next event numbers of the room; returns their ids. */
    async say(roomId: ObjectId, userId: ObjectId, texts: string[], sentAt = AT): Promise<ObjectId[]> {
      const { lastSeq = 0 } = (await rooms.find(roomId)) ?? {};
      const all = texts.map((message, place) => ({
        id: newId(),
        roomId,
        userId,
        message,
        seq: lastSeq + 1 + place,
        clientId: `c${++said}`,
      }));
      await within(async (tx) => messages.insert(tx, all, sentAt));
      return idsOf(all);
    },
  };
}
