import type pg from 'pg';
import { keepOf } from '../src/cli/seeding/analytics.ts';

const DAYS = 90;
export const STEPS = ['page.view', 'course.viewed', 'video.play', 'trade.viewed'];
const NAMES = [...STEPS, 'button.click', 'section.scroll', 'market.searched', 'form.submit'];
/** How many of a hundred events have each name. */
const SHARES = [43, 12, 10, 8, 12, 8, 4, 3];

/** Writes events of 90 days in the order of time, by members of whom a few are busy, with what is kept of them. */
export async function fillEvents(client: pg.Client, events: number, members: number): Promise<void> {
  await client.query(
    `select analytics.add_month((date_trunc('month', now()) - n * interval '1 month')::date) from generate_series(0, 5) n`,
  );
  await client.query(
    `insert into analytics.person (user_id) select lpad(to_hex(n), 24, 'e') from generate_series(1, $1::integer) n
     on conflict do nothing`,
    [members],
  );
  await client.query(
    `insert into analytics.name (source, name, type) select 'client', name, 'bench' from unnest($1::text[]) name
     on conflict do nothing`,
    [NAMES],
  );
  const shares = NAMES.flatMap((name, place) => Array.from({ length: SHARES[place] ?? 0 }, () => name));
  // Visits of ten events each, half a minute apart.
  await client.query(
    `insert into analytics.event (occurred_at, received_at, person, name, id, metadata)
     select at, at, person, names[1 + floor(random() * 100)], lpad(to_hex(v * 10 + k), 24, '0'), '{}'
     from (select v, now() - (1 - v::float8 / $1) * $2 * interval '1 day' as began,
         (select min(no) from analytics.person) + floor($3 * power(random(), 2.2))::integer as person
       from generate_series(1, $1::integer / 10) v) visit
     cross join (select array_agg(n.no order by place) as names
       from unnest($4::text[]) with ordinality u (name, place)
       join analytics.name n on n.source = 'client' and n.type = 'bench' and n.name = u.name) named
     cross join lateral generate_series(0, 9) k
     cross join lateral (select least(now(), began + k * (20 + random() * 30) * interval '1 second') as at) t`
      .replaceAll('v::float8 / $1', 'v::float8 * 10 / $1::float8')
      .replace('$2 * interval', '$2::float8 * interval'),
    [events, DAYS, members, shares],
  );
  await client.query('vacuum analyze analytics.event');
  await keepOf(client);
  await client.query('delete from analytics.dirty');
  await client.query('vacuum analyze');
}

const WORDS = 400;

/** Writes documents of twelve words each, of a vocabulary in which a few words are frequent, and names of people. */
export async function fillDocuments(client: pg.Client, documents: number): Promise<void> {
  await client.query(
    `insert into search.document (type, id, title, body, title_key, audiences, has_name, prominence, created_at,
       title_words, words)
     select type, id, title, body, lower(title), '{all}', type <> 'post', random() * 20, now(),
       to_tsvector('search.english', title) || to_tsvector('pg_catalog.simple', title),
       setweight(to_tsvector('search.english', title) || to_tsvector('pg_catalog.simple', title), 'A')
         || setweight(to_tsvector('search.english', body) || to_tsvector('pg_catalog.simple', body), 'D')
     from (select case when n % 5 = 0 then 'user' else 'post' end as type, lpad(to_hex(n), 24, '0') as id,
         (select string_agg('w' || floor(${WORDS} * power(random(), 3))::integer || 'word', ' ')
          from generate_series(1, 3 + n % 2)) as title,
         (select string_agg('w' || floor(${WORDS} * 10 * power(random(), 3))::integer || 'word', ' ')
          from generate_series(1, 9 + n % 2)) as body
       from generate_series(1, $1::integer) n) made`,
    [documents],
  );
  await client.query(
    `insert into search.word (word) select 'w' || n || 'word' from generate_series(0, ${WORDS} * 10) n on conflict do nothing`,
  );
  await client.query('vacuum analyze search.document');
}

/** A word of the documents: the smaller the number, the more frequent. */
export const wordOf = (random: number): string => `w${Math.floor(WORDS * random ** 3)}word`;

/** Writes watch sessions of 90 days, of half an hour each, of a thousand educators. */
export async function fillSessions(client: pg.Client, sessions: number): Promise<void> {
  await client.query(
    `insert into identity.user (id, email, username, first_name, last_name, permissions, created_at, updated_at)
     select 'd' || lpad(to_hex(n), 23, '0'), 'bench-' || n || '@example.com', 'bench-' || n, 'Educator', n::text,
       '{educator}', now(), now() from generate_series(0, 999) n`,
  );
  await client.query(
    `insert into watching.session (id, user_id, content_type, content_id, educator_id, platform, started_at, seen_at,
       ended_at, check_at)
     select lpad(to_hex(n), 24, '0'), lpad(to_hex(n % 100000), 24, 'b'), 'livestream', lpad('1', 24, 'c'),
       'd' || lpad(to_hex(floor(1000 * power(random(), 2))::integer), 23, '0'), 'web', at, till, till, till
     from generate_series(1, $1::integer) n
     cross join lateral (select now() - (1 - n::float8 / $1::float8) * 90 * interval '1 day' as at) s
     cross join lateral (select least(now(), at + random() * interval '1 hour') as till) e`,
    [sessions],
  );
  await client.query('vacuum analyze watching.session');
}
