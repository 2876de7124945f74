import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { boardStore } from './boards.store.ts';
import { keptBoards } from './boards.ts';

const { clock, database } = await startPlatform();
const SECOND = 1000;
type Numbered = { number: number };

test('a board is built once for all processes, and by another if one fails', async () => {
  const store = boardStore(database);
  const processes = Array.from({ length: 4 }, () => keptBoards({ store, clock }));
  let builds = 0;
  const make = async () => {
    builds++;
    await sleep(30);
    return { partial: false, number: builds };
  };
  const all = await Promise.all(
    Array.from({ length: 12 }, (_, place) => processes[place % 4]?.('built-once', make)),
  );
  assert.equal(builds, 1);
  assert.deepEqual(new Set(all.map((board) => (board as Numbered).number)), new Set([1]));
  let attempts = 0;
  const failing = async () => {
    if (++attempts === 1) throw new Error('broken');
    return { partial: false, number: attempts };
  };
  const answers = await Promise.allSettled(processes.map((boards) => boards('built-again', failing)));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
  ]);
  assert.equal(attempts, 2);
});

test('a board is rebuilt by another process only if its builder was killed', async () => {
  const store = boardStore(database);
  const untilMs = async (): Promise<number> => {
    const [row] = await database.all<{ until: Date }>(
      `select building_until as until from leaderboards.board where key = 'long'`,
    );
    return Number(row?.until ?? 0);
  };
  assert.equal(
    (await store.claim('killed', clock.date(), new Date(clock.now() + 6 * SECOND))).isBuilder,
    true,
  );
  const board = keptBoards({ store, clock })('killed', async () => ({ partial: false, number: 1 }));
  clock.advance(6 * SECOND);
  assert.equal(((await board) as Numbered).number, 1);

  const end = Promise.withResolvers<void>();
  let builds = 0;
  const long = async () => {
    builds++;
    await end.promise;
    return { partial: false };
  };
  const first = keptBoards({ store, clock })('long', long);
  await until(async () => (await untilMs()) > 0, 'the builder');
  const begunMs = await untilMs();
  clock.advance(5 * SECOND);
  await until(async () => (await untilMs()) > begunMs, 'more time for the builder');
  clock.advance(5 * SECOND);
  const second = keptBoards({ store, clock })('long', long);
  end.resolve();
  await Promise.all([first, second]);
  assert.equal(builds, 1);
});

test('a board that was being built when a member was deleted is not kept', async () => {
  const store = boardStore(database);
  const end = Promise.withResolvers<void>();
  const board = keptBoards({ store, clock })('begun', async () => {
    await end.promise;
    return { partial: false, number: 1 };
  });
  const kept = () => database.count(`select count(*) from leaderboards.board where key = 'begun'`);
  await until(async () => (await kept()) === 1, 'the builder');
  await store.forgetMember(database, 'a'.repeat(24));
  end.resolve();
  assert.equal(((await board) as Numbered).number, 1);
  assert.equal(await kept(), 0);
});
