import type { Database } from '../../kernel/database/database.ts';
import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { MEMBERS_AT_ONCE } from '../../kernel/live/live.ts';

/** A member of a room, and since when they may have notifications about it; null if they have none. */
export interface Notified {
  userId: ObjectId;
  notifiedSince: Date | null;
}

const note = statement<never>(
  'chat.note-notified',
  `update chat.member set notified_since = coalesce(notified_since, $3) where room_id = $1 and user_id = $2`,
);
const some = statement<Notified>(
  'chat.some-members',
  `select user_id as "userId", notified_since as "notifiedSince" from chat.member
   where room_id = $1 and is_member and user_id > $2 order by user_id limit ${MEMBERS_AT_ONCE}`,
);

/** SQL of telling the members of a room what becomes of it. */
export const tellingStore = (database: Database) => ({
  /** Records that a member of a room has notifications about it from now on. */
  note: async (tx: Transaction, roomId: ObjectId, userId: ObjectId, at: Date): Promise<void> => {
    await tx.execute(note, [roomId, userId, at]);
  },
  /** Returns the members of a room with ids after `after`, as many as one publication reaches. */
  someAfter: (roomId: ObjectId, after: string): Promise<Notified[]> => database.all(some, [roomId, after]),
});

export type TellingStore = ReturnType<typeof tellingStore>;
