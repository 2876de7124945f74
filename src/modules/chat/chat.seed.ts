import type { Seed } from '../seed.ts';

/** Two rooms of each educator, one of them private. */
export const chatSeed: Seed = {
  large: async (tx) => {
    await tx.execute(
      `insert into chat.room (id, name, description, type, created_by, member_count, created_at, updated_at)
       select pg_temp.new_id(s.at), first || '''s ' || kind || ' room', 'Talk of the day', kind, id, 1, s.at, s.at
       from seeded_member s, unnest(array['public', 'private']) kind where teaches`,
    );
    await tx.execute(
      `insert into chat.member (room_id, user_id, is_member, joined_at) select id, created_by, true, created_at from chat.room
       where created_by in (select id from seeded_member)`,
    );
    return 'rooms';
  },
};
