import type pg from 'pg';

const TOPICS =
  'Gold Silver Copper Crude EURUSD GBPJPY Nasdaq Bitcoin Options Volatility Scalping Swing Momentum Breakouts';
const SYMBOLS = 'XAUUSD XAGUSD EURUSD GBPUSD USDJPY GBPJPY NAS100 US30 BTCUSD ETHUSD';
const SAYINGS = [
  'breaks out above resistance on strong volume',
  'holds the retracement and looks ready to turn',
  'shows a clear divergence, careful with new longs',
  'is consolidating, liquidity builds below the range',
  'respects the trend line for the fourth time',
  'gave back all of yesterday, volatility is everywhere',
];

const STATEMENTS = [
  // Courses of five lessons each, two per educator.
  `create temporary table seeded_course as
   select pg_temp.new_id(s.at) as id, s.id as owner_id, s.at + interval '2 days' as at,
     pg_temp.pick($1) || ' ' || pg_temp.pick('basics masterclass workshop playbook') || ' ' || (s.n * 2 + k) as title
   from seeded s, generate_series(0, 1) k where s.teaches`,
  `insert into education.course (id, owner_id, title, description, category, level, status, module_count, lesson_count,
     duration, created_at, updated_at)
   select id, owner_id, title, 'Everything that one needs to know about ' || title || '.', pg_temp.pick('metals forex indices'),
     pg_temp.pick('beginner intermediate advanced'), 'published', 1, 5, 3000, at, at from seeded_course`,
  `create temporary table seeded_module as select id as course_id, pg_temp.new_id(at) as id, at from seeded_course`,
  `insert into education.module (id, course_id, title, position, lesson_count, duration)
   select id, course_id, 'Module 1', 1, 5, 3000 from seeded_module`,
  `create temporary table seeded_lesson as
   select pg_temp.new_id(m.at) as id, m.id as module_id, m.course_id, k as place, m.at
   from seeded_module m, generate_series(1, 5) k`,
  `insert into education.lesson (id, module_id, course_id, title, position, duration, status, created_at, updated_at)
   select id, module_id, course_id, 'Lesson ' || place, place, 600, 'published', at, at from seeded_lesson`,
  `insert into education.enrolment (course_id, user_id, enrolled_at)
   select c.id, s.id, greatest(s.at, c.at) + random() * (now() - greatest(s.at, c.at))
   from seeded s join seeded_course c on random() + 0 * length(c.title) < s.zeal * 0.15 and not s.teaches`,
  `insert into education.lesson_progress (user_id, lesson_id, course_id, position_seconds, started_at, updated_at, completed_at)
   select e.user_id, l.id, e.course_id, 600, done, done, done from education.enrolment e
   join seeded_lesson l using (course_id) join seeded s on s.id = e.user_id
   cross join lateral (select e.enrolled_at + random() * (now() - e.enrolled_at) as done) d where random() + 0 * l.place < 0.15 + 0.6 * s.zeal`,
  `update education.enrolment e set completed_at = p.at from (
     select course_id, user_id, max(completed_at) as at from education.lesson_progress
     where course_id in (select id from seeded_course) group by 1, 2 having count(*) = 5) p
   where p.course_id = e.course_id and p.user_id = e.user_id`,
  `update education.course c set enrolled_count = e.n from (
     select course_id, count(*) as n from education.enrolment group by 1) e where c.id = e.course_id`,
  // Communities and their posts.
  `create temporary table seeded_community as
   select pg_temp.new_id(now() - $2 * interval '1 day') as id, name from unnest(array['Metals', 'Forex', 'Crypto', 'Beginners']) name`,
  `insert into community.community (id, name, created_by, created_at)
   select id, name, (select id from seeded where n = 1), now() - $2 * interval '1 day' from seeded_community`,
  `insert into community.member (community_id, user_id, joined_at)
   select c.id, s.id, s.at from seeded s join seeded_community c on random() < 0.4`,
  `create temporary table seeded_post as
   select pg_temp.new_id(t.at) as id, s.id as user_id, t.at,
     (select id from seeded_community order by random() + s.n * 0 limit 1) as community_id,
     pg_temp.pick($1) || ' ' || ($3::text[])[1 + floor(random() * array_length($3::text[], 1))] || '.' as content
   from seeded s cross join lateral generate_series(1, floor(s.zeal * 14)::integer) k
   cross join lateral (select s.at + (k * 0 + random()) * (now() - s.at) as at) t`,
  `insert into community.post (id, community_id, user_id, content, created_at)
   select id, community_id, user_id, content, at from seeded_post`,
  `insert into community.reaction (post_id, user_id, type, created_at)
   select p.id, s.id, pg_temp.pick('like love celebrate insightful'), p.at + random() * interval '2 days'
   from seeded_post p join seeded s on s.at < p.at and random() + 0 * length(p.content) < 0.002 * (0.3 + s.zeal)`,
  `insert into community.comment (id, post_id, user_id, content, created_at)
   select pg_temp.new_id(t.at), p.id, s.id, pg_temp.pick('Agreed. Nice! Why? Thanks. Hm.'), t.at
   from seeded_post p join seeded s on s.at < p.at and random() + 0 * length(p.content) < 0.001 * (0.2 + s.zeal)
   cross join lateral (select least(now(), p.at + random() * interval '2 days') as at) t`,
  `update community.post p set reaction_count = coalesce(r.n, 0), comment_count = coalesce(c.n, 0)
   from seeded_post s left join (select post_id, count(*) n from community.reaction group by 1) r on r.post_id = s.id
   left join (select post_id, count(*) n from community.comment group by 1) c on c.post_id = s.id where p.id = s.id`,
  `update community.community c set post_count = (select count(*) from seeded_post where community_id = c.id),
     member_count = (select count(*) from community.member where community_id = c.id)
   where id in (select id from seeded_community)`,
  // Trade ideas, most of them closed.
  `insert into trades.trade (id, user_id, symbol, direction, entry_price, note, status, exit_price, created_at, closed_at)
   select pg_temp.new_id(t.at), s.id, pg_temp.pick($4), pg_temp.pick('long short'), 100, '', status,
     case when status <> 'open' then 101 end, t.at,
     case when status <> 'open' then least(now(), t.at + random() * interval '5 days') end
   from seeded s cross join lateral generate_series(1, floor(s.zeal * 10)::integer) k
   cross join lateral (select s.at + (k * 0 + random()) * (now() - s.at) as at,
     case when random() < 0.1 + k * 0 then 'open' when random() < 0.55 then 'won' else 'lost' end as status) t`,
  // Rooms, including a private one.
  `insert into chat.room (id, name, description, type, created_by, member_count, created_at, updated_at)
   select pg_temp.new_id(s.at), first || '''s ' || kind || ' room', 'Talk of the day', kind, id, 1, s.at, s.at
   from seeded s, unnest(array['public', 'private']) kind where teaches`,
  `insert into chat.member (room_id, user_id, is_member, joined_at) select id, created_by, true, created_at from chat.room
   where created_by in (select id from seeded)`,
  // Watch sessions: streams in the evening, lessons at any time.
  `insert into watching.session (id, user_id, content_type, content_id, educator_id, platform, started_at, seen_at, ended_at, check_at)
   select pg_temp.new_id(t.at), s.id, type, c.id, c.owner_id, pg_temp.pick('ios android web web'), t.at, till, till, till
   from seeded s cross join lateral generate_series(1, floor(s.zeal * $2 / 2)::integer) k
   cross join lateral (select id, owner_id from seeded_course order by random() + k * 0 + s.n * 0 limit 1) c
   cross join lateral (select greatest(s.at, pg_temp.instant(random() * extract(day from now() - s.at) + k * 0)) as at,
     case when random() < 0.5 + k * 0 then 'livestream' else 'lesson' end as type) t
   cross join lateral (select least(now(), t.at + (60 + random() * 3000) * interval '1 second') as till) e`,
  // What is kept of sessions does not expect any of the past: it is kept anew.
  'delete from watching.kept',
];

/** Creates the members' content in the tables of its modules. */
export async function seedContent(client: pg.Client, days: number): Promise<void> {
  const values = [TOPICS, days, SAYINGS, SYMBOLS];
  for (const text of STATEMENTS) {
    // A statement accepts only the values that it references.
    const named = [...new Set(text.match(/\$\d/g) ?? [])].sort();
    const renumbered = named.reduce((sql, name, place) => sql.replaceAll(name, `$${place + 1}`), text);
    await client.query(
      renumbered,
      named.map((name) => values[Number(name.slice(1)) - 1]),
    );
  }
}
