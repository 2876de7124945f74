import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { ownDatabase } from '../../../test/support/own-database.ts';
import { DAY_MS, manualClock } from '../time/time.ts';
import { type MonthlyTable, months } from './months.ts';

const { database, url } = await ownDatabase(8);
/** The table is divided two months after the real month; the tests begin there. */
const now = new Date();
const monthAfter = (n: number): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + n, 1));
const clock = manualClock(monthAfter(2).getTime() + 10 * DAY_MS);

await database.execute('create schema demo');
await database.execute(
  `create table demo.thing (id kernel.object_id primary key, state text not null, twice int generated always as (length(state) * 2) stored)
   with (fillfactor = 70)`,
);
await database.execute('create index thing_by_state on demo.thing (state)');
await database.execute(`create table demo.sum (month date primary key, n bigint not null)`);
await database.execute(`insert into demo.sum values ('-infinity', 0) on conflict do nothing`);
await database.all(`select kernel.prepare_months('demo.thing', 'id', $$part.state = 'open'$$)`);
await database.all(`select kernel.prepare_months('demo.sum', 'month', follows => 'demo.thing')`);
for (const table of ['demo.thing', 'demo.sum'])
  await database.transaction(async (tx) => {
    await tx.execute(`alter table ${table} validate constraint before_months`);
    await tx.all('select kernel.divide_by_month($1)', [table]);
  });
await database.execute(`create function demo.add() returns trigger language plpgsql as $$ begin
  insert into demo.sum as kept select kernel.month_of_id(id), count(*) from added group by 1 order by 1
  on conflict (month) do update set n = kept.n + excluded.n; return null; end $$`);
await database.execute(`create function demo.remove() returns trigger language plpgsql as $$ begin
  update demo.sum set n = sum.n - gone.n from (select kernel.month_of_id(id) as month, count(*) as n from removed group by 1) gone
  where sum.month = gone.month; return null; end $$`);
await database.execute(
  'create trigger adds after insert on demo.thing referencing new table as added for each statement execute function demo.add()',
);
await database.execute(
  'create trigger removes after delete on demo.thing referencing old table as removed for each statement execute function demo.remove()',
);

let serial = 0;
const idAt = (at: Date): string =>
  Math.floor(at.getTime() / 1000)
    .toString(16)
    .padStart(8, '0') + (serial++).toString(16).padStart(16, '0');
async function insert(at: Date, state = 'done'): Promise<string> {
  const id = idAt(at);
  await database.execute('insert into demo.thing (id, state) values ($1, $2)', [id, state]);
  return id;
}
const turn = async (options: Partial<MonthlyTable> = {}): Promise<void> => {
  const tables = [{ table: 'demo.thing', together: ['demo.sum'], days: 60, ...options }];
  const { run } = months({ database, clock }, { name: 'demo.turn-months', cron: '0 0 * * *', tables });
  await run?.({}, { signal: new AbortController().signal, attempt: 1 });
};
const parts = async (): Promise<string[]> =>
  (await database.all<{ part: string }>(`select part from kernel.months_of('demo.thing')`)).map(
    ({ part }) => part,
  );
const inOther = () => database.count('select count(*) from demo.thing_other');
const counted = () => database.count('select coalesce(sum(n), 0)::bigint from demo.sum');
const rows = () => database.count('select count(*) from demo.thing');
const suffix = (n: number): string => monthAfter(n).toISOString().slice(0, 7).replace('-', '_');

test('months are added ahead; rows that came before their month was there are moved into it', async () => {
  await insert(monthAfter(9));
  assert.equal(await inOther(), 1);
  await turn();
  assert.deepEqual(
    await parts(),
    ['before', ...[2, 3, 4, 5].map(suffix)].map((name) => `thing_${name}`),
  );
  assert.equal(await inOther(), 1, 'its month is too far ahead');
  clock.set(monthAfter(8).getTime());
  await turn({ days: 'keep' });
  assert.equal(await inOther(), 0);
  assert.equal(await database.count(`select count(*) from demo.thing_${suffix(9)}`), 1);
  assert.deepEqual([await counted(), await rows()], [1, 1]);
  const [stored] = await database.all<{ options: string[] }>(
    `select reloptions as options from pg_class where oid = 'demo.thing_${suffix(9)}'::regclass`,
  );
  assert.deepEqual(stored?.options, ['fillfactor=70']);
});

