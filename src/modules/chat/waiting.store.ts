import type { Database } from '../../kernel/database/database.ts';
import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';

/** Members told by one transaction. */
export const TOLD_AT_ONCE = 500;

export interface Told {
  userId: ObjectId;
  /** The author of the newest message that waits. */
  fromUserId: ObjectId;
}

/**
 * Those who have unread messages of others, and were not told since they last read. Served by the primary key of members
 * and by message_listing.
 */
const tell = statement<Told>(
  'chat.tell-waiting',
  `with waiting as (
     select member.user_id, newest.user_id as from_user_id
     from chat.member cross join lateral (
       select user_id from chat.message
       where room_id = $1 and seq > member.read_seq and deleted_at is null and user_id <> member.user_id
       order by seq desc limit 1) newest
     where room_id = $1 and is_member and not is_quiet and (told_seq is null or told_seq <= read_seq)
       and member.user_id <> all($2) and member.user_id > $4
     order by member.user_id limit ${TOLD_AT_ONCE}
     for update of member)
   update chat.member told
   set told_seq = (select last_seq from chat.room where id = $1), told_at = $3,
     notified_since = coalesce(notified_since, $3)
   from waiting where told.room_id = $1 and told.user_id = waiting.user_id
   returning told.user_id as "userId", waiting.from_user_id as "fromUserId"`,
);
const forget = statement<{ toldAt: Date }>(
  'chat.forget-told',
  `update chat.member set told_seq = null where room_id = $1 and user_id = $2 and told_seq <= read_seq
   returning told_at as "toldAt"`,
);
const untell = statement<never>(
  'chat.untell-waiting',
  'update chat.member set told_seq = null where room_id = $1 and user_id = any($2)',
);
const quieten = statement<{ isQuiet: boolean }>(
  'chat.quieten',
  `update chat.member set is_quiet = $3 where room_id = $1 and user_id = $2 and is_member returning is_quiet as "isQuiet"`,
);

/** SQL of telling members of messages that wait for them. */
export const waitingStore = (database: Database) => ({
  /**
   * Records that members are told now, the first of those with ids after `after` to whom it applies, except the present
   * ones; returns them.
   */
  tell: (
    tx: Transaction,
    roomId: ObjectId,
    { present, after }: { present: ObjectId[]; after: string },
    at: Date,
  ): Promise<Told[]> => tx.all(tell, [roomId, present, at, after]),
  /** Records that these members were not told after all. */
  untell: async (tx: Transaction, roomId: ObjectId, userIds: ObjectId[]): Promise<void> => {
    await tx.execute(untell, [roomId, userIds]);
  },
  /** Forgets that a member was told, if they have read all that there was then; returns when they were. */
  forget: async (tx: Transaction, roomId: ObjectId, userId: ObjectId): Promise<Date | undefined> =>
    (await tx.first(forget, [roomId, userId]))?.toldAt,
  /** Records whether a member of a room wants to be told; returns false for others. */
  quieten: async (roomId: ObjectId, userId: ObjectId, isQuiet: boolean): Promise<boolean> =>
    (await database.first(quieten, [roomId, userId, isQuiet])) !== undefined,
});

export type WaitingStore = ReturnType<typeof waitingStore>;
