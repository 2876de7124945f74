import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { newDatabase } from '../../../test/support/databases.ts';
import { startStorage } from '../../../test/support/object-storage.ts';
import type { ObjectStorage } from '../../external/storage/port.ts';
import { openDatabase } from '../../kernel/database/database.ts';
import { DAY_MS, manualClock } from '../../kernel/time/time.ts';
import { archiving } from './archiving.ts';
import { rollupJobs } from './rollups.ts';

const { url, drop } = await newDatabase();
const database = openDatabase({ url, connections: 4, onBackgroundError: () => undefined });
const { storage } = await startStorage();
const folder = mkdtempSync(join(tmpdir(), 'platform-archive-'));
after(async () => {
  await database.close();
  await drop();
  rmSync(folder, { recursive: true, force: true });
});
const clock = manualClock(Date.UTC(2026, 0, 15));
/** More than one group of rows. */
const EVENTS = 60_000;

/** A storage that counts what is written, and fails in the midst of a file while it is told to. */
let written = 0;
let breaks = false;
const flaky: ObjectStorage = {
  ...storage,
  write: async (key, body, options) => {
    written++;
    if (breaks && 'stream' in body) for await (const _ of body.stream) throw new Error('the storage is away');
    await storage.write(key, body, options);
  },
};
const turn = async (given: Partial<Parameters<typeof rollupJobs>[0]> = {}): Promise<void> => {
  const candidates = { listWaiting: async () => [], deleteOldCandidates: async () => 0 } as never;
  const archive = archiving({ database, clock, storage: flaky });
  const jobs = rollupJobs({ database, clock, candidates, retentionDays: 60, archive, ...given });
  const found = jobs.find(({ kind }) => kind.name === 'analytics.turn-months');
  await found?.run?.({}, { signal: new AbortController().signal, attempt: 1 });
};

await database.all(`select kernel.add_month('analytics.event', '2026-01-01')`);
await database.execute(
  `insert into analytics.event (occurred_at, received_at, person, name, id, metadata, own_name, own_type)
   select timestamptz '2026-01-01 00:00:00.123Z' + n * interval '30 seconds', '2026-02-01', n % 100,
     (select no from analytics.name where source = 'client' and name = 'page.view' and type = 'navigation'),
     'e' || lpad(n::text, 6, '0'), '{"note": "by a person"}', case when n % 2 = 0 then 'words of a person' end, null
   from generate_series(0, $1::integer - 1) n`,
  [EVENTS],
);
const left = () => database.count('select count(*) from analytics.event');
const past = () => database.count('select coalesce(sum(events), 0)::bigint from analytics.past');

async function ask(question: string): Promise<unknown[]> {
  const file = join(folder, 'month.parquet');
  const object = await storage.head('analytics/2026-01.parquet');
  assert.ok(object);
  await storage.download('analytics/2026-01.parquet', file, { etag: object.etag });
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const reader = await connection.runAndReadAll(question.replace('FILE', `'${file}'`));
  connection.closeSync();
  return reader.getRowObjectsJson();
}

test('a month stays until it is in the storage', async () => {
  clock.set(Date.UTC(2026, 1, 1) + 60 * DAY_MS);
  breaks = true;
  await assert.rejects(turn(), /the storage is away/);
  breaks = false;
  assert.deepEqual([await left(), await storage.head('analytics/2026-01.parquet')], [EVENTS, undefined]);
});

test('a job that is killed between writing and dropping a month neither loses nor repeats anything', async () => {
  const dies = archiving({ database, clock, storage: flaky });
  written = 0;
  await assert.rejects(
    turn({
      archive: async (month) => {
        await dies(month);
        throw new Error('killed');
      },
    }),
    /killed/,
  );
  assert.deepEqual([await left(), await past(), written], [EVENTS, 0, 1]);
  await turn();
  assert.deepEqual([await left(), await past(), written], [0, EVENTS, 1]);
  await turn();
  assert.deepEqual([await past(), written], [EVENTS, 1]);
});

test('DuckDB reads the file: every event, in order, without what a person wrote', async () => {
  const [row] = await ask(
    `select count(*)::int as events, count(distinct id)::int as ids, count(distinct person)::int as people,
       epoch_ms(min(occurred_at))::text as first, max(name) as name, max(source) as source, max(type) as type
     from read_parquet(FILE)`,
  );
  assert.deepEqual(row, {
    events: EVENTS,
    ids: EVENTS,
    people: 100,
    first: String(Date.UTC(2026, 0, 1) + 123),
    name: 'page.view',
    source: 'client',
    type: 'navigation',
  });
  const columns = await ask(
    'select column_name, column_type from (describe select * from read_parquet(FILE))',
  );
  assert.deepEqual(columns, [
    { column_name: 'id', column_type: 'VARCHAR' },
    { column_name: 'occurred_at', column_type: 'TIMESTAMP WITH TIME ZONE' },
    { column_name: 'received_at', column_type: 'TIMESTAMP WITH TIME ZONE' },
    { column_name: 'person', column_type: 'INTEGER' },
    { column_name: 'source', column_type: 'VARCHAR' },
    { column_name: 'name', column_type: 'VARCHAR' },
    { column_name: 'type', column_type: 'VARCHAR' },
  ]);
});

test('a file that was noted but is gone, or lacks events, is written again', async () => {
  await database.all(`select kernel.add_month('analytics.event', '2026-02-01')`);
  const add = (id: string) =>
    database.execute(
      `insert into analytics.event (occurred_at, received_at, person, name, id, metadata)
       select '2026-02-03', '2026-02-03', 1, min(no), $1, '{}' from analytics.name`,
      [id],
    );
  await add('first');
  const month = {
    part: 'event_2026_02',
    starts: new Date(Date.UTC(2026, 1)),
    ends: new Date(Date.UTC(2026, 2)),
  };
  const archive = archiving({ database, clock, storage: flaky });
  written = 0;
  await archive(month);
  await archive(month);
  assert.equal(written, 1);
  await storage.remove(['analytics/2026-02.parquet']);
  await archive(month);
  assert.equal(written, 2);
  await add('second');
  await archive(month);
  assert.equal(written, 3);
});