test('a run that finds all months in place waits for no lock', async () => {
  await database.transaction(async (tx) => {
    await tx.lock('kernel.months', 'demo.thing');
    await turn({ days: 'keep' });
  });
});

test('a month is dropped with its counts once its last day is too old, but for rows that outlive it', async () => {
  const open = await insert(monthAfter(5), 'open');
  await insert(monthAfter(5));
  await insert(monthAfter(6));
  clock.set(monthAfter(6).getTime() + 59 * DAY_MS);
  await turn();
  assert.ok((await parts()).includes(`thing_${suffix(5)}`), 'its last day is not too old');
  clock.set(monthAfter(6).getTime() + 60 * DAY_MS);
  await turn();
  assert.equal((await parts())[0], `thing_${suffix(6)}`);
  assert.deepEqual([await inOther(), await counted(), await rows()], [1, 3, 3]);
  await database.execute(`update demo.thing set state = 'done' where id = $1`, [open]);
  await turn();
  assert.deepEqual([await inOther(), await counted(), await rows()], [0, 2, 2]);
});

test('a failure while a month is dropped changes nothing, and the next run goes on', async () => {
  clock.set(monthAfter(7).getTime() + 60 * DAY_MS);
  const fail = () => Promise.reject(new Error('killed'));
  await assert.rejects(turn({ onDrop: fail }), /killed/);
  assert.deepEqual([(await parts())[0], await counted(), await rows()], [`thing_${suffix(6)}`, 2, 2]);
  await turn({ beforeDrop: async () => false });
  assert.deepEqual(
    [(await parts())[0], await rows()],
    [`thing_${suffix(6)}`, 2],
    'it may not be dropped yet',
  );
  await turn();
  assert.deepEqual([(await parts())[0], await counted(), await rows()], [`thing_${suffix(7)}`, 1, 1]);
});

test('two processes that turn months at once drop each month once', async () => {
  clock.set(monthAfter(10).getTime() + 60 * DAY_MS);
  const dropped: string[] = [];
  const onDrop: MonthlyTable['onDrop'] = async (_tx, { part }) => {
    dropped.push(part);
  };
  await Promise.all([turn({ onDrop }), turn({ onDrop })]);
  assert.deepEqual(
    dropped,
    [7, 8, 9].map((n) => `thing_${suffix(n)}`),
  );
});

test('rows are added while months are added and dropped, and the counts stay exact', async () => {
  let isOver = false;
  const writers = [1, 2, 3].map(async () => {
    let written = 0;
    for (; !isOver; written++) {
      const at = clock.now();
      await insert(new Date(at));
    }
    return written;
  });
  for (let n = 13; n < 19; n++) {
    clock.set(monthAfter(n).getTime());
    await turn();
  }
  isOver = true;
  const written = (await Promise.all(writers)).reduce((sum, n) => sum + n);
  assert.ok(written > 10);
  assert.equal(await counted(), await rows());
});

test('a reader that holds the table open fails the run soon, delays others little, and loses nothing', async () => {
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  await reader.query('begin');
  await reader.query('select count(*) from demo.thing');
  clock.set(monthAfter(22).getTime());
  await insert(monthAfter(18));
  await assert.rejects(turn(), /lock timeout/);
  assert.equal(await counted(), await rows());
  await reader.query('commit');
  await reader.end();
  await turn();
  assert.equal(await counted(), await rows());
  assert.equal((await parts())[0], `thing_${suffix(20)}`);
});

test('a month that has not ended is dropped by nobody', async () => {
  await assert.rejects(
    database.all('select kernel.drop_month($1, $2, $3)', [
      'demo.thing',
      `thing_${suffix(22)}`,
      monthAfter(22),
    ]),
    /is no part of demo.thing that ended/,
  );
});
