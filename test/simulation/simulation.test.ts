import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newDatabase } from '../support/databases.ts';
import { AT_ONCE, PROCESSES } from './ground.ts';
import { startRedises } from './redis.ts';
import { startWorkers } from './workers.ts';
import { makeWorld } from './world.ts';

const SEEDS = 20;

const { url, drop } = await newDatabase();
after(drop);

test('the platform agrees with its models after random faults, for the first seeds', async (t) => {
  const world = await makeWorld(url);
  const workers = startWorkers({ world, redises: await startRedises(AT_ONCE * PROCESSES) });
  t.after(() => workers.end());
  const failed = await workers.play(1, SEEDS, () => undefined);
  assert.equal(failed?.fault, undefined, `seed ${failed?.seed}\n${failed?.story.join('\n')}`);
});
