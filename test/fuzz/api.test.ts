import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANSWERED } from '../support/indicators.ts';
import { startPlatform } from '../support/platform.ts';
import { budgetOf } from './budget.ts';
import { fuzz } from './fuzz.ts';
import { unexpected } from './world.ts';

// Without a transcoder, videos stay in processing as long as a test needs.
/**
 * Writes of operators that change nothing: the schedule of the stand-in is empty, the members whose factors are removed have
 * none, and no delivery has failed.
 */
const UNRECORDED = [
  'askFunnel',
  'presignProductImage',
  'removeFactorsOfUser',
  'replayDeliveries',
  'syncSchedule',
];

const platform = await startPlatform({ ...ANSWERED, FFMPEG_PATH: '/there/is/no/ffmpeg' });

test('every operation responds as described to valid and mutated requests', async (t) => {
  const budget = budgetOf(5_000);
  const { count, granted, unreached, uncalled, unrecorded, faults } = await fuzz(platform, budget);
  t.diagnostic(`seed ${budget.seed}: ${count} requests, ${granted.size} operations granted`);
  for (const { request, what, why, curl } of faults)
    console.error(`Seed ${budget.seed}, request ${request}: ${what}\n(${why})\n${curl}\n`);
  assert.deepEqual(faults, [], 'responses that violate the description');
  assert.deepEqual(unreached, [], 'operations that were never granted');
  assert.deepEqual(uncalled, [], 'operations that were never granted to the SDK');
  assert.deepEqual(unrecorded.sort(), UNRECORDED, 'writes of operators without an entry in the audit log');
  assert.deepEqual(unexpected(platform.logged), [], 'errors in the log');
  assert.deepEqual((await platform.platform.wallet.verify()).faults, [], 'faults of the ledger');
});
