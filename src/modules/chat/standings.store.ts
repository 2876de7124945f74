import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';

/** Maximum number of memberships and bans considered for one member. */
const MAX_STANDINGS = 5_000;

/** SQL of the search for rooms. */
export const standingStore = (database: Database) => ({
  async idsAfter(id: ObjectId, limit: number): Promise<ObjectId[]> {
    const rows = await database.all<{ id: ObjectId }>(
      'select id from chat.room where id > $1 and deleted_at is null order by id limit $2',
      [id, limit],
    );
    return rows.map((row) => row.id);
  },
  /** Returns the rooms that a member is in or banned from; served by member_rooms and member_bans. */
  standingOf: (userId: ObjectId): Promise<{ roomId: ObjectId; isMember: boolean }[]> =>
    database.all(
      `select room_id, is_member from chat.member
       where user_id = $1 and (is_member or banned_at is not null) order by room_id limit ${MAX_STANDINGS}`,
      [userId],
    ),
});

export type StandingStore = ReturnType<typeof standingStore>;
