import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { askFunnel, deleteUser } from '../../../sdk/src/index.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid } from '../../../test/support/refused.ts';
import { type Tracked, trackerOf } from '../../../test/support/tracking.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../kernel/time/time.ts';
import { funnelOf } from './funnel.ts';
import { funnelStates } from './funnel-states.ts';

const platform = await startPlatform();
const { admin, clock, database, newMember } = platform;
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

/** How many members reached each step, by one statement over the rows of the events. */
const reachedByRows = (names: string[], from: Date, to: Date, windowMs: number) =>
  database.all<{ depth: number; members: number }>(
    `with step as (
       select n.no, s.step from unnest($1::text[]) with ordinality as s (name, step)
       join analytics.reported n on n.name = s.name and n.source = 'client'),
     reached as (
       select e.person, analytics.depth(
         array_agg(((date_part('epoch', e.occurred_at) * 1000)::bigint << 5) | (31 - step.step)
           order by ((date_part('epoch', e.occurred_at) * 1000)::bigint << 5) | (31 - step.step)),
         $4::bigint, $5::integer) as depth
       from analytics.event e join step on step.no = e.name
       where e.occurred_at >= $2 and e.occurred_at < $3 group by e.person)
     select depth, count(*) as members from reached where depth > 0 group by depth`,
    [names, from, to, windowMs, names.length],
  );

test('a funnel equals a statement over the rows, however much is packed and whatever arrives late', async () => {
  const base = Math.floor(clock.now() / DAY_MS) * DAY_MS - 12 * DAY_MS;
  const scenario = fc.record({
    // A coarse grid over four hours: many events at one instant, of one member too, and at the ends of hours.
    more: fc.array(
      fc.record({
        member: fc.integer({ min: 0, max: 5 }),
        name: fc.constantFrom('look', 'try', 'buy'),
        at: fc.oneof(
          fc.integer({ min: 0, max: 23 }).map((place) => base + place * 10 * 60_000),
          fc.integer({ min: 1, max: 4 }).map((hour) => base + hour * HOUR_MS - 1),
        ),
      }),
      { maxLength: 20 },
    ),
    type: fc.constantFrom('shop', 'market'),
    addUp: fc.boolean(),
    pack: fc.boolean(),
    steps: fc.array(fc.constantFrom('look', 'try', 'buy'), { minLength: 1, maxLength: 5 }),
    windowSeconds: fc.constantFrom(1, 600, 1800, 7200, 14_400),
    from: fc.integer({ min: 0, max: 12 }),
    length: fc.integer({ min: 1, max: 24 }),
  });
  let wasPacked = false;
  await fc.assert(
    fc.asyncProperty(scenario, async (one) => {
      await track(one.more, one.type);
      if (one.addUp) await platform.platform.runJob('analytics.add-up');
      if (one.pack) await platform.platform.runJob('analytics.pack');
      wasPacked ||= (await database.count('select count(*) from analytics.packed')) > 0;
      const from = new Date(base + one.from * 10 * 60_000);
      const to = new Date(from.getTime() + one.length * 10 * 60_000);
      const { data } = await admin.call(askFunnel, {
        body: {
          eventSequence: one.steps,
          startDate: from.toISOString(),
          endDate: new Date(to.getTime() - 1).toISOString(),
          windowSeconds: one.windowSeconds,
        },
      });
      const reached = await reachedByRows(one.steps, from, to, one.windowSeconds * SECOND_MS);
      assert.deepEqual(data, funnelOf(one.steps.length, reached));
    }),
    { numRuns: 40 },
  );
  assert.ok(wasPacked);
});

test('events are packed once their hour has ended, and an erased member still counts anonymously', async () => {
  const [first, second] = [await newMember(), await newMember()];
  const hourMs = Math.floor(clock.now() / HOUR_MS) * HOUR_MS;
  const trackTwo = trackerOf(platform, [first, second]);
  await trackTwo(
    [
      { member: 0, name: 'settle.begin', at: hourMs - 2 * HOUR_MS },
      { member: 0, name: 'settle.end', at: hourMs - 1 },
      { member: 1, name: 'settle.begin', at: hourMs - HOUR_MS },
      { member: 1, name: 'settle.end', at: clock.now() },
    ],
    'settle',
  );
  const packedHours = () =>
    database.count(
      `select count(*) from analytics.packed join analytics.name on no = packed.name where type = 'settle'`,
    );
  const counts = async () => {
    const { data } = await admin.call(askFunnel, {
      body: { eventSequence: ['settle.begin', 'settle.end'], windowSeconds: 7200 },
    });
    return data.funnel.map(({ count }) => count);
  };
  await platform.platform.runJob('analytics.add-up');
  clock.advance(10 * 60_000);
  await platform.platform.runJob('analytics.pack');
  const packed = await packedHours();
  assert.ok(packed === 3 || packed === 4, `${packed} hours of a name`); // four in the last minutes of an hour
  assert.deepEqual(await counts(), [2, 2]);
  await admin.call(deleteUser, { params: { userId: first.id } });
  await until(
    async () =>
      (await database.count('select count(*) from analytics.person where user_id = $1', [first.id])) === 0,
    'the erasure',
  );
  assert.deepEqual(await counts(), [2, 2]);
});

test('members are counted alike in one pass and in several', () => {
  const chain = (pairs: [number, number][]): Buffer => {
    const buffer = Buffer.alloc(8 * pairs.length);
    pairs
      .toSorted(([a], [b]) => a - b)
      .forEach(([at, member], place) => {
        buffer.writeInt32BE(at, 8 * place);
        buffer.writeInt32BE(member, 8 * place + 4);
      });
    return buffer;
  };
  const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 12 })));
  fc.assert(
    fc.property(pairs, pairs, pairs, (one, two, three) => {
      const chains = [one, two, three].flatMap((all, name) =>
        all.length === 0 ? [] : [{ hourMs: 0, name, chain: chain(all) }],
      );
      const pass = (firstMember: number, members: number): number[] => {
        const states = funnelStates({
          // Two names are the first step, and one of them is also the last.
          stepsOf: new Map([
            [0, [0]],
            [1, [0, 2]],
            [2, [1]],
          ]),
          steps: 3,
          windowMs: 6,
          fromMs: 1,
          toMs: 9,
          firstMember,
          members,
        });
        for (const _ of states.add(0, chains));
        return states.depths().map((reached) => reached.members);
      };
      const [lower, upper] = [pass(1, 5), pass(6, 7)];
      assert.deepEqual(
        pass(1, 12),
        lower.map((count, place) => count + (upper[place] as number)),
      );
    }),
  );
});

test('without dates, a funnel covers the last thirty days', async () => {
  const longAgo = clock.now() - 30 * DAY_MS;
  await track(
    [
      { member: 0, name: 'joined', at: longAgo + HOUR_MS },
      { member: 1, name: 'joined', at: clock.now() - HOUR_MS },
    ],
    'default',
  );
  const { data } = await admin.call(askFunnel, { body: { eventSequence: ['joined'] } });
  assert.equal(data.totalUsers, 2);
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
  const wrong = { eventSequence: [], startDate: '2026-02-02', endDate: '2026-02-01' };
  const { body } = await admin.raw('POST', '/v1/analytics/funnel', wrong);
  assert.deepEqual(body.errors?.map(({ field }) => field).sort(), ['eventSequence', 'startDate']);
});
