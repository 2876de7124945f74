import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { newDatabase } from '../support/databases.ts';
import { databaseWire, type Verdict } from './database-wire.ts';

const { url, drop } = await newDatabase('template0');
after(drop);
const onBackgroundError = () => undefined;
const direct = openDatabase({ url, connections: 1, onBackgroundError });
after(direct.close);
await direct.execute('create table written (word text)');

/** A pool whose connections get a verdict at the first statement after `after` others. */
function breaking(after: number, verdict: Verdict) {
  let left: number | undefined;
  const { searchParams, pathname } = new URL(url);
  const wire = databaseWire(searchParams.get('host') as string, () => {
    if (left === undefined || left-- > 0) return 'pass';
    left = undefined;
    return verdict;
  });
  const wired = `postgresql://${pathname}?host=${encodeURIComponent(wire.host)}&user=postgres`;
  const database = openDatabase({ url: wired, connections: 2, onBackgroundError });
  return {
    wire,
    database,
    arm: () => {
      left = after;
    },
  };
}
const written = async (word: string): Promise<boolean> =>
  (await direct.count('select count(*) from written where word = $1', [word])) > 0;

test('a statement takes effect if the connection breaks after it, and does not if it breaks before it', async () => {
  for (const [verdict, isDone] of [
    ['cut before', false],
    ['cut after', true],
  ] as const) {
    const { database, arm } = breaking(0, verdict);
    await database.ping();
    arm();
    await assert.rejects(database.execute('insert into written values ($1)', [verdict]));
    // The backend may not have finished the statement yet.
    while (isDone && !(await written(verdict)));
    assert.equal(await written(verdict), isDone);
    await database.ping();
    await database.close();
  }
});

test('a transaction is cut off between its last statement and its commit, which are sent together', async () => {
  const { database, arm } = breaking(1, 'cut after');
  await database.ping();
  arm();
  // `begin` is the first statement; the connection breaks after the second one, the insert.
  await assert.rejects(
    database.transaction((tx) => tx.execute('insert into written values ($1)', ['uncommitted'])),
  );
  assert.equal(await written('uncommitted'), false);
  await database.close();
});

test('a client that is cut off permanently cannot reach the database again', async () => {
  const { database, wire } = breaking(0, 'pass');
  await database.ping();
  wire.close();
  await assert.rejects(database.ping());
  await database.close();
});
