import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  aggregateEvents,
  askFunnel,
  closeTrade,
  createTrade,
  deleteUser,
  getDashboard,
  getOwnStatistics,
  listEventName,
  listEventTypes,
  listOwnEvents,
  listPopularEvents,
  signIn,
  trackEvent,
  trackEvents,
} from '../../../sdk/src/index.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid } from '../../../test/support/refused.ts';
import { funnelOf } from './funnel.ts';
import { memberStore } from './members.store.ts';

const platform = await startPlatform();
const { admin, clock, database, newMember } = platform;
const SECOND = 1000;
const DAY = 86_400 * SECOND;
const members = await Promise.all(Array.from({ length: 6 }, () => newMember()));
const RUN = Math.random().toString(36).slice(2, 8);
let round = 0;

interface Told {
  member: number;
  name: string;
  at: number;
}

const listed = new Set<string>();
/** Tells of events in an arbitrary order, each member in bulks. Their names are counted by themselves. */
async function tell(events: Told[], type: string): Promise<void> {
  for (const { name } of events) {
    if (listed.has(`${name} ${type}`)) continue;
    listed.add(`${name} ${type}`);
    const body = { eventName: name, eventType: type, reason: 'For this test' };
    assert.equal((await admin.call(listEventName, { body })).status, 200);
  }
  await Promise.all(
    members.map(async ({ client }, member) => {
      const own = events.filter((one) => one.member === member);
      if (own.length === 0) return;
      const bulk = own.map(({ name, at }) => ({
        eventName: name,
        eventType: type,
        timestamp: new Date(at).toISOString(),
      }));
      const { status, body } = await client.call(trackEvents, { body: { events: bulk } });
      assert.equal(status, 202, JSON.stringify(body));
    }),
  );
}

