import type pg from 'pg';
import { rebuildSums } from '../src/modules/analytics/analytics.seed.ts';

const DAYS = 90;
export const STEPS = ['page.view', 'course.viewed', 'video.play', 'trade.viewed'];
const NAMES = [...STEPS, 'button.click', 'section.scroll', 'market.searched', 'form.submit'];
/** The share of each event name, in percent. */
const SHARES = [43, 12, 10, 8, 12, 8, 4, 3];

/** Thrown when the time for filling is over. Written rows remain, and the next run continues. */
export class OutOfTime extends Error {}

/** Writes the missing rows of a table in portions, each together with the number of rows written so far. */
async function inPortions(
  client: pg.Client,
  { what, rows, portion, untilMs }: { what: string; rows: number; portion: number; untilMs: number },
  write: (from: number, to: number) => Promise<unknown>,
): Promise<void> {
  await client.query('create table if not exists public.filled (what text primary key, rows bigint)');
  const { rows: known } = await client.query('select rows from public.filled where what = $1', [what]);
  for (let from = Number(known[0]?.rows ?? 0); from < rows; from += portion) {
    if (performance.now() > untilMs) throw new OutOfTime(`${from} of ${rows} ${what}`);
    await client.query('begin');
    await write(from, Math.min(rows, from + portion));
    await client.query(
      `insert into public.filled values ($1, $2) on conflict (what) do update set rows = excluded.rows`,
      [what, Math.min(rows, from + portion)],
    );
    await client.query('commit');
    console.log(`${Math.min(rows, from + portion).toLocaleString('en-US')} ${what}`);
  }
}

