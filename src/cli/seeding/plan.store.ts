import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';

/** The size of the community, and the days for which it has existed. */
export interface Plan {
  members: number;
  educators: number;
  days: number;
  /** The hash of the password that all members share. */
  passwordHash: string;
}

const FIRST = [
  'Ada Benoit Chiara Dmitri Esra Farid Grace Hana Ines Jakub Kenji Lena Mateo Nadia Olga Pedro Quinn Rosa Samir Tomas',
  'Ursula Viktor Wanda Xavier Yara Zoë',
].join(' ');
const LAST =
  'Abara Bergmann Castillo Dubois Eriksen Fontaine Grünwald Haddad Ivanova Jansen Kowalski Lindqvist Moreau Novák Okafor Petrov Quispe Rossi Suzuki Tanaka Ueda Vargas Weiss Yılmaz Zieliński';

const FUNCTIONS = `
  create function pg_temp.new_id(at timestamptz) returns text language sql volatile as $$
    select lpad(to_hex(extract(epoch from at)::bigint), 8, '0') || substr(md5(random()::text || clock_timestamp()), 1, 16) $$;
  create function pg_temp.pick(words text) returns text language sql volatile as $$
    select w[1 + floor(random() * array_length(w, 1))] from (select string_to_array(words, ' ') w) s $$;
  -- An instant of a day, most likely in its evening.
  create function pg_temp.instant(days_ago double precision) returns timestamptz language sql volatile as $$
    select least(now() - interval '1 minute', date_trunc('day', now()) - floor(days_ago) * interval '1 day'
      + (((14 + 5 * (random() + random() - 1) * 1.2)::numeric % 24) * interval '1 hour')) $$`;

/**
 * A fact is an action of a member, with the name and type of its analytics event; a session is watching a watchable.
 */
const TABLES = `
  create temporary table seeded_fact (name text, type text, user_id text, at timestamptz);
  create temporary table seeded_watchable (id text, owner_id text)`;

/**
 * Creates the plan that all seeds share, as temporary tables and functions of the connection: `seeded_member`, who join
 * gradually and are active in proportion to their `zeal` (between 0 and 1), and the tables through which seeds share
 * the records that they create. Random choices are the same in each run.
 */
export async function makePlan(tx: Transaction, { members, educators, days }: Plan): Promise<void> {
  await tx.execute('select setseed(0.42)');
  await tx.execute(FUNCTIONS);
  await tx.execute(TABLES);
  await tx.execute(
    `create temporary table seeded_member as
     select n, pg_temp.new_id(at) as id, 'seed-' || n || '@example.com' as email, at,
       pg_temp.pick($3) as first, pg_temp.pick($4) as last, n <= $2 as teaches, power(random(), 2) as zeal
     from (select n, now() - (case when n <= $2 then 1 else power(random(), 0.7) end) * $5 * interval '1 day' as at
       from generate_series(1, $1::integer) n) s`,
    [members, educators, FIRST, LAST, days],
  );
  await tx.execute('analyze seeded_member');
}

export interface PlannedMember {
  id: ObjectId;
  email: string;
  at: Date;
  teaches: boolean;
}

/** Returns the members in the order of their ids. */
export const plannedMembers = (tx: Transaction): Promise<PlannedMember[]> =>
  tx.all<PlannedMember>('select id, email, at, teaches from seeded_member order by id');

/** Updates PostgreSQL's statistics after the seeds have written, so that it plans queries well from the start. */
export const analyze = (tx: Transaction): Promise<number> => tx.execute('analyze');
