import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { askFunnel } from '../../../sdk/src/index.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid } from '../../../test/support/refused.ts';
import { type Tracked, trackerOf } from '../../../test/support/tracking.ts';
import { DAY_MS, SECOND_MS } from '../../kernel/time/time.ts';
import { funnelOf } from './funnel.ts';

const platform = await startPlatform();
const { admin, clock, newMember } = platform;
const members = await Promise.all(Array.from({ length: 6 }, () => newMember()));
const track = trackerOf(platform, members);
let round = 0;

/** How many steps one member gets, by trying every chain. */
function deepest(own: Tracked[], steps: string[], windowMs: number): number {
  let best = 0;
  const go = (step: number, after: number, began: number): void => {
    best = Math.max(best, step);
    for (const { name, at } of own)
      if (step < steps.length && name === steps[step] && at > after && at - began <= windowMs)
        go(step + 1, at, began);
  };
  for (const { name, at } of own) if (name === steps[0]) go(1, at, at);
  return best;
}

test('a funnel equals an exhaustive search over the events', async () => {
  const base = Math.floor(clock.now() / DAY_MS) * DAY_MS - 10 * DAY_MS;
  const names = ['a', 'b', 'c'];
  const scenario = fc.record({
    tracked: fc.array(
      fc.record({
        member: fc.integer({ min: 0, max: 5 }),
        name: fc.constantFrom(...names),
        at: fc.integer({ min: 0, max: 40 }).map((second) => base + second * SECOND_MS),
      }),
      { minLength: 1, maxLength: 60 },
    ),
    steps: fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }),
    windowSeconds: fc.integer({ min: 1, max: 40 }),
    from: fc.integer({ min: 0, max: 20 }),
    length: fc.integer({ min: 0, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ tracked, steps, windowSeconds, from, length }) => {
      const prefix = `${++round}`;
      await track(
        tracked.map((one) => ({ ...one, name: `${prefix}${one.name}` })),
        'funnel',
      );
      const [start, end] = [base + from * SECOND_MS, base + (from + length) * SECOND_MS];
      const inside = tracked.filter(({ at }) => at >= start && at <= end);
      const depths = members.map((_, member) =>
        deepest(
          inside.filter((one) => one.member === member),
          steps,
          windowSeconds * SECOND_MS,
        ),
      );
      const expected = funnelOf(
        steps.length,
        depths.map((depth) => ({ depth, members: 1 })),
      );
      const { data } = await admin.call(askFunnel, {
        body: {
          eventSequence: steps.map((step) => `${prefix}${step}`),
          startDate: new Date(start).toISOString(),
          endDate: new Date(end).toISOString(),
          windowSeconds,
        },
      });
      assert.deepEqual(data, expected);
    }),
    { numRuns: 40 },
  );
});

test('a funnel without members has no shares, and one without steps is refused', async () => {
  const { data } = await admin.call(askFunnel, { body: { eventSequence: ['never', 'ever'] } });
  assert.deepEqual(data, {
    funnel: [
      { step: 1, count: 0, percentage: 0, dropoff: 0 },
      { step: 2, count: 0, percentage: 0, dropoff: 0 },
    ],
    conversionRate: 0,
    totalUsers: 0,
  });
  for (const body of [
    {},
    { eventSequence: [] },
    { eventSequence: Array.from({ length: 11 }, () => 'x') },
    { eventSequence: ['x'], windowSeconds: 0 },
    { eventSequence: ['x'], startDate: '2026-02-02', endDate: '2026-02-01' },
  ])
    assertInvalid(await admin.raw('POST', '/v1/analytics/funnel', body), JSON.stringify(body));
});