/** Fills a table without its indexes and creates them afterwards, which is several times as fast. */
async function withoutIndexes(client: pg.Client, table: string, fill: () => Promise<void>): Promise<void> {
  await client.query('create table if not exists public.dropped (table_name text, definition text)');
  await client.query('create table if not exists public.filled (what text primary key, rows bigint)');
  const { rows: done } = await client.query('select 1 from public.filled where what = $1', [
    `indexes of ${table}`,
  ]);
  if (done.length > 0) return;
  await client.query(
    `insert into public.dropped select $1::text, pg_get_indexdef(i.indexrelid) from pg_index i
     where i.indrelid = $1::text::regclass and not i.indisprimary`,
    [table],
  );
  const { rows: indexes } = await client.query(
    `select indexrelid::regclass::text as name from pg_index where indrelid = $1::text::regclass and not indisprimary`,
    [table],
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await fill();
  await client.query("set maintenance_work_mem = '1GB'");
  const { rows: dropped } = await client.query(
    'select distinct definition from public.dropped where table_name = $1',
    [table],
  );
  for (const { definition } of dropped)
    await client.query(definition.replace('INDEX', 'INDEX IF NOT EXISTS'));
  await client.query('insert into public.filled values ($1, 1)', [`indexes of ${table}`]);
}

/** Writes events of 90 days in the order of time, by members of whom a few are busy, together with their aggregates. */
export async function fillEvents(client: pg.Client, events: number, untilMs: number): Promise<void> {
  if (events === 0) return;
  const members = Math.min(200_000, events / 50);
  await client.query(
    `select analytics.add_month((date_trunc('month', now()) - n * interval '1 month')::date) from generate_series(0, 5) n`,
  );
  await inPortions(client, { what: 'persons', rows: 1, portion: 1, untilMs }, async () => {
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
  });
  const shares = NAMES.flatMap((name, place) => Array.from({ length: SHARES[place] ?? 0 }, () => name));
  // Visits of ten events each, half a minute apart.
  await inPortions(client, { what: 'events', rows: events, portion: 1_000_000, untilMs }, (from, to) =>
    client.query(
      `insert into analytics.event (occurred_at, received_at, person, name, id, metadata)
       select at, at, person, names[1 + floor(random() * 100)], lpad(to_hex(v * 10 + k), 24, '0'), '{}'
       from (select v, now() - (1 - v * 10 / $1::float8) * $2::float8 * interval '1 day' as began,
           (select min(no) from analytics.person where user_id like 'eeeeeee%')
             + floor($3::integer * power(random(), 2.2))::integer as person
         from generate_series($5::integer / 10, $6::integer / 10 - 1) v) visit
       cross join (select array_agg(n.no order by place) as names
         from unnest($4::text[]) with ordinality u (name, place)
         join analytics.name n on n.source = 'client' and n.type = 'bench' and n.name = u.name) named
       cross join lateral generate_series(0, 9) k
       cross join lateral (select least(now(),
         date_trunc('milliseconds', began + k * (20 + random() * 30) * interval '1 second')) as at) t`,
      [events, DAYS, members, shares, from, to],
    ),
  );
  await withoutIndexes(client, 'analytics.presence', () =>
    inPortions(client, { what: 'sums of events', rows: 1, portion: 1, untilMs }, () =>
      rebuildSums({ execute: async (text) => (await client.query(text as string)).rowCount ?? 0 }),
    ),
  );
  await client.query('vacuum analyze');
}

const WORDS = 400;
const MOST_PROMINENT = 20;
const PROMINENT = 65_536;

/** Writes documents of twelve words each, from a vocabulary with a few frequent words, and with names of people. */
export async function fillDocuments(client: pg.Client, documents: number, untilMs: number): Promise<void> {
  const insert = (from: number, to: number) =>
    client.query(
      `insert into search.document (type, id, title, body, title_key, audiences, has_name, prominence, is_prominent,
         created_at, title_words, words)
       select type, id, title, body, lower(title), '{all}', type <> 'post', prominence, prominence >= least, now(),
         to_tsvector('search.english', title) || to_tsvector('pg_catalog.simple', title)
           || array_to_tsvector(case type when 'post' then array['/post'] else array['/' || type, '/name'] end),
         setweight(to_tsvector('search.english', title) || to_tsvector('pg_catalog.simple', title), 'A')
           || setweight(to_tsvector('search.english', body) || to_tsvector('pg_catalog.simple', body), 'D')
           || array_to_tsvector(array['/' || type])
       from search.prominent, (
         select (random() * ${MOST_PROMINENT})::real as prominence,
           case when n % 5 = 0 then 'user' else 'post' end as type, lpad(to_hex(n), 24, '0') as id,
           (select string_agg('w' || floor(${WORDS} * power(random(), 3))::integer || 'word', ' ')
            from generate_series(1, 3 + n % 2)) as title,
           (select string_agg('w' || floor(${WORDS} * 10 * power(random(), 3))::integer || 'word', ' ')
            from generate_series(1, 9 + n % 2)) as body
         from generate_series($1::integer + 1, $2::integer) n) made`,
      [from, to],
    );
  // The state that the nightly job would leave.
  await client.query('update search.prominent set least = $1', [
    MOST_PROMINENT * (1 - Math.min(1, PROMINENT / documents)),
  ]);
  await client.query(
    `update search.document set is_prominent = not is_prominent
     where is_prominent <> (prominence >= (select least from search.prominent))`,
  );
  await withoutIndexes(client, 'search.document', () =>
    inPortions(client, { what: 'documents', rows: documents, portion: 50_000, untilMs }, insert),
  );
  await client.query(
    `insert into search.word (word, audience) select 'w' || n || 'word', 'all' from generate_series(0, ${WORDS} * 10) n on conflict do nothing`,
  );
  await client.query('vacuum analyze search.document');
}

/** Returns a word of the documents: the smaller the number, the more frequent the word. */
export const wordOf = (random: number): string => `w${Math.floor(WORDS * random ** 3)}word`;

/** Writes watch sessions of 90 days, half an hour each, of a thousand educators. */
export async function fillSessions(client: pg.Client, sessions: number, untilMs: number): Promise<void> {
  await inPortions(client, { what: 'educators', rows: 1, portion: 1, untilMs }, () =>
    client.query(
      `insert into identity.user (id, email, username, first_name, last_name, permissions, created_at, updated_at)
       select 'd' || lpad(to_hex(n), 23, '0'), 'bench-' || n || '@example.com', 'bench-' || n, 'Educator', n::text,
         '{educator}', now(), now() from generate_series(0, 999) n`,
    ),
  );
  await inPortions(client, { what: 'sessions', rows: sessions, portion: 1_000_000, untilMs }, (from, to) =>
    client.query(
      `insert into watching.session (id, user_id, content_type, content_id, educator_id, platform, started_at, seen_at,
         ended_at, check_at)
       select lpad(to_hex(n), 24, '0'), lpad(to_hex(n % 100000), 24, 'b'),
         (array['livestream', 'livestream', 'lesson', 'video'])[1 + floor(random() * 4)],
         lpad(to_hex(floor(2000 * power(random(), 2))::integer), 24, 'c'),
         'd' || lpad(to_hex(floor(1000 * power(random(), 2))::integer), 23, '0'),
         (array['ios', 'android', 'web', 'web'])[1 + floor(random() * 4)], at, till, till, till
       from generate_series($2::integer + 1, $3::integer) n
       cross join lateral (select now() - (1 - n::float8 / $1::float8) * 90 * interval '1 day' as at) s
       cross join lateral (select least(now(), at + random() * interval '1 hour') as till) e`,
      [sessions, from, to],
    ),
  );
  await client.query('vacuum analyze watching.session');
}
