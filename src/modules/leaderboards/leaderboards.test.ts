import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deleteUser,
  fundWalletAsAdmin,
  getLeaderboards,
  getLeaderboardsAsAdmin,
  transferKeys,
  unassignPermissions,
} from '../../../sdk/src/index.ts';
import type { TypesOf } from '../../../sdk/src/operation.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { untilAvailable } from '../../../test/support/holding.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid } from '../../../test/support/refused.ts';
import { stopClock } from '../../../test/support/stopped-clock.ts';

const platform = await startPlatform();
const { admin, clock, database, newMember, newMemberWith } = platform;
const SECOND = 1000;
const HOUR = 3_600 * SECOND;
const content = (n: number) => String(n).padStart(24, 'a');
const iso = (atMs: number) => new Date(atMs).toISOString();

/** Writes a session as it would have come to be. */
let sessions = 0;
async function watched(one: {
  userId: string;
  educatorId: string | null;
  from: number;
  to: number;
  type?: string;
  platform?: string;
  contentId?: string;
}): Promise<void> {
  await database.execute('delete from watching.kept'); // stored sums do not account for backdated sessions
  await database.execute(
    `insert into watching.session (id, user_id, content_type, content_id, educator_id, platform, started_at, seen_at,
       ended_at, check_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8)`,
    [
      String(++sessions).padStart(24, '0'),
      one.userId,
      one.type ?? 'livestream',
      one.contentId ?? content(1),
      one.educatorId,
      one.platform ?? 'web',
      new Date(one.from),
      new Date(one.to),
    ],
  );
}

type Query = TypesOf<typeof getLeaderboards>['query'];
const boards = async (query: Query) => (await admin.call(getLeaderboardsAsAdmin, { query })).data;
const give = (
  from: Member,
  to: Member,
  amount: number,
  metadata: TypesOf<typeof transferKeys>['body']['metadata'] = { gift: true, surface: 'educator' },
) => from.client.call(transferKeys, { body: { toUserId: to.id, amount, metadata } });

/** The watch sessions of three members with two educators within an hour. */
async function anHour() {
  const [ada, ben] = [await newEducator(platform), await newEducator(platform)];
  const [x, y, z] = [await newMember(), await newMember(), await newMember()];
  const start = Math.floor(clock.now() / HOUR) * HOUR - 48 * HOUR;
  const at = (seconds: number) => start + seconds * SECOND;
  // Two touch and do not overlap; one began before the window; one member has two at once.
  await watched({ userId: x.id, educatorId: ada.id, from: at(-50), to: at(10) });
  await watched({ userId: y.id, educatorId: ada.id, from: at(10), to: at(30) });
  await watched({ userId: x.id, educatorId: ada.id, from: at(20), to: at(40), contentId: content(2) });
  await watched({
    userId: x.id,
    educatorId: ben.id,
    from: at(25),
    to: at(35),
    type: 'lesson',
    platform: 'ios',
  });
  await watched({ userId: z.id, educatorId: null, from: at(28), to: at(29), type: 'story' });
  const window = { startDate: iso(at(0)), endDate: iso(at(3600)) };
  return { ada, ben, x, y, z, at, window };
}
const hour = await anHour();

test('boards contain the peaks, durations, ranks and totals of their period', async () => {
  const { ada, ben, x, y, z, at, window } = hour;
  const data = await boards(window);
  assert.equal(data.period.key, 'custom');
  assert.equal(data.period.startDate, iso(at(0)));
  assert.deepEqual(data.filters, { platform: null, contentType: null, limit: 10 });
  assert.equal(data.totals.platformPeakConcurrent, 4);
  assert.equal(data.totals.platformPeakAt, iso(at(28)));
  assert.deepEqual(
    data.topConcurrentEducators.map((row) => [
      row.rank,
      row.educatorId,
      row.peakConcurrent,
      row.peakAt,
      row.watchSecs,
      row.sessions,
      row.uniqueViewers,
      row.name,
    ]),
    [
      [1, ada.id, 2, iso(at(20)), 50, 3, 2, 'Test Member'],
      [2, ben.id, 1, iso(at(25)), 10, 1, 1, 'Test Member'],
    ],
  );
  assert.deepEqual(
    data.topViewers.map((row) => [row.rank, row.userId, row.watchSecs, row.sessions, row.contentCount]),
    [
      // Of the three sessions, two overlap for ten seconds.
      [1, x.id, 30, 3, 2],
      [2, y.id, 20, 1, 1],
      [3, z.id, 1, 1, 1],
    ],
  );
  assert.deepEqual(data.topViewers[0]?.contentTypes, ['lesson', 'livestream']);
});

