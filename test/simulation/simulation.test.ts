import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inLanes } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { historyOf } from './histories.ts';
import { play } from './playing.ts';
import { startRedises } from './redis.ts';
import { makeWorld } from './world.ts';

const SEEDS = 20;
/** How many histories are played at a time: they often wait, but other tests run at the same time. */
const AT_ONCE = 4;

const { url, drop } = await newDatabase();
after(drop);

test('the platform agrees with its models after random faults, for the first seeds', async () => {
  const world = await makeWorld(url);
  const redises = await startRedises(AT_ONCE);
  await inLanes(SEEDS, AT_ONCE, async (number, lane) => {
    const { fault, story } = await play(historyOf(number + 1), world, redises[lane]);
    assert.equal(fault, undefined, `seed ${number + 1}\n${story.join('\n')}\n${fault}`);
  });
});
