import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inLanes } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { historyOf } from './histories.ts';
import { play } from './playing.ts';
import { makeWorld } from './world.ts';

const SEEDS = 20;
/** Histories wait often; other tests run beside them. */
const AT_ONCE = 4;

const { url, drop } = await newDatabase();
after(drop);

test('after any faults what was promised holds, for the first seeds (npm run simulate plays more)', async () => {
  const world = await makeWorld(url);
  await inLanes(SEEDS, AT_ONCE, async (number) => {
    const { fault, story } = await play(historyOf(number + 1), world);
    assert.equal(fault, undefined, `seed ${number + 1}\n${story.join('\n')}\n${fault}`);
  });
});
