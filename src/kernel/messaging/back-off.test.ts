import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { requestLoad } from './back-off.ts';

/** Returns whether work that has just kept the event loop busy must wait. */
async function mustWait(requests: number): Promise<boolean> {
  const end = new AbortController();
  const load = requestLoad();
  const turn = load.backOff(end.signal);
  await tick();
  for (const untilMs = performance.now() + 50; performance.now() < untilMs; );
  for (let number = 0; number < requests; number++) load.countRequest();
  let isOver = false;
  const waiting = turn(1_000).then(() => {
    isOver = true;
  });
  await tick();
  const isWaiting = !isOver;
  end.abort();
  await waiting;
  return isWaiting;
}

test('low-priority work yields to requests, but not to other low-priority work', async () => {
  assert.equal(await mustWait(100), true);
  assert.equal(await mustWait(0), false);
});
