import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newDatabase } from '../../../test/support/databases.ts';
import { openDatabase } from './database.ts';

const { url, drop } = await newDatabase();
const database = openDatabase({ url, connections: 1, onBackgroundError: () => undefined });
await database.execute(
  'create table kernel.shelf (id text primary key, book_count int, made_at timestamptz, notes jsonb)',
);
after(async () => {
  await database.close();
  await drop();
});

const MADE_AT = new Date('2026-01-02T03:04:05.678Z');
const shelf = { id: 'a', bookCount: 3, madeAt: MADE_AT, notes: { by: 'Ada' } };
const all = () => database.all('select * from kernel.shelf order by id');

test('a row is written by the names of its properties, whatever their order', async () => {
  await database.transaction(async (tx) => {
    assert.equal(await tx.insert('kernel.shelf', shelf, ['notes', 'madeAt', 'id', 'bookCount']), 1);
    assert.equal(await tx.insert('kernel.shelf', { bookCount: 1, id: 'b' }), 1);
  });
  assert.deepEqual(await all(), [shelf, { id: 'b', bookCount: 1, madeAt: null, notes: null }]);
});

test('a list of rows is written by one statement, and an empty list by none', async () => {
  const rows = [
    { id: 'c', bookCount: 1 },
    { id: 'd', bookCount: 2 },
  ];
  assert.equal(await database.insert('kernel.shelf', rows, ['id', 'bookCount']), 2);
  assert.equal(await database.insert('kernel.shelf', [] as typeof rows, ['id', 'bookCount']), 0);
  assert.deepEqual(
    await database.all(`select id, book_count from kernel.shelf where id in ('c', 'd')`),
    rows,
  );
});

test('an insert says what happens to rows that exist', async () => {
  const again = [shelf, { ...shelf, id: 'e' }];
  assert.equal(await database.insert('kernel.shelf', again, ['id', 'notes'], 'on conflict do nothing'), 1);
  await database.insert(
    'kernel.shelf',
    { ...shelf, bookCount: 9 },
    ['id', 'bookCount'],
    'on conflict (id) do update set book_count = excluded.book_count',
  );
  assert.equal(await database.count(`select book_count from kernel.shelf where id = 'a'`), 9);
});

test('an update writes only the named columns of the row with the id', async () => {
  const before = await all();
  assert.equal(await database.update('kernel.shelf', { ...shelf, bookCount: 0 }, ['bookCount']), true);
  assert.deepEqual(
    await all(),
    before.map((one) => (one.id === 'a' ? { ...one, bookCount: 0 } : one)),
  );
  assert.equal(await database.update('kernel.shelf', { ...shelf, id: 'nowhere' }, ['bookCount']), false);
});

test('a transaction that catches the error of a statement fails, since PostgreSQL has rolled it back', async () => {
  const swallowing = database.transaction(async (tx) => {
    await tx.insert('kernel.shelf', { id: 'lost' });
    await tx.all('select 1 / 0').catch(() => undefined);
    return 'done';
  });
  await assert.rejects(swallowing, /rolled back/);
  assert.equal(await database.count(`select count(*) from kernel.shelf where id = 'lost'`), 0);
});
