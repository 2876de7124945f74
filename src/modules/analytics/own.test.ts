import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  getOwnActivity,
  getOwnStatistics,
  getProfile,
  listOwnEvents,
  trackEvent,
  trackEvents,
} from '../../../sdk/src/index.ts';
import { holding } from '../../../test/support/holding.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid } from '../../../test/support/refused.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/time/time.ts';

const platform = await startPlatform();
const { clock, database, newMember } = platform;
// Late in the evening in New York, three weeks after its clocks went back: 25 days earlier is not 25 times 24 hours ago.
clock.set(Date.UTC(new Date(clock.now()).getUTCFullYear() + 1, 10, 23, 4, 35));
type Member = Awaited<ReturnType<typeof newMember>>;

interface Sent {
  eventName: string;
  eventType: string;
  timestamp: string;
}

const sendAll = async ({ client }: Member, events: Sent[]): Promise<void> => {
  const { status, body } = await client.call(trackEvents, { body: { events } });
  assert.equal(status, 202, JSON.stringify(body));
};

const countsOf = (names: string[]): [string, number][] =>
  [...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]);

const dayOf = (instant: number | string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(instant));

/** The days with events among the last `days` calendar days of a time zone. */
function activityOf(events: Sent[], days: number, timezone: string) {
  const today = Date.parse(dayOf(clock.now(), timezone));
  const first = new Date(today - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  return [...Map.groupBy(events, ({ timestamp }) => dayOf(timestamp, timezone))]
    .filter(([date]) => date >= first)
    .map(([date, ofDay]) => ({
      date,
      events: ofDay.length,
      breakdown: Object.fromEntries(countsOf(ofDay.map(({ eventName }) => eventName))),
    }))
    .sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** Asserts that a list of a member's events contains those of the type and between the dates, newest first. */
async function assertListed(
  { client }: Member,
  events: Sent[],
  eventType?: string,
  from?: number,
  to?: number,
) {
  const query = {
    limit: 100,
    ...(eventType === undefined ? {} : { eventType }),
    ...(from === undefined ? {} : { startDate: new Date(from).toISOString() }),
    ...(to === undefined ? {} : { endDate: new Date(to).toISOString() }),
  };
  const passing = events.filter(({ eventType: type, timestamp }) => {
    const instant = Date.parse(timestamp);
    return (!eventType || type === eventType) && instant >= (from ?? 0) && instant <= (to ?? clock.now());
  });
  const { data, body } = await client.call(listOwnEvents, { query });
  assert.equal(body.pagination.total, passing.length, JSON.stringify(query));
  assert.deepEqual(
    data.map(({ timestamp }) => timestamp),
    passing.map(({ timestamp }) => timestamp).toSorted((a, b) => (a < b ? 1 : -1)),
  );
}

/** Asserts that a member's totals are those of the events. */
async function assertCounted({ client }: Member, events: Sent[]) {
  const { data } = await client.call(getOwnStatistics);
  const within = (days: number): number =>
    events.filter(({ timestamp }) => Date.parse(timestamp) >= clock.now() - days * DAY_MS).length;
  assert.deepEqual(
    [data.totalEvents, data.eventsThisWeek, data.eventsThisMonth],
    [events.length, within(7), within(30)],
  );
  assert.deepEqual(
    data.mostCommonEvents.map(({ eventName, count }) => [eventName, count]),
    countsOf(events.map(({ eventName }) => eventName)).sort(
      ([a, many], [b, few]) => few - many || (a < b ? -1 : 1),
    ),
  );
}

test('the statistics of a member equal a scan of the events, for any dates and time zone', async () => {
  const ago = fc.oneof(
    fc.integer({ min: 0, max: 29 * DAY_MS }),
    fc.integer({ min: 0, max: 29 }).map((day) => day * DAY_MS),
    fc.integer({ min: 0, max: 29 * 96 }).map((slot) => slot * 15 * MINUTE_MS),
  );
  const sent = fc.record({
    // One of the names is used by all members, the others by this member only.
    eventName: fc.constantFrom('page.view', 'mine', 'thine'),
    eventType: fc.constantFrom('navigation', 'odd'),
    ago,
  });
  const asked = fc.record({
    timezone: fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/New_York'),
    days: fc.integer({ min: 1, max: 31 }),
    eventType: fc.option(fc.constantFrom('navigation', 'odd', 'none'), { nil: undefined }),
    ends: fc.tuple(fc.option(ago), fc.option(ago)),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(sent, { minLength: 1, maxLength: 30 }),
      fc.array(asked, { minLength: 3, maxLength: 3 }),
      async (drafts, questions) => {
        const member = await newMember();
        const midnight = Math.floor(clock.now() / DAY_MS) * DAY_MS;
        const events = drafts.map(({ ago: ms, ...event }) => ({
          ...event,
          timestamp: new Date(midnight - ms).toISOString(),
        }));
        await sendAll(member, events);
        for (const { timezone, days, eventType, ends } of questions) {
          const { data } = await member.client.call(getOwnActivity, { query: { days, timezone } });
          assert.deepEqual(data, activityOf(events, days, timezone));
          const [from, to] = ends
            .filter((one) => one !== null)
            .map((ms) => midnight - ms)
            .toSorted((a, b) => a - b);
          await assertListed(member, events, eventType, from, to);
        }
        await assertCounted(member, events);
      },
    ),
    { numRuns: 12 },
  );
});

test('a member tracks at most 50,000 events a day, which limits nobody else', async () => {
  const [ada, ben] = (await Promise.all([newMember(), newMember()])) as [Member, Member];
  const event = { eventName: 'page.view', eventType: 'navigation' };
  const events = Array.from({ length: 1000 }, () => event);
  for (let lane = 0; lane < 10; lane++)
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        assert.equal((await ada.client.call(trackEvents, { body: { events } })).status, 202);
      }),
    );
  const refused = await ada.client.attempt(trackEvent, { body: event });
  assert.deepEqual([refused.status, refused.body.error], [429, 'TOO_MANY_EVENTS']);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal((await ben.client.call(trackEvent, { body: event })).status, 202);
  const { data } = await ada.client.call(getOwnStatistics);
  assert.deepEqual([data.totalEvents, data.eventsThisWeek], [50_000, 50_000]);
  const deep = await ada.client.attempt(listOwnEvents, { query: { page: 102, limit: 100 } });
  assert.deepEqual([deep.status, deep.body.errors?.[0]?.field], [422, 'page']);
  assert.equal((await ada.client.call(listOwnEvents, { query: { page: 101, limit: 100 } })).data.length, 100);
});

