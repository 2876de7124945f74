import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANSWERED } from '../support/indicators.ts';
import { startPlatform } from '../support/platform.ts';
import { askWithLongestTexts } from './longest-texts.ts';
import { unexpected } from './world.ts';

const platform = await startPlatform({ ...ANSWERED, FFMPEG_PATH: '/there/is/no/ffmpeg' });

test('the database can store the longest texts that the description allows', async (t) => {
  const { count, granted, faults } = await askWithLongestTexts(platform, 1);
  t.diagnostic(`${count} requests, ${granted.size} operations granted`);
  assert.ok(granted.size > 50, `${granted.size} operations granted`);
  for (const { request, what } of faults) console.error(`Request ${request}: ${what}`);
  assert.deepEqual(
    faults.map(({ what }) => what),
    [],
  );
  assert.deepEqual(unexpected(platform.logged), [], 'errors in the log');
});
