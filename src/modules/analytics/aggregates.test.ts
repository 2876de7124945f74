import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { aggregateEvents, getDashboard, trackEvents } from '../../../sdk/src/index.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { type Tracked, trackerOf } from '../../../test/support/tracking.ts';
import { DAY_MS, SECOND_MS } from '../../kernel/time/time.ts';
import { memberStore } from './members.store.ts';

const platform = await startPlatform();
const { admin, clock, database, newMember } = platform;
const members = await Promise.all(Array.from({ length: 6 }, () => newMember()));
const track = trackerOf(platform, members);

/** The first day of the local period of an instant, computed independently of the code under test. */
function periodOf(at: number, groupBy: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, hourCycle: 'h23' }).format(at);
  if (groupBy === 'month') return parts.slice(0, 7);
  if (groupBy === 'day') return parts;
  const day = new Date(`${parts}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

test('aggregates equal a scan of the events, however much is precomputed', async () => {
  const type = 'aggregated';
  const tracked: Tracked[] = [];
  const scenario = fc.record({
    more: fc.array(
      fc.record({
        member: fc.integer({ min: 0, max: 5 }),
        name: fc.constantFrom('open', 'close'),
        at: fc.integer({ min: 60_000, max: 29 * DAY_MS }).map((ago) => clock.now() - ago),
      }),
      { maxLength: 25 },
    ),
    groupBy: fc.constantFrom('day', 'week', 'month'),
    // PostgreSQL does not know the last one.
    timezone: fc.constantFrom('UTC', 'Asia/Kolkata', 'America/New_York', 'Asia/Kathmandu', 'US/Pacific-New'),
    byName: fc.boolean(),
    byType: fc.boolean(),
    from: fc.option(fc.integer({ min: 0, max: 29 * DAY_MS })),
    addUp: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ more, groupBy, timezone, byName, byType, from, addUp }) => {
      await track(more, type);
      tracked.push(...more);
      if (addUp) await platform.platform.runJob('analytics.add-up');
      const start = from === null ? undefined : clock.now() - from;
      const query = {
        groupBy,
        timezone,
        ...(byName ? { eventName: 'open' } : {}),
        ...(byType || !byName ? { eventType: type } : {}),
        ...(start === undefined ? {} : { startDate: new Date(start).toISOString() }),
      };
      const expected = [
        ...Map.groupBy(
          tracked.filter(({ name, at }) => (!byName || name === 'open') && at >= (start ?? 0)),
          ({ at }) => periodOf(at, groupBy, timezone),
        ),
      ]
        .map(([period, events]) => ({
          period,
          ...(byType || !byName ? { eventType: type } : {}),
          ...(byName ? { eventName: 'open' } : {}),
          count: events.length,
          uniqueUsers: new Set(events.map(({ member }) => member)).size,
        }))
        .sort((a, b) => (a.period < b.period ? -1 : 1));
      const { data } = await admin.call(aggregateEvents, { query });
      assert.deepEqual(data, expected, JSON.stringify(query));
    }),
    { numRuns: 40 },
  );
  const csv = await admin.call(aggregateEvents, { query: { eventType: type, format: 'csv' } });
  assert.match(String(csv.body), /^period,eventType,eventName,count,uniqueUsers\r\n2/);
});

/** The unfiltered aggregate and the dashboard, worked out from the events themselves. */
async function scanned() {
  const events = await database.all<{ person: string; at: Date; name: string }>(
    `select e.person, e.occurred_at as at, n.name from analytics.event e join analytics.name n on n.no = e.name
     where n.source = 'client' order by e.person, e.occurred_at`,
  );
  const byDay = Map.groupBy(events, ({ at }) => at.toISOString().slice(0, 10));
  const aggregate = [...byDay]
    .map(([period, all]) => ({
      period,
      count: all.length,
      uniqueUsers: new Set(all.map(({ person }) => person)).size,
    }))
    .sort((a, b) => (a.period < b.period ? -1 : 1));
  let [visits, seconds] = [0, 0];
  for (const [place, { person, at }] of events.entries()) {
    const before = events[place - 1];
    const gap = before?.person === person ? (at.getTime() - before.at.getTime()) / SECOND_MS : Infinity;
    if (gap <= 1800) seconds += gap;
    else visits++;
  }
  const pages = events.filter(({ name }) => name === 'page.view');
  return {
    aggregate,
    traffic: {
      pageViews: pages.length,
      uniqueVisitors: new Set(pages.map(({ person }) => person)).size,
      averageSessionDuration: visits === 0 ? 0 : Math.round(seconds / visits),
    },
    activeUsers: new Set(events.map(({ person }) => person)).size,
  };
}

test('precomputed sums equal a scan, also while events arrive', async () => {
  const view = (ago: number) => ({
    eventName: 'page.view',
    eventType: 'navigation',
    timestamp: new Date(clock.now() - ago).toISOString(),
  });
  let isOver = false;
  const writers = members.slice(0, 4).map(async ({ client }) => {
    for (let count = 0; !isOver && count < 60; count++) {
      const late = Math.floor(Math.random() * 5 * DAY_MS);
      const events = [view(count), view(late), view(late + 60_000)];
      assert.equal((await client.call(trackEvents, { body: { events } })).status, 202);
    }
  });
  const adding = (async () => {
    while (!isOver) await platform.platform.runJob('analytics.add-up');
  })();
  await Promise.all(writers);
  isOver = true;
  await adding;
  for (const addUp of [false, true]) {
    if (addUp) await platform.platform.runJob('analytics.add-up');
    const expected = await scanned();
    assert.deepEqual((await admin.call(aggregateEvents)).data, expected.aggregate);
    const { data } = await admin.call(getDashboard, { query: { period: '90d' } });
    assert.deepEqual(data.traffic, expected.traffic);
    assert.equal(data.overview.activeUsers, expected.activeUsers);
  }
});

test('active members of any period equal those of the events', async () => {
  const now = clock.now();
  const instant = fc.oneof(
    fc.integer({ min: 0, max: 12 * DAY_MS }),
    fc.integer({ min: 0, max: 12 * 96 }).map((slot) => slot * 900 * SECOND_MS),
    fc.integer({ min: 0, max: 12 }).map((day) => day * DAY_MS),
  );
  const base = Math.floor(now / DAY_MS) * DAY_MS - 12 * DAY_MS;
  const scenario = fc.record({
    more: fc.array(
      fc.record({
        member: fc.integer({ min: 0, max: 5 }),
        name: fc.constantFrom('page.view', 'span', 'span-2'),
        at: instant.map((ms) => Math.min(base + ms, now)),
      }),
      { maxLength: 12 },
    ),
    ends: fc.tuple(instant, instant),
    addUp: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ more, ends, addUp }) => {
      await track(more, 'spans');
      if (addUp) await platform.platform.runJob('analytics.add-up');
      const [from, to] = ends.toSorted((a, b) => a - b).map((ms) => new Date(base + ms)) as [Date, Date];
      const events = await database.all<{ person: string; name: string; type: string }>(
        `select e.person, n.name, n.type from analytics.event e join analytics.name n on n.no = e.name
         where n.source = 'client' and e.occurred_at >= $1 and e.occurred_at < $2`,
        [from, to],
      );
      for (const filter of [
        {},
        { eventName: 'page.view' },
        { eventName: 'span' },
        { eventType: 'spans' },
        { eventName: 'never' },
      ] as { eventName?: string; eventType?: string }[]) {
        const passing = events.filter(
          ({ name, type }) =>
            (!filter.eventName || name === filter.eventName) &&
            (!filter.eventType || type === filter.eventType),
        );
        const crowd = await memberStore.selectionOf(database, { source: 'client', ...filter });
        assert.equal(
          await memberStore.between(database, crowd, { from, to }),
          new Set(passing.map(({ person }) => person)).size,
          JSON.stringify(filter),
        );
      }
    }),
    { numRuns: 30 },
  );
});
