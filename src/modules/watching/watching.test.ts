import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { beatWatchSession, endWatchSession, startWatchSession } from '../../../sdk/src/index.ts';
import type { Loose } from '../../../test/support/client.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { invalidId } from '../../kernel/failures.ts';
import { idMaker } from '../../kernel/ids.ts';
import type { WatchFilter } from './contract.ts';
import { keepSome } from './keeping.ts';
import { sessionStore } from './sessions.store.ts';
import { sessionEnded, sessionRules } from './sessions.ts';
import { viewerStore } from './viewers.store.ts';
import { watchedStore } from './watched.store.ts';

const platform = await startPlatform();
const { clock, database } = platform;
const [ada, ben] = [await platform.newMember(), await platform.newMember()];
const newId = idMaker(clock);
const LESSON = {
  contentType: 'lesson' as const,
  contentId: newId(),
  educatorId: newId(),
  platform: 'web' as const,
};

const begin = async (of: Loose = ada, draft: Loose = LESSON): Promise<string> => {
  const { status, data } = await of.client.call(startWatchSession, { body: draft });
  assert.equal(status, 201);
  return data.id;
};
const beat = (id: string, of: Loose = ada) =>
  of.client.attempt(beatWatchSession, { params: { id }, body: { positionSeconds: 3 } });
const end = (id: string, of: Loose = ada) => of.client.attempt(endWatchSession, { params: { id } });
const SECOND = 1000;

test('a watch session lasts while heartbeats arrive', async () => {
  const id = await begin();
  clock.advance(30 * SECOND);
  const beaten = await beat(id);
  assert.deepEqual([beaten.status, beaten.data.watchSecs >= 30], [200, true]);
  clock.advance(20 * SECOND);
  const ended = await end(id);
  assert.ok(ended.data.watchSecs >= 50 && ended.data.watchSecs < 60, `${ended.data.watchSecs}`);
  clock.advance(20 * SECOND);
  assert.deepEqual((await end(id)).data, ended.data);
  const late = await beat(id);
  assertRefused(late, sessionEnded);
});

test('a session without heartbeats ends at its last one, or with length zero', async () => {
  const silent = await begin();
  clock.advance(30 * SECOND);
  await beat(silent);
  clock.advance(61 * SECOND);
  assertRefused(await beat(silent), sessionEnded);
  const { data } = await end(silent);
  assert.ok(data.watchSecs >= 30 && data.watchSecs < 40, `${data.watchSecs}`);
  assert.equal(data.endedAt, data.lastHeartbeatAt);
  const unheard = await begin();
  clock.advance(30 * SECOND);
  assert.equal((await end(unheard)).data.watchSecs, 0);
});

test('an abandoned session is ended, and sessions of other members are 404', async () => {
  const id = await begin();
  assert.deepEqual([(await beat(id, ben)).status, (await end(id, ben)).status], [404, 404]);
  const heard = await begin(ben);
  clock.advance(270 * SECOND);
  await database.execute('update watching.session set seen_at = $2 where id = $1', [heard, clock.date()]);
  clock.advance(40 * SECOND);
  const [sweep] = sessionRules({ store: sessionStore(database), database, clock, newId }).jobs;
  await sweep?.run?.({}, { signal: AbortSignal.timeout(60_000), attempt: 1 });
  const isOpen = async (one: string) =>
    (await database.count(
      'select count(*) from watching.session where id = $1 and ended_at is null and check_at > $2',
      [one, clock.date()],
    )) === 1;
  assert.deepEqual([await isOpen(id), await isOpen(heard)], [false, true]);
});

test('a member has at most five open sessions, also with concurrent starts', async () => {
  await Promise.all(Array.from({ length: 12 }, () => begin(ben)));
  const open = await database.count(
    'select count(*) from watching.session where user_id = $1 and ended_at is null',
    [ben.id],
  );
  assert.equal(open, 5);
});

