import { hash } from '@node-rs/argon2';
import type pg from 'pg';

/** The password of every seeded member. */
export const SEED_PASSWORD = 'platform-seed';

const FIRST = [
  'Ada Benoit Chiara Dmitri Esra Farid Grace Hana Ines Jakub Kenji Lena Mateo Nadia Olga Pedro Quinn Rosa Samir Tomas',
  'Ursula Viktor Wanda Xavier Yara Zoë',
].join(' ');
const LAST =
  'Abara Bergmann Castillo Dubois Eriksen Fontaine Grünwald Haddad Ivanova Jansen Kowalski Lindqvist Moreau Novák Okafor Petrov Quispe Rossi Suzuki Tanaka Ueda Vargas Weiss Yılmaz Zieliński';

/** Creates members, some of them educators, who joined gradually. */
export async function seedPeople(
  client: pg.Client,
  { members, educators, days }: { members: number; educators: number; days: number },
): Promise<void> {
  await client.query(`
    create function pg_temp.new_id(at timestamptz) returns text language sql volatile as $$
      select lpad(to_hex(extract(epoch from at)::bigint), 8, '0') || substr(md5(random()::text || clock_timestamp()), 1, 16) $$;
    create function pg_temp.pick(words text) returns text language sql volatile as $$
      select w[1 + floor(random() * array_length(w, 1))] from (select string_to_array(words, ' ') w) s $$;
    -- An instant of a day, most likely in its evening.
    create function pg_temp.instant(days_ago double precision) returns timestamptz language sql volatile as $$
      select least(now() - interval '1 minute', date_trunc('day', now()) - floor(days_ago) * interval '1 day'
        + (((14 + 5 * (random() + random() - 1) * 1.2)::numeric % 24) * interval '1 hour')) $$`);
  await client.query(
    `create temporary table seeded as
     select n, pg_temp.new_id(at) as id, at, pg_temp.pick($3) as first, pg_temp.pick($4) as last, n <= $2 as teaches,
       power(random(), 2) as zeal
     from (select n, now() - (case when n <= $2 then 1 else power(random(), 0.7) end) * $5 * interval '1 day' as at
       from generate_series(1, $1::integer) n) s`,
    [members, educators, FIRST, LAST, days],
  );
  await client.query(`
    insert into identity.user (id, email, username, first_name, last_name, permissions, educator, created_at, updated_at)
    select id, 'seed-' || n || '@example.com', 'seed-' || n, first, last,
      case when teaches then array['educator'] else '{}' end,
      case when teaches then jsonb_build_object('educator_title', pg_temp.pick('Analyst Strategist Mentor Coach'),
        'specialty', pg_temp.pick('Metals Forex Indices Crypto Options'),
        'educator_bio', first || ' has traded for ' || 3 + n || ' years.') else '{}' end, at, at
    from seeded`);
  await client.query(
    'insert into identity.password (user_id, hash, changed_at) select id, $1, at from seeded',
    [await hash(SEED_PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })],
  );
  await client.query('analyze seeded');
}
