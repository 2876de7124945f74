import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPlatform } from '../../../test/support/platform.ts';
import type { Present } from './contract.ts';
import { presenceStore } from './presence.store.ts';

const { database } = await startPlatform();
const idOf = (number: number): string => `c${number.toString(16).padStart(23, '0')}`;
const ROOM = idOf(1_000_001);
const OTHER_ROOM = idOf(1_000_002);
const pairsOf = (from: number, to: number, roomId = ROOM): Present[] =>
  Array.from({ length: to - from }, (_, place) => ({ roomId, userId: idOf(from + place) }));

async function processOf(number: number) {
  const store = presenceStore(database, idOf(2_000_000 + number));
  await store.seen();
  return store;
}

test('a member connected through two processes is announced once and leaves with the last connection', async () => {
  const [one, two] = [await processOf(1), await processOf(2)];
  const [ada, ben] = pairsOf(0, 2) as [Present, Present];
  const elsewhere = { ...ada, roomId: OTHER_ROOM };
  assert.deepEqual(await one.enter([ada, ada]), [ada]);
  assert.deepEqual(await two.enter([ada, ben]), [ben]);
  assert.deepEqual(await one.enter([ada, elsewhere]), [elsewhere]);
  assert.deepEqual(await one.leave([ada, ben]), []);
  assert.deepEqual(await one.leave([ada]), []);
  assert.deepEqual(await two.leave([ada, ada]), [ada]);
  assert.deepEqual(await two.counts([ROOM, OTHER_ROOM]), [
    { roomId: ROOM, active: 1 },
    { roomId: OTHER_ROOM, active: 1 },
  ]);
  await two.leave([ben]);
  await one.leave([elsewhere]);
});

test('queries of presence use an index, even if the planner believes the table empty', async () => {
  const known = await processOf(3);
  // Plans are made for an empty table, as in the morning.
  await known.enter(pairsOf(0, 1));
  await known.leave(pairsOf(0, 1));
  await database.execute('analyze presence.present');
  await known.enter(pairsOf(0, 3_000));
  const reads = await database.transaction(async (tx) => {
    const inTransaction = presenceStore({ ...database, ...tx } as typeof database, idOf(2_000_003));
    const readSoFar = () =>
      tx.count(
        `select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables
         where schemaname = 'presence' and relname = 'present'`,
      );
    const before = await readSoFar();
    // Often enough for plans that do not know the values.
    for (let round = 0; round < 8; round++) {
      await inTransaction.enter(pairsOf(4_000 + 10 * round, 4_010 + 10 * round));
      await inTransaction.leave(pairsOf(10 * round, 10 + 10 * round));
    }
    return (await readSoFar()) - before;
  });
  // Twenty pairs a round, each read a few times; one look-up that reads the table would be 3,000.
  assert.ok(reads < 2_000, `${reads} rows were read`);
});
