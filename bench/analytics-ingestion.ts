import pg from 'pg';
import { STEPS } from './analytics-data.ts';
import type { Fixture } from './fixture.ts';
import { load, request } from './load.ts';

const BULK = 500;

interface IngestionDeps {
  client: pg.Client;
  fixture: Fixture;
  /** Length of each measurement. */
  seconds: number;
  record: (what: string, ours: string, beside: string, limit?: string) => void;
}

/** Returns the rows per second of one large COPY into a table with the same indexes: the maximum rate of PostgreSQL. */
async function copied(client: pg.Client): Promise<number> {
  const { rows: where } = await client.query('show data_directory');
  const file = `${where[0].data_directory}/bench-events.csv`;
  const { rowCount } = await client.query(
    `copy (select * from analytics.event limit 500000) to '${file}' csv`,
  );
  await client.query(BARE);
  const startedMs = performance.now();
  await client.query(`copy public.bare from '${file}' csv`);
  const seconds = (performance.now() - startedMs) / 1000;
  await client.query('drop table public.bare');
  return (rowCount ?? 0) / seconds;
}

const BARE = `create table public.bare (like analytics.event including defaults);
  create index on public.bare (person, occurred_at) include (name);
  create index on public.bare (occurred_at) include (person, name)`;

/** Returns the rows per second of bare multi-row inserts, on two connections, with the same indexes. */
async function bareInserts({ client, fixture, seconds }: IngestionDeps): Promise<number> {
  await client.query(BARE);
  const untilMs = performance.now() + seconds * 1000;
  let inserted = 0;
  const lane = async (number: number): Promise<void> => {
    const own = new pg.Client({ connectionString: fixture.databaseUrl });
    await own.connect();
    for (let batch = 0; performance.now() < untilMs; batch++) {
      const places = Array.from({ length: BULK }, (_, n) => {
        const at = 6 * n;
        return `($${at + 1}, $${at + 2}, $${at + 3}, $${at + 4}, $${at + 5}, $${at + 6})`;
      });
      const values = Array.from({ length: BULK }, (_, n) => {
        const at = new Date();
        return [at, at, (number * 7 + n) % 20, n % 8, `${number}-${batch}-${n}`, '{"path":"/home"}'];
      });
      await own.query(`insert into public.bare values ${places.join(',')}`, values.flat());
      inserted += BULK;
    }
    await own.end();
  };
  await Promise.all([lane(1), lane(2)]);
  await client.query('drop table public.bare');
  return inserted / seconds;
}

/** Measures how many events per second can be tracked through the API, beside bare inserts and COPY. */
export async function ingestion(deps: IngestionDeps): Promise<void> {
  const { client, fixture, seconds, record } = deps;
  const event = (n: number) => ({
    eventName: STEPS[n % 4],
    eventType: 'bench',
    metadata: { path: '/home' },
  });
  const bodies = fixture.members.map(({ token }) =>
    request(
      'POST',
      '/v1/analytics/track/bulk',
      { 'x-api-key': fixture.unlimitedKey, authorization: `Bearer ${token}` },
      { events: Array.from({ length: BULK }, (_, n) => event(n)) },
    ),
  );
  let next = 0;
  const { perSecond, statuses } = await load({
    url: fixture.url,
    connections: 8,
    seconds,
    next: () => bodies[next++ % bodies.length] as Buffer,
  });
  if (Object.keys(statuses).some((status) => status !== '202')) throw new Error(JSON.stringify(statuses));
  const bare = await bareInserts(deps);
  const copy = await copied(client);
  const ours = perSecond * BULK;
  const rate = (value: number) => `${Math.round(value).toLocaleString('en-US')} events/s`;
  record(
    `tracking, bulks of ${BULK} over HTTP`,
    `${rate(ours)}, ${(ours / bare).toFixed(2)} of it`,
    `bare inserts of ${BULK} rows: ${rate(bare)}; COPY of all: ${rate(copy)}`,
    '0.5',
  );
}
