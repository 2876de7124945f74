import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Surrounding } from '../moderation/contract.ts';

const ROWS =
  'select id, user_id, message, seq, created_at, edited_at, deleted_at from chat.message where room_id = $1';

/** Messages before or after the place of one, whether they are deleted or not; each kind has an index of its own. */
const next = (isNext: string): string =>
  ['deleted_at is null', 'deleted_at is not null']
    .map((isOfKind) => `(${ROWS} and ${isOfKind} and seq ${isNext} limit $3)`)
    .join(' union all ');

/** SQL of what stands around a message; served by message_listing and message_deleted_listing. */
export const surroundingsStore = (database: Database) => ({
  /** Returns a message and those next to it, also deleted ones, without their texts; none if it is gone. */
  async of(id: ObjectId, roomId: ObjectId, sides: number): Promise<Surrounding[]> {
    const at = await database.first<{ seq: number }>(
      'select seq from chat.message where id = $2 and room_id = $1',
      [roomId, id],
    );
    if (!at) return [];
    return database.all<Surrounding>(
      `select id, user_id, case when deleted_at is null then message end as text, created_at, edited_at, deleted_at
       from (
         (select * from (${next('< $2 order by seq desc')}) before order by seq desc limit $3) union all
         (${ROWS} and seq = $2 and id = $4) union all
         (select * from (${next('> $2 order by seq')}) later order by seq limit $3)) around
       order by seq`,
      [roomId, at.seq, sides, id],
    );
  },
});

export type SurroundingsStore = ReturnType<typeof surroundingsStore>;