test('boards are filtered by platform and content type, and have at most 50 rows', async () => {
  const { ben, window } = hour;
  const onIos = await boards({ ...window, platform: 'ios', limit: 1 });
  assert.equal(onIos.totals.platformPeakConcurrent, 1);
  assert.deepEqual(
    onIos.topConcurrentEducators.map(({ educatorId }) => educatorId),
    [ben.id],
  );
  assert.equal((await boards({ ...window, limit: 1000 })).filters.limit, 50);
  assert.equal((await boards({ ...window, contentType: 'meeting' })).topViewers.length, 0);
});

test('an educator without the permission leaves the boards', async () => {
  const { ada, ben, at } = hour;
  await admin.call(unassignPermissions, { params: { userId: ben.id }, body: { permissions: ['educator'] } });
  const later = await boards({ startDate: iso(at(0)), endDate: iso(at(3601)) });
  assert.deepEqual(
    later.topConcurrentEducators.map(({ educatorId }) => educatorId),
    [ada.id],
  );
});

test('invented educators do not displace others from the board', async () => {
  const ada = await newEducator(platform);
  const member = await newMember();
  const start = Math.floor(clock.now() / HOUR) * HOUR - 90 * HOUR;
  for (let n = 0; n < 60; n++) {
    const educatorId = String(n).padStart(24, 'f');
    for (let k = 0; k < 2; k++)
      await watched({ userId: member.id, educatorId, from: start, to: start + 1000 + n });
  }
  await watched({ userId: member.id, educatorId: ada.id, from: start, to: start + 1000 });
  const data = await boards({ startDate: iso(start), endDate: iso(start + HOUR) });
  assert.deepEqual(
    data.topConcurrentEducators.map(({ educatorId, peakConcurrent }) => [educatorId, peakConcurrent]),
    [[ada.id, 1]],
  );
});

test('gift boards count gifts between members, without the names of deleted ones', async () => {
  const since = clock.now() - 1;
  const [rich, poor, third] = [await newMemberWith(100), await newMemberWith(50), await newMember()];
  await give(rich, poor, 10);
  await give(rich, third, 20);
  await give(poor, third, 5);
  await give(rich, third, 50, {});
  await admin.call(fundWalletAsAdmin, { body: { userId: third.id, amount: 1000, metadata: { gift: true } } });
  const data = await boards({ startDate: iso(since) });
  assert.deepEqual(
    { ...data.totals, platformPeakAt: 0, platformPeakConcurrent: 0 },
    { platformPeakAt: 0, platformPeakConcurrent: 0, giftedKeys: 35, gifts: 3, gifters: 2, giftRecipients: 2 },
  );
  const rows = (board: (typeof data)['topGifters' | 'topGifted']) =>
    board.map(({ rank, userId, keys, gifts, counterparties }) => [rank, userId, keys, gifts, counterparties]);
  assert.deepEqual(rows(data.topGifters), [
    [1, rich.id, 30, 2, 2],
    [2, poor.id, 5, 1, 1],
  ]);
  assert.deepEqual(rows(data.topGifted), [
    [1, third.id, 25, 2, 2],
    [2, poor.id, 10, 1, 1],
  ]);
  assert.equal(data.partial, false);
  await admin.call(deleteUser, { params: { userId: rich.id }, body: { remainingKeys: 'forfeit' } });
  const later = await boards({ startDate: iso(since - 1) });
  assert.equal(later.topGifters[0]?.userId, rich.id);
  assert.deepEqual(
    [later.topGifters[0]?.name, later.topGifters[0]?.username, later.topGifters[0]?.slug],
    ['', '', null],
  );
});

