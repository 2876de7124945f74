import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownDatabase } from '../../../test/support/own-database.ts';
import { statement } from './queries.ts';

const { database } = await ownDatabase();

// A number that is drawn stays drawn, so that only the first attempt loses.
await database.execute(`
  create sequence public.attempt;
  create function public.lose_once() returns bigint language plpgsql as $$
  begin
    if nextval('public.attempt') = 1 then raise exception 'lost' using errcode = 'deadlock_detected'; end if;
    return 1;
  end $$`);
const loseOnce = statement<never>('tests.lose-once', 'select public.lose_once()');
const divide = statement<never>('tests.divide', 'select 1 / $1::int');

test('a transaction whose write lost to another is repeated, even if a query after it failed first', async () => {
  let attempts = 0;
  const answer = await database.transaction(async (tx) => {
    attempts++;
    tx.send(loseOnce, []);
    return tx.count('select 7');
  });
  assert.deepEqual([answer, attempts], [7, 2]);
});

test('a transaction whose statement lost to another is repeated, even if the next one, sent with it, was seen to fail first', async () => {
  await database.execute('alter sequence public.attempt restart');
  // Its failure passes through more functions than that of the next one.
  const throughFunctions = async (lose: () => Promise<unknown>): Promise<unknown> => {
    const lost = async () => await lose();
    return await (async () => await lost())();
  };
  let attempts = 0;
  const answers = await database.transaction(async (tx) => {
    attempts++;
    const both = Promise.all([throughFunctions(() => tx.count(loseOnce)), tx.sql('select 7')]);
    // Until both answers have arrived, so that they are read at once.
    for (const arrived = performance.now() + 200; performance.now() < arrived; );
    return both;
  });
  assert.deepEqual([answers[0], attempts], [1, 2]);
});

test('a transaction whose statement lost to another is repeated, even if its error was caught', async () => {
  await database.execute('alter sequence public.attempt restart');
  let attempts = 0;
  const answer = await database.transaction(async (tx) => {
    attempts++;
    return tx.count(loseOnce).catch(() => undefined);
  });
  assert.deepEqual([answer, attempts], [1, 2]);
});

test('a transaction fails for the reason for which its first statement failed', async () => {
  const failing = database.transaction(async (tx) => {
    tx.send(divide, [0]);
    await tx.count('select 7');
  });
  await assert.rejects(failing, { code: '22012' });
});

test('a transaction fails for the reason of its work when its writes succeed', async () => {
  const failing = database.transaction(async (tx) => {
    tx.send(divide, [1]);
    await tx.count('select 7');
    throw new Error('of the work');
  });
  await assert.rejects(failing, { message: 'of the work' });
});
