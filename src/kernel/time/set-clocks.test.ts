import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inProcessCache } from '../distributed/in-process.ts';
import { circuitBreaker } from '../net/circuit-breaker.ts';
import { DAY_MS, MINUTE_MS, manualClock, SECOND_MS } from './time.ts';

// The time of day of a machine may be set back or forward by any amount while the platform runs.

test('a circuit that is open sends its probe after ten seconds, although the clock was set back', async () => {
  const clock = manualClock();
  const call = circuitBreaker(clock, () => new Error('refused'));
  const fails = () => call(() => Promise.reject(new Error('failed')));
  for (let count = 0; count < 5; count++) await assert.rejects(fails, { message: 'failed' });
  clock.step(-DAY_MS);
  await assert.rejects(fails, { message: 'refused' });
  clock.advance(10 * SECOND_MS);
  assert.equal(await call(async () => 'answered'), 'answered');
});

test('a circuit that is open stays so for ten seconds, although the clock was set forward', async () => {
  const clock = manualClock();
  const call = circuitBreaker(clock, () => new Error('refused'));
  for (let count = 0; count < 5; count++)
    await assert.rejects(
      call(() => Promise.reject(new Error('failed'))),
      { message: 'failed' },
    );
  clock.step(DAY_MS);
  await assert.rejects(
    call(async () => 'answered'),
    { message: 'refused' },
  );
});

test('a value is kept as long as it was to be, whatever the clock was set to', async () => {
  const clock = manualClock();
  const cache = inProcessCache(clock);
  await cache.set('key', 'value', MINUTE_MS);
  clock.step(DAY_MS);
  assert.equal(await cache.get('key'), 'value');
  clock.step(-2 * DAY_MS);
  clock.advance(MINUTE_MS);
  assert.equal(await cache.get('key'), undefined);
});

test('what was counted before the clock was set back by more than the period counts no longer', async () => {
  const clock = manualClock();
  const cache = inProcessCache(clock);
  const take = async () =>
    (await cache.consumeSliding('key', { lengthMs: MINUTE_MS, limit: 1 }, clock.now())).admitted;
  assert.equal(await take(), true);
  assert.equal(await take(), false);
  clock.step(-DAY_MS);
  assert.equal(await take(), true);
  assert.equal(await take(), false);
});