test('boards that name a member are deleted with the member, also those that nobody sees any more', async () => {
  const since = clock.now() - 1;
  const [gone, other] = [await newMemberWith(10), await newMember()];
  await give(gone, other, 10);
  const window = { startDate: iso(since) };
  assert.ok((await boards(window)).topGifters[0]?.name);
  const naming = () =>
    database.count('select count(*) from leaderboards.board where strpos(payload::text, $1) > 0', [gone.id]);
  assert.ok((await naming()) > 0);
  await database.execute('update leaderboards.board set fresh_until = $1', [new Date(0)]);
  await admin.call(deleteUser, { params: { userId: gone.id } });
  await until(async () => (await naming()) === 0, 'the deletion of the boards');
  assert.equal((await boards(window)).topGifters[0]?.name, '');
});

test('without the wallet both gift boards are empty and marked as unavailable', async () => {
  const window = { startDate: iso(clock.now() - 60 * HOUR) };
  await platform.standIn('wallet', { mode: 'fail' });
  const data = await boards(window);
  assert.deepEqual([data.partial, data.unavailable], [true, ['gifting']]);
  assert.deepEqual([data.topGifters, data.topGifted, data.totals.gifts], [[], [], 0]);
  assert.ok(data.topViewers.length > 0);
  await platform.standIn('wallet', { mode: 'ok' });
  clock.advance(6 * SECOND);
  assert.equal((await boards(window)).partial, false);
});

test('a board is built at most every 120 seconds, also for concurrent requests', async () => {
  const { client } = await newMember();
  const ask = async () => (await client.call(getLeaderboards)).data;
  const answers = await Promise.all(Array.from({ length: 30 }, ask));
  assert.equal(new Set(answers.map(({ lastUpdated }) => lastUpdated)).size, 1);
  assert.equal(answers[0]?.period.key, '7d');
  const built = Date.parse(answers[0]?.lastUpdated ?? '');
  clock.set(built + 110 * SECOND);
  assert.equal((await ask()).lastUpdated, answers[0]?.lastUpdated);
  // The two minutes begin once it has been built, which takes seconds on a busy machine.
  clock.set(built + 180 * SECOND);
  assert.notEqual((await ask()).lastUpdated, answers[0]?.lastUpdated);
});

test('a period of one day includes its first and last millisecond', async () => {
  const { period } = await boards({
    period: '24h',
    endDate: iso(Math.floor(clock.now() / HOUR) * HOUR - 1),
  });
  assert.equal(Date.parse(period.endDate) + 1 - Date.parse(period.startDate), 24 * HOUR);
});

test('who still watched when the period ended is shown as having watched until its end, not beyond', async () => {
  const { x, at } = hour;
  const lastOf = async (from: number, endDate: string) =>
    (await boards({ startDate: iso(at(from)), endDate })).topViewers.find(({ userId }) => userId === x.id)
      ?.lastWatchedAt;
  assert.equal(await lastOf(-50, iso(at(0) - 1)), iso(at(0) - 1));
  assert.equal(await lastOf(0, iso(at(9))), iso(at(9)));
  assert.equal(await lastOf(0, iso(at(50))), iso(at(40)));
});

test('rate-limiting one member does not affect the boards of others', async (t) => {
  stopClock(t, platform.clock);
  const [eager, other] = [await newMember(), await newMember()];
  const startDate = iso(clock.now() - 7 * HOUR);
  const ask = ({ client }: typeof eager, more: Query) =>
    client.attempt(getLeaderboards, { query: { startDate, ...more } });
  for (let place = 0; place < 20; place++) assert.equal((await ask(eager, { limit: place + 1 })).status, 200);
  const [refused, answered] = await Promise.all([
    ask(eager, { contentType: 'story' }),
    ask(other, { contentType: 'story' }),
  ]);
  assert.deepEqual([refused.status, answered.status], [429, 200]);
});

test('invalid periods and excessive requests are refused', async () => {
  const { client } = await newMember();
  const ask = (query: string) => client.raw('GET', `/v1/analytics/leaderboards?${query}`);
  for (const query of [
    'period=1y',
    'limit=0',
    'platform=tv',
    'contentType=film',
    'startDate=2026-02-02&endDate=2026-02-01',
    'startDate=2001-01-01',
    'startDate=tomorrow',
  ])
    assertInvalid(await ask(query), query);
  const statuses = await Promise.all(
    Array.from({ length: 30 }, (_, place) => {
      const startDate = iso(clock.now() - place * 1000);
      return untilAvailable(() => ask(`startDate=${startDate}`));
    }),
  );
  assert.ok(statuses.some(({ status }) => status === 429));
  assert.ok(statuses.every(({ status }) => status === 429 || status === 200));
});
