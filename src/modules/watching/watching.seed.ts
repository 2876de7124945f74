import type { Seed } from '../seed.ts';

/** Seeds watch sessions: streams in the evening, lessons at any time. */
export const watchingSeed: Seed = {
  large: async (tx, { days }) => {
    await tx.execute(
      `insert into watching.session (id, user_id, content_type, content_id, educator_id, platform, started_at, seen_at, ended_at, check_at)
       select pg_temp.new_id(t.at), s.id, type, c.id, c.owner_id, pg_temp.pick('ios android web web'), t.at, till, till, till
       from seeded_member s cross join lateral generate_series(1, floor(s.zeal * $1 / 2)::integer) k
       cross join lateral (select id, owner_id from seeded_watchable order by random() + k * 0 + s.n * 0 limit 1) c
       cross join lateral (select greatest(s.at, pg_temp.instant(random() * extract(day from now() - s.at) + k * 0)) as at,
         case when random() < 0.5 + k * 0 then 'livestream' else 'lesson' end as type) t
       cross join lateral (select least(now(), t.at + (60 + random() * 3000) * interval '1 second') as till) e`,
      [days],
    );
    // Stored sums do not account for backdated sessions, so they are rebuilt.
    await tx.execute('delete from watching.kept');
    return 'watch sessions';
  },
};
