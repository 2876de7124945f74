import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import {
  closeTrade,
  createTrade,
  getOwnActivity,
  getOwnStatistics,
  listOwnEvents,
  listPopularEvents,
  trackEvent,
  trackEvents,
} from '../../../sdk/src/index.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid } from '../../../test/support/refused.ts';

const platform = await startPlatform();
const { admin, clock, newMember } = platform;
const ago = (ms: number): string => new Date(clock.now() - ms).toISOString();
const DAY = 86_400_000;

test('an accepted event is stored and visible to its member', async () => {
  const { client, id } = await newMember();
  const sent = await client.call(trackEvent, {
    body: {
      eventName: 'page.view',
      eventType: 'navigation',
      metadata: { path: '/home', deep: { a: [1, 'two'] } },
    },
  });
  assert.equal(sent.status, 202);
  assert.deepEqual(sent.data, { accepted: 1 });
  const { data, body } = await client.call(listOwnEvents);
  assert.equal(body.pagination.total, 1);
  assert.equal(data[0]?.userId, id);
  assert.equal(data[0]?.eventName, 'page.view');
  assert.deepEqual(data[0]?.metadata, { path: '/home', deep: { a: [1, 'two'] } });
});

test('an event id is counted once by each member within seven days', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  const event = { eventName: 'button.click', eventType: 'interaction', eventId: randomUUID() };
  assert.deepEqual((await ada.client.call(trackEvent, { body: event })).data, { accepted: 1 });
  assert.deepEqual((await ada.client.call(trackEvent, { body: event })).data, { accepted: 0 });
  assert.deepEqual((await ben.client.call(trackEvent, { body: event })).data, { accepted: 1 });
  const bulk = { events: [event, { ...event, eventId: randomUUID() }, { ...event, eventId: undefined }] };
  assert.deepEqual((await ada.client.call(trackEvents, { body: bulk })).data, {
    accepted: 2,
    duplicates: 1,
  });
  const twice = { events: [event, event].map((one) => ({ ...one, eventId: bulk.events[1]?.eventId })) };
  assert.deepEqual((await ben.client.call(trackEvents, { body: twice })).data, {
    accepted: 1,
    duplicates: 1,
  });
  await platform.database.execute(`update analytics.seen set received_at = received_at - interval '7 days'`);
  assert.deepEqual((await ada.client.call(trackEvent, { body: event })).data, { accepted: 1 });
});

test('an event that is too old refuses the whole batch, and a future one gets the current time', async () => {
  const { client } = await newMember();
  const at = (timestamp: string) => ({ eventName: 'late', eventType: 'engagement', timestamp });
  const refused = await client.attempt(trackEvents, {
    body: {
      events: [at(ago(1000)), at(ago(31 * DAY))],
    },
  });
  assertInvalid(refused);
  assert.deepEqual(
    refused.body.errors?.map(({ field }) => field),
    ['events.1.timestamp'],
  );
  assert.equal((await client.call(listOwnEvents)).body.pagination.total, 0);
  const events = [at(ago(29 * DAY)), at(ago(-3 * 60_000)), at(ago(-3_600_000))];
  assert.equal((await client.call(trackEvents, { body: { events } })).status, 202);
  const { data } = await client.call(listOwnEvents);
  assert.equal(data.length, 3);
  assert.equal(data[0]?.timestamp, events[1]?.timestamp);
  assert.ok(Math.abs(new Date(data[1]?.timestamp ?? 0).getTime() - clock.now()) < 60_000);
});

test('batches of more than a thousand events and malformed events are refused', async () => {
  const { client } = await newMember();
  const event = { eventName: 'x', eventType: 'y' };
  const many = { events: Array.from({ length: 1001 }, () => event) };
  assertInvalid(await client.attempt(trackEvents, { body: many }));
  assertInvalid(await client.attempt(trackEvents, { body: { events: [] } }));
  for (const bad of [
    { eventType: 'y' },
    { eventName: 'x' },
    { ...event, metadata: [] },
    { ...event, metadata: { big: 'x'.repeat(17_000) } },
    { ...event, timestamp: 'yesterday' },
    { ...event, eventId: 'urn:uuid:0b8f6f4e-5f0e-4c55-9a53-3c0f6f2f2a11' },
    { ...event, eventName: 'x'.repeat(101) },
  ])
    assertInvalid(await client.raw('POST', '/v1/analytics/track', bad), JSON.stringify(bad).slice(0, 80));
  const wrong = { eventType: 'y', timestamp: '2020-01-01T00:00:00Z' };
  const { body } = await client.raw('POST', '/v1/analytics/track', wrong);
  assert.deepEqual(body.errors?.map(({ field }) => field).sort(), ['eventName', 'timestamp']);
});

