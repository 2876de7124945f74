import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { MAX_RECEIVED_ROOMS } from './rooms.model.ts';

/** How many of the members who have been in a room for longest are considered as its next owners. */
const CANDIDATES = 20;
/** Rooms that one statement looks at. */
const LOOKED_AT_ONCE = 1_000;

/** SQL of who owns rooms. */
export const ownerStore = (database: Database) => ({
  /** Returns some of the rooms that a member owns, in id order; served by member_rooms. */
  async someOf(userId: ObjectId, limit: number): Promise<ObjectId[]> {
    const rows = await database.all<{ id: ObjectId }>(
      `select room.id from chat.member join chat.room on room.id = member.room_id
       where member.user_id = $1 and member.is_member and room.created_by = $1 and room.deleted_at is null
       order by member.room_id limit $2`,
      [userId, limit],
    );
    return rows.map(({ id }) => id);
  },

  /**
   * Looks at the next few rooms after an id; returns those whose owner is not in them, and the last id, which is undefined if
   * there are no further ones.
   */
  async someAfter(id: ObjectId | ''): Promise<{ orphans: ObjectId[]; last: ObjectId | undefined }> {
    const rows = await database.all<{ id: ObjectId; isOrphan: boolean }>(
      `select id, deleted_at is null and educator_id is null and not exists (
         select from chat.member where room_id = room.id and user_id = created_by and is_member) as is_orphan
       from chat.room where id > $1 order by id limit ${LOOKED_AT_ONCE}`,
      [id],
    );
    const orphans = rows.filter(({ isOrphan }) => isOrphan).map(({ id }) => id);
    return { orphans, last: rows[LOOKED_AT_ONCE - 1]?.id };
  },

  /**
   * Returns some of those who have been in a room for longest, except its owner and members who own many rooms already; those
   * who are muted there come last.
   */
  async heirsOf(tx: Transaction, roomId: ObjectId, ownerId: ObjectId, at: Date): Promise<ObjectId[]> {
    const rows = await tx.all<{ userId: ObjectId }>(
      `select user_id from (
         select user_id, joined_at, coalesce(muted_until > $3, false) as is_muted from chat.member
         where room_id = $1 and is_member and user_id <> $2
         order by is_muted, joined_at, user_id limit ${CANDIDATES}) candidate
       where (select count(*) from chat.member own join chat.room on room.id = own.room_id
         where own.user_id = candidate.user_id and own.is_member and room.created_by = own.user_id
           and room.deleted_at is null) < ${MAX_RECEIVED_ROOMS}
       order by is_muted, joined_at, user_id`,
      [roomId, ownerId, at],
    );
    return rows.map(({ userId }) => userId);
  },

  /** Makes a member the owner of a room, which `tx` must have locked; returns whether it is no educator's own room. */
  async handOn(tx: Transaction, roomId: ObjectId, userId: ObjectId, at: Date): Promise<boolean> {
    const handed = await tx.execute(
      'update chat.room set created_by = $2, updated_at = $3 where id = $1 and educator_id is null returning id',
      [roomId, userId, at],
    );
    // Owners write whenever they like, and nobody could lift the mute of one.
    if (handed > 0)
      await tx.execute('update chat.member set muted_until = null where room_id = $1 and user_id = $2', [
        roomId,
        userId,
      ]);
    return handed > 0;
  },

  /** Deletes a room with its texts, which are its owner's own; a deleted one stays as it is. */
  async forget(tx: Transaction, id: ObjectId, name: string, at: Date): Promise<void> {
    await tx.execute(
      `update chat.room set name = $2, description = '', rules = '{}', updated_at = $3, deleted_at = $3
       where id = $1 and deleted_at is null`,
      [id, name, at],
    );
  },
});

export type OwnerStore = ReturnType<typeof ownerStore>;