/** How many steps one member gets, by trying every chain. */
function deepest(own: Told[], steps: string[], windowMs: number): number {
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
  const base = Math.floor(clock.now() / DAY) * DAY - 10 * DAY;
  const names = ['a', 'b', 'c'];
  const scenario = fc.record({
    told: fc.array(
      fc.record({
        member: fc.integer({ min: 0, max: 5 }),
        name: fc.constantFrom(...names),
        at: fc.integer({ min: 0, max: 40 }).map((second) => base + second * SECOND),
      }),
      { minLength: 1, maxLength: 60 },
    ),
    steps: fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }),
    windowSeconds: fc.integer({ min: 1, max: 40 }),
    from: fc.integer({ min: 0, max: 20 }),
    length: fc.integer({ min: 0, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ told, steps, windowSeconds, from, length }) => {
      const prefix = `${RUN}${++round}`;
      await tell(
        told.map((one) => ({ ...one, name: `${prefix}${one.name}` })),
        'funnel',
      );
      const [start, end] = [base + from * SECOND, base + (from + length) * SECOND];
      const inside = told.filter(({ at }) => at >= start && at <= end);
      const depths = members.map((_, member) =>
        deepest(
          inside.filter((one) => one.member === member),
          steps,
          windowSeconds * SECOND,
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

/** The first day of the local period of an instant, by another way than the program's. */
function periodOf(at: number, groupBy: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, hourCycle: 'h23' }).format(at);
  if (groupBy === 'month') return parts.slice(0, 7);
  if (groupBy === 'day') return parts;
  const day = new Date(`${parts}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

test('aggregates equal a scan of the events, however much is precomputed', async () => {
  const told: (Told & { type: string })[] = [];
  const scenario = fc.record({
    more: fc.array(
      fc.record({
        member: fc.integer({ min: 0, max: 5 }),
        name: fc.constantFrom('open', 'close'),
        at: fc.integer({ min: 60_000, max: 29 * DAY }).map((ago) => clock.now() - ago),
      }),
      { maxLength: 25 },
    ),
    groupBy: fc.constantFrom('day', 'week', 'month'),
    // PostgreSQL does not know the last one.
    timezone: fc.constantFrom('UTC', 'Asia/Kolkata', 'America/New_York', 'Asia/Kathmandu', 'US/Pacific-New'),
    byName: fc.boolean(),
    byType: fc.boolean(),
    from: fc.option(fc.integer({ min: 0, max: 29 * DAY })),
    addUp: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ more, groupBy, timezone, byName, byType, from, addUp }) => {
      const type = `aggregate-${RUN}`;
      await tell(
        more.map((one) => ({ ...one, name: `${RUN}-${one.name}` })),
        type,
      );
      told.push(...more.map((one) => ({ ...one, type })));
      if (addUp) await platform.platform.runJob('analytics.add-up');
      const start = from === null ? undefined : clock.now() - from;
      const query = {
        groupBy,
        timezone,
        ...(byName ? { eventName: `${RUN}-open` } : {}),
        ...(byType || !byName ? { eventType: type } : {}),
        ...(start === undefined ? {} : { startDate: new Date(start).toISOString() }),
      };
      const expected = [
        ...Map.groupBy(
          told.filter(({ name, at }) => (!byName || name === 'open') && at >= (start ?? 0)),
          ({ at }) => periodOf(at, groupBy, timezone),
        ),
      ]
        .map(([period, events]) => ({
          period,
          ...(byType || !byName ? { eventType: type } : {}),
          ...(byName ? { eventName: `${RUN}-open` } : {}),
          count: events.length,
          uniqueUsers: new Set(events.map(({ member }) => member)).size,
        }))
        .sort((a, b) => (a.period < b.period ? -1 : 1));
      const { data } = await admin.call(aggregateEvents, { query });
      assert.deepEqual(data, expected, JSON.stringify(query));
    }),
    { numRuns: 40 },
  );
  const csv = await admin.call(aggregateEvents, { query: { eventType: `aggregate-${RUN}`, format: 'csv' } });
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
    const gap = before?.person === person ? (at.getTime() - before.at.getTime()) / SECOND : Infinity;
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
      const late = Math.floor(Math.random() * 5 * DAY);
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
    fc.integer({ min: 0, max: 12 * DAY }),
    fc.integer({ min: 0, max: 12 * 96 }).map((slot) => slot * 900 * SECOND),
    fc.integer({ min: 0, max: 12 }).map((day) => day * DAY),
  );
  const base = Math.floor(now / DAY) * DAY - 12 * DAY;
  const scenario = fc.record({
    more: fc.array(
      fc.record({
        member: fc.integer({ min: 0, max: 5 }),
        name: fc.constantFrom('page.view', `${RUN}-span`, `${RUN}-span-2`),
        at: instant.map((ms) => Math.min(base + ms, now)),
      }),
      { maxLength: 12 },
    ),
    ends: fc.tuple(instant, instant),
    addUp: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ more, ends, addUp }) => {
      await tell(more, `span-${RUN}`);
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
        { eventName: `${RUN}-span` },
        { eventType: `span-${RUN}` },
        { eventName: 'never' },
      ] as { eventName?: string; eventType?: string }[]) {
        const passing = events.filter(
          ({ name, type }) =>
            (!filter.eventName || name === filter.eventName) &&
            (!filter.eventType || type === filter.eventType),
        );
        const crowd = await memberStore.crowdOf(database, { source: 'client', ...filter });
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

test('the dashboard counts platform events by their period', async () => {
  const before = (await admin.call(getDashboard, { query: { period: '7d' } })).data;
  const [{ client }] = members as [(typeof members)[0]];
  const { data: trade } = await client.call(createTrade, {
    body: {
      symbol: 'EURUSD',
      direction: 'long',
      entryPrice: 1,
    },
  });
  await client.call(closeTrade, { params: { tradeId: trade.id }, body: { exitPrice: 2 } });
  const rich = await platform.newMemberWith(0);
  const checkout = await platform.checkout(rich, 50);
  await platform.pay(checkout.link);
  const revenue = async () =>
    (await admin.call(getDashboard, { query: { period: '7d' } })).data.overview.totalRevenue;
  await until(async () => (await revenue()) > before.overview.totalRevenue, 'the payment');
  const { data } = await admin.call(getDashboard, { query: { period: '7d' } });
  assert.equal(data.overview.totalRevenue, before.overview.totalRevenue + checkout.usd);
  assert.equal(data.overview.newUsers, before.overview.newUsers + 1);
  assert.equal(data.overview.totalUsers, before.overview.totalUsers + 1);
  assert.equal(data.trading.tradesCreated, before.trading.tradesCreated + 1);
  assert.equal(data.trading.tradesWon, before.trading.tradesWon + 1);
  assert.equal(data.trading.winRate, 100);
  clock.advance(8 * DAY);
  const signedIn = await platform.client.call(signIn, {
    body: {
      email: 'admin@example.com',
      password: 'an administrator for tests',
      platform: 'web',
    },
  });
  const then = platform.client.as(signedIn.data.accessToken);
  const later = (await then.call(getDashboard, { query: { period: '7d' } })).data;
  assert.equal(later.trading.tradesCreated, 0);
  assert.equal(later.trading.winRate, 0);
  assert.equal(later.previous.trading.tradesCreated, data.trading.tradesCreated);
  clock.advance(-8 * DAY);
});

test('dropping the events of a month keeps counts and member statistics', async () => {
  const { client } = await newMember();
  const gone = { eventName: 'long.ago', eventType: 'engagement' };
  const { status } = await client.call(trackEvents, { body: { events: [gone, gone] } });
  assert.equal(status, 202);
  await database.execute(
    `update analytics.event set occurred_at = date_trunc('month', now()) - interval '5 days' + interval '1 hour'
     where own_name = 'long.ago'`,
  );
  await database.execute(
    `update analytics.own_day set day = (date_trunc('month', now()) - interval '5 days')::date where own_name = 'long.ago'`,
  );
  await database.execute(
    `update analytics.own_slot set slot = date_trunc('month', now()) - interval '5 days' where own_name = 'long.ago'`,
  );
  const other = async () =>
    (await admin.call(listPopularEvents)).data.find(({ eventName }) => eventName === 'other')?.count;
  const before = await other();
  clock.advance(440 * DAY);
  await platform.platform.runJob('analytics.turn-months');
  clock.advance(-440 * DAY);
  const { data } = await client.call(getOwnStatistics);
  assert.equal(data.totalEvents, 2);
  assert.deepEqual(data.mostCommonEvents, [{ eventName: 'long.ago', count: 2 }]);
  assert.equal((await client.call(listOwnEvents)).body.pagination.total, 0);
  assert.equal(await other(), before);
});

test('deleting a member anonymizes their events and keeps the counts', async () => {
  const { client, id } = await newMember();
  await client.call(trackEvent, {
    body: {
      eventName: 'secret.thing',
      eventType: 'private',
      metadata: { note: 'Xanthippeia' },
    },
  });
  // A client that puts a person's words into the name of an event.
  await client.call(trackEvent, { body: { eventName: 'note.Xanthippeia', eventType: 'private' } });
  const countOfOther = async () =>
    (await admin.call(listEventTypes)).data.find(({ eventType }) => eventType === 'other')?.count;
  const counted = await countOfOther();
  await admin.call(deleteUser, { params: { userId: id } });
  await until(
    async () =>
      (await database.count('select count(*) from analytics.person where user_id = $1', [id])) === 0,
    'the erasure',
  );
  assert.equal(
    await database.count(`select count(*) from analytics.event where metadata::text like '%Xanthippeia%'`),
    0,
  );
  for (const table of ['event', 'own_day', 'own_slot', 'past'])
    assert.equal(
      await database.count(`select count(*) from analytics.${table} where own_name like '%Xanthippeia%'`),
      0,
      table,
    );
  assert.equal(await database.count(`select count(*) from analytics.candidate where user_id = $1`, [id]), 0);
  assert.equal(await countOfOther(), counted);
});
