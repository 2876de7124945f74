import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from './area.ts';
import { historyOf } from './histories.ts';
import { shortest } from './shrinking.ts';

const later = (): number => performance.now() + 60_000;

test('a seed has one history, and another seed another one', () => {
  assert.deepEqual(historyOf(7), historyOf(7));
  assert.notDeepEqual(historyOf(7), historyOf(8));
});

test('a failing history is shortened to the commands that are needed for the failure', async () => {
  const history = historyOf(3);
  const needed = [history[4], history[11], history.at(-1)] as Command[];
  const found = await shortest(
    history,
    async (candidate) => needed.every((one) => candidate.includes(one)),
    later(),
  );
  assert.deepEqual(found, needed);
});

test('at the deadline, the shortest history found so far is returned', async () => {
  const history = historyOf(3);
  assert.deepEqual(await shortest(history, async () => true, performance.now() - 1), history);
});
