import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';

/** Rooms that one member is found to be in, or banned from, at most. */
const MAX_STANDINGS = 5_000;

/** SQL of what search asks about rooms. */
export const standingStore = (database: Database) => ({
  async idsAfter(id: ObjectId, limit: number): Promise<ObjectId[]> {
    const rows = await database.all<{ id: ObjectId }>(
      'select id from chat.room where id > $1 and deleted_at is null order by id limit $2',
      [id, limit],
    );
    return rows.map((row) => row.id);
  },
  /** The rooms that a member is in, and those that they are banned from; served by member_rooms and member_bans. */
  standingOf: (userId: ObjectId): Promise<{ roomId: ObjectId; isMember: boolean }[]> =>
    database.all(
      `select room_id, is_member from chat.member
       where user_id = $1 and (is_member or banned_at is not null) order by room_id limit ${MAX_STANDINGS}`,
      [userId],
    ),
});

export type StandingStore = ReturnType<typeof standingStore>;
