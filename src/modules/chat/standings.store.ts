import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { SHOWN_ROOMS } from './rooms.model.ts';

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
  /** Returns the rooms in which a member is muted at an instant; served by member_mutes. */
  mutedIn: (userId: ObjectId, at: Date): Promise<{ roomId: ObjectId; name: string; until: Date }[]> =>
    database.all(
      `select member.room_id, room.name, member.muted_until as until
       from chat.member join chat.room on room.id = member.room_id and room.deleted_at is null
       where member.user_id = $1 and member.muted_until is not null and member.muted_until > $2
       order by member.room_id desc limit ${SHOWN_ROOMS}`,
      [userId, at],
    ),
  /** Returns the rooms from which a member is banned; served by member_bans. */
  bannedFrom: (userId: ObjectId): Promise<{ roomId: ObjectId; name: string; since: Date }[]> =>
    database.all(
      `select member.room_id, room.name, member.banned_at as since
       from chat.member join chat.room on room.id = member.room_id and room.deleted_at is null
       where member.user_id = $1 and member.banned_at is not null
       order by member.room_id desc limit ${SHOWN_ROOMS}`,
      [userId],
    ),
});

export type StandingStore = ReturnType<typeof standingStore>;