test('the watched content must exist and be accessible', async () => {
  const wrong = async (change: object) =>
    (await ada.client.attempt(startWatchSession, { body: { ...LESSON, ...change } })).status;
  assert.equal(await wrong({ contentType: 'film' }), 422);
  assert.equal(await wrong({ platform: 'tv' }), 422);
  assert.equal(await wrong({ contentId: 'x' }), 400);
  assert.equal(await wrong({ educatorId: null }), 201);
  assertRefused(
    await ada.client.attempt(beatWatchSession, { params: { id: 'x' }, body: {} }),
    invalidId('watch session'),
  );
});

/** Neither a quarter of an hour nor a day divides into it. */
const UNIT_MS = 100 * 60 * SECOND;

interface Session {
  user: number;
  educator: number;
  content: number;
  platform: 'ios' | 'web';
  type: 'lesson' | 'video';
  start: number;
  length: number;
  isOpen: boolean;
}

/** Units are of a hundred minutes: sessions last up to 23 hours and twenty minutes. */
const sessions = fc.array(
  fc.record<Session>({
    user: fc.integer({ min: 0, max: 3 }),
    educator: fc.integer({ min: 0, max: 3 }),
    content: fc.integer({ min: 0, max: 3 }),
    platform: fc.constantFrom('ios', 'web'),
    type: fc.constantFrom('lesson', 'video'),
    start: fc.integer({ min: 0, max: 60 }),
    length: fc.oneof(fc.integer({ min: 0, max: 14 }), fc.integer({ min: 0, max: 2 })),
    isOpen: fc.boolean(),
  }),
  { maxLength: 25 },
);
const window = fc.record({
  from: fc.integer({ min: 0, max: 60 }),
  length: fc.integer({ min: 1, max: 70 }),
  platform: fc.option(fc.constantFrom('ios' as const, 'web' as const), { nil: undefined }),
  contentType: fc.option(fc.constantFrom('lesson' as const, 'video' as const), { nil: undefined }),
  /** Hours after the origin until which sums are kept, if they are. */
  keptHours: fc.option(fc.integer({ min: 0, max: 150 }), { nil: undefined }),
  /** Of the board of viewers. */
  places: fc.integer({ min: 1, max: 4 }),
});

const named = (kind: string, number: number): string => `${kind.repeat(23)}${number}`;

/** The same by counting at each unit. */
function expected(all: Session[], { from, to }: { from: number; to: number }) {
  const openAt = (some: Session[], unit: number): number =>
    some.filter(({ start, length }) => start <= unit && unit < start + length).length;
  let best = { open: 0, at: -1 };
  for (let unit = from; unit < to; unit++) {
    const open = openAt(all, unit);
    if (open > best.open) best = { open, at: unit };
  }
  const within = ({ start, length }: Session): number =>
    Math.max(0, Math.min(to, start + length) - Math.max(from, start));
  const counted = all.filter((one) => within(one) > 0);
  return {
    peak: best.open,
    at: best.at,
    sessions: counted.length,
    secs: (counted.reduce((sum, one) => sum + within(one), 0) * UNIT_MS) / SECOND,
    viewers: new Set(counted.map(({ user }) => user)).size,
  };
}

/** Seconds in which at least one of the sessions was open. */
function unitedSecs(all: Session[], { from, to }: { from: number; to: number }): number {
  const isWatched = (unit: number): boolean =>
    all.some(({ start, length }) => start <= unit && unit < start + length);
  let units = 0;
  for (let unit = from; unit < to; unit++) if (isWatched(unit)) units++;
  return (units * UNIT_MS) / SECOND;
}

const store = (one: Session, at: (unit: number) => Date): Promise<number> =>
  database.execute(
    `insert into watching.session (id, user_id, educator_id, content_id, content_type, platform, started_at, seen_at,
       ended_at, check_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $7)`,
    [
      newId(),
      named('a', one.user),
      named('b', one.educator),
      named('c', one.content),
      one.type,
      one.platform,
      at(one.start),
      at(one.start + one.length),
      one.isOpen ? null : at(one.start + one.length),
    ],
  );