test('a member who invents too many names is limited without affecting others', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  const named = (from: number, count: number) => ({
    events: Array.from({ length: count }, (_, place) => ({
      eventName: `made-up-${from + place}`,
      eventType: 'x',
    })),
  });
  assert.equal((await ada.client.call(trackEvents, { body: named(0, 150) })).status, 202);
  const refused = await ada.client.attempt(trackEvents, { body: named(200, 100) });
  assert.deepEqual([refused.status, refused.body.error], [429, 'TOO_MANY_EVENT_NAMES']);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal((await ada.client.call(listOwnEvents)).body.pagination.total, 150);
  assert.equal((await ada.client.call(trackEvents, { body: named(0, 150) })).status, 202);
  assert.equal((await ada.client.call(trackEvents, { body: named(200, 50) })).status, 202);
  assert.equal((await ben.client.call(trackEvents, { body: named(500, 10) })).status, 202);
});

test('names and types are kept apart, even if they look alike when joined', async () => {
  const { client } = await newMember();
  const events = [
    { eventName: 'c', eventType: 'a\nb' },
    { eventName: 'b\nc', eventType: 'a' },
  ];
  await client.call(trackEvents, { body: { events } });
  const { data } = await client.call(listOwnEvents);
  assert.deepEqual(data.map(({ eventName, eventType }) => [eventName, eventType]).toSorted(), [
    ['b\nc', 'a'],
    ['c', 'a\nb'],
  ]);
});

test('the own statistics of a member agree with their actions', async () => {
  const { client } = await newMember();
  const event = (eventName: string, timestamp?: string) => ({
    eventName,
    eventType: 'engagement',
    timestamp,
  });
  const events = [
    ...Array.from({ length: 3 }, () => event('a')),
    event('b', ago(6 * DAY)),
    event('b', ago(8 * DAY)),
    event('b', ago(29 * DAY)),
    event('c', ago(10 * DAY)),
  ];
  await client.call(trackEvents, { body: { events } });
  const closeAt = { exitPrice: 3 };
  for (const [direction, closes] of [
    ['long', true],
    ['short', true],
    ['long', false],
  ] as const) {
    const { data } = await client.call(createTrade, { body: { symbol: 'EURUSD', direction, entryPrice: 2 } });
    if (closes) await client.call(closeTrade, { params: { tradeId: data.id }, body: closeAt });
  }
  const { data } = await client.call(getOwnStatistics);
  assert.deepEqual(data, {
    totalEvents: 7,
    eventsThisWeek: 4,
    eventsThisMonth: 7,
    mostCommonEvents: [
      { eventName: 'a', count: 3 },
      { eventName: 'b', count: 3 },
      { eventName: 'c', count: 1 },
    ],
    engagement: { posts: 0, comments: 0, reactions: 0 },
    trading: { trades: 3, winRate: 50 },
    education: { coursesEnrolled: 0, lessonsCompleted: 0 },
  });
  const { data: activity } = await client.call(getOwnActivity, { query: { days: 9 } });
  assert.equal(
    activity.reduce((sum, { events }) => sum + events, 0),
    5,
  );
  assertInvalid(await client.attempt(getOwnActivity, { query: { timezone: 'Mars' } }));
});

test('events of the platform are recorded with the change and kept apart from those of clients', async () => {
  const { client } = await newMember();
  const popular = async (source: 'client' | 'platform' | 'all'): Promise<Map<string, number>> =>
    new Map(
      (await admin.call(listPopularEvents, { query: { source } })).data.map(({ eventName, count }) => [
        eventName,
        count,
      ]),
    );
  const before = await popular('platform');
  await client.call(createTrade, { body: { symbol: 'XAUUSD', direction: 'long', entryPrice: 2 } });
  await client.call(trackEvent, { body: { eventName: 'trade.created', eventType: 'trading' } });
  const after = await popular('platform');
  assert.equal(after.get('trade.created'), (before.get('trade.created') ?? 0) + 1);
  assert.equal((await popular('client')).get('trade.created'), 1);
  assert.equal((await client.call(listOwnEvents)).body.pagination.total, 1);
});

test('daily activity handles unusual names and time zones unknown to PostgreSQL', async () => {
  const { client } = await newMember();
  const names = ['one', 'two\nlines', 'two\u2028lines', '__proto__', 'toString', '7'];
  const events = names.map((eventName) => ({ eventName, eventType: 'odd', timestamp: ago(DAY) }));
  assert.equal((await client.call(trackEvents, { body: { events } })).status, 202);
  // Clients know the first two; PostgreSQL may know neither.
  for (const timezone of ['US/Pacific-New', 'Asia/Calcutta', 'UTC']) {
    const { data, status } = await client.call(getOwnActivity, { query: { timezone } });
    assert.equal(status, 200, timezone);
    const date = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(clock.now() - DAY);
    assert.deepEqual(
      data.map((day) => ({ ...day, breakdown: Object.entries(day.breakdown).toSorted() })),
      [{ date, events: names.length, breakdown: names.map((name) => [name, 1]).toSorted() }],
    );
  }
});
