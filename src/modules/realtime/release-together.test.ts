import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/live.ts';
import { releaseTogether } from './release-together.ts';

test('the first caller continues at once, and later ones together', async () => {
  const together = releaseTogether(60_000);
  await together();
  await until(async () => {
    const short = releaseTogether(50);
    await short();
    const [second, third] = [short(), short()];
    // On a busy machine the interval may end in between.
    if (second !== third) return false;
    await second;
    assert.notEqual(short(), second);
    return true;
  }, 'callers within one interval');
});

test('no caller waits longer than the interval, and none is forgotten', async () => {
  const together = releaseTogether(1);
  let released = 0;
  await Promise.all(
    Array.from({ length: 200 }, async (_, number) => {
      if (number % 20 === 0) await new Promise((resolve) => setTimeout(resolve, number / 10));
      await together();
      released++;
    }),
  );
  assert.equal(released, 200);
});