test('the cursor lists every event once, however many share an instant', async () => {
  const member = await newMember();
  const at = new Date(clock.now() - DAY_MS).toISOString();
  const later = new Date(clock.now() - DAY_MS / 2).toISOString();
  const events = [at, at, at, later, at, at, later].map((timestamp) => ({
    eventName: 'page.view',
    eventType: 'navigation',
    timestamp,
  }));
  await sendAll(member, events);
  const seen: string[] = [];
  for (let before: string | undefined; ; ) {
    const { data, body, status } = await member.client.call(listOwnEvents, {
      query: { limit: 2, ...(before && { before }) },
    });
    assert.deepEqual([status, body.pagination.total], [200, 7]);
    seen.push(...data.map(({ id }) => id));
    const last = data.at(-1);
    if (!last) break;
    before = `${last.timestamp}_${last.id}`;
  }
  const { data: whole } = await member.client.call(listOwnEvents);
  assert.deepEqual(
    seen,
    whole.map(({ id }) => id),
  );
  for (const wrong of ['x', `${at}_x`, `2026-99-99T00:00:00.000Z_${'0'.repeat(24)}`])
    assertInvalid(await member.client.attempt(listOwnEvents, { query: { before: wrong } }), wrong);
});

test('expensive queries of members delay neither each other nor the pool', async () => {
  const members = await Promise.all(Array.from({ length: 20 }, () => newMember()));
  for (const { client } of members)
    await client.call(trackEvent, { body: { eventName: 'page.view', eventType: 'navigation' } });
  const [first, ...others] = members as [Member, ...Member[]];
  const stats = ({ client }: Member) => client.attempt(getOwnStatistics);
  const answers = await holding(database, async (tx) => {
    await tx.execute('lock table analytics.own_day in access exclusive mode');
    const mine = Array.from({ length: 6 }, () => stats(first));
    const theirs = others.map(stats);
    let refused = 0;
    for (const answer of mine) void answer.then(({ status }) => status === 429 && refused++);
    await until(() => refused === 2, 'two refusals');
    // All other queries wait, but an ordinary request does not wait for them.
    assert.equal((await first.client.call(getProfile)).status, 200);
    return { mine, theirs };
  });
  const mine = await Promise.all(answers.mine);
  const refused = mine.filter(({ status }) => status !== 200);
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.error]),
    [
      [429, 'TOO_MANY_QUESTIONS'],
      [429, 'TOO_MANY_QUESTIONS'],
    ],
  );
  for (const { status, data } of await Promise.all(answers.theirs))
    assert.deepEqual([status, data?.totalEvents], [200, 1]);
});