test('stored peaks and sums equal those counted moment by moment', async () => {
  const watched = { ...watchedStore(database), ...viewerStore(database) };
  await database.execute('delete from watching.session');
  await database.execute('delete from watching.kept');
  let day = 0;
  await fc.assert(
    fc.asyncProperty(
      sessions,
      window,
      async (all, { from, length, platform, contentType, keptHours, places }) => {
        // Each run has days of its own, so that sessions of another run stay out of its window.
        day += 14;
        const origin = Date.UTC(2090, 0, 1) + day * 24 * 3600 * SECOND;
        const at = (unit: number): Date => new Date(origin + unit * UNIT_MS);
        for (const one of all) await store(one, at);
        if (keptHours !== undefined)
          while (await keepSome(database, new Date(origin + keptHours * 3600 * SECOND)));
        const to = from + length;
        const filter: WatchFilter = { from: at(from), to: at(to), platform, contentType };
        const passing = all.filter(
          (one) => (!platform || one.platform === platform) && (!contentType || one.type === contentType),
        );
        const total = expected(passing, { from, to });
        assert.deepEqual(await watched.peak(filter), {
          peakConcurrent: total.peak,
          peakAt: total.peak === 0 ? null : at(total.at),
        });
        for (const types of [['lesson'], ['video'], ['lesson', 'video']] as const)
          assert.equal(
            await watched.seconds(filter, types),
            expected(
              all.filter(({ type }) => types.some((one) => one === type)),
              { from, to },
            ).secs,
          );
        const educators = await watched.topEducators(filter, { limit: 10 });
        const viewersOf = await watched.viewersOf(
          filter,
          educators.map(({ educatorId }) => educatorId),
        );
        assert.equal(
          educators.length,
          new Set(
            passing.filter((one) => expected([one], { from, to }).secs > 0).map(({ educator }) => educator),
          ).size,
        );
        for (const one of educators) {
          const its = expected(
            passing.filter(({ educator }) => named('b', educator) === one.educatorId),
            { from, to },
          );
          assert.deepEqual(
            [one.peakConcurrent, one.peakAt, one.watchSecs, one.sessions, viewersOf.get(one.educatorId)],
            [its.peak, at(its.at), its.secs, its.sessions, its.viewers],
          );
        }
        const peaks = educators.map(({ peakConcurrent }) => peakConcurrent);
        assert.deepEqual(
          peaks,
          peaks.toSorted((a, b) => b - a),
        );
        const viewers = await watched.topViewers(filter, { limit: places, except: [named('a', 0)] });
        for (const one of viewers) {
          const its = passing.filter(({ user }) => named('a', user) === one.userId);
          const inside = its.filter((session) => expected([session], { from, to }).secs > 0);
          assert.deepEqual(
            [one.watchSecs, one.sessions, one.contentCount],
            [
              unitedSecs(its, { from, to }),
              inside.length,
              new Set(inside.map(({ content }) => content)).size,
            ],
          );
        }
        const ranked = Map.groupBy(passing, ({ user }) => named('a', user));
        ranked.delete(named('a', 0));
        assert.deepEqual(
          viewers.map(({ userId, watchSecs }) => [userId, watchSecs]),
          [...ranked]
            .map(([userId, its]): [string, number] => [userId, unitedSecs(its, { from, to })])
            .filter(([, secs]) => secs > 0)
            .sort(([a, more], [b, less]) => less - more || (a < b ? -1 : 1))
            .slice(0, places),
        );
        let cut = 0;
        for await (const chunk of watched.intervals(filter))
          for (const { start, end } of chunk) cut += (end.getTime() - start.getTime()) / SECOND;
        assert.equal(cut, total.secs);
        const contents = await watched.topContents(filter, { limit: 20 });
        assert.equal(
          contents.reduce((sum, { watchSecs }) => sum + watchSecs, 0),
          total.secs,
        );
      },
    ),
    { numRuns: 40 },
  );
});
