// Peaks and sums of watch sessions, as the store computes them, are those of a model that counts them moment by moment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startPlatform } from '../../../test/support/platform.ts';
import { idMaker } from '../../kernel/ids.ts';
import type { WatchFilter } from './contract.ts';
import { storeSums } from './stored-sums.ts';
import { viewerStore } from './viewers.store.ts';
import { watchedStore } from './watched.store.ts';

const { clock, database } = await startPlatform();
const newId = idMaker(clock);
const watched = { ...watchedStore(database), ...viewerStore(database) };
const SECOND = 1000;
const DAY_MS = 24 * 3600 * SECOND;

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
const windows = fc.record({
  from: fc.integer({ min: 0, max: 60 }),
  length: fc.integer({ min: 1, max: 70 }),
  platform: fc.option(fc.constantFrom('ios' as const, 'web' as const), { nil: undefined }),
  contentType: fc.option(fc.constantFrom('lesson' as const, 'video' as const), { nil: undefined }),
  /** Hours after the origin until which sums are kept, if they are. */
  keptHours: fc.option(fc.integer({ min: 0, max: 150 }), { nil: undefined }),
  /** Number of places on the board of viewers. */
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

/** The sessions of a run, those that pass its filter, and the filter: as units for the model, as times for the store. */
interface Run {
  all: Session[];
  passing: Session[];
  span: { from: number; to: number };
  at: (unit: number) => Date;
  filter: WatchFilter;
}

const secsOf = (run: Run, some: Session[]): number => expected(some, run.span).secs;

async function checkTotals({ all, passing, span, at, filter }: Run): Promise<void> {
  const total = expected(passing, span);
  assert.deepEqual(await watched.peak(filter), {
    peakConcurrent: total.peak,
    peakAt: total.peak === 0 ? null : at(total.at),
  });
  for (const types of [['lesson'], ['video'], ['lesson', 'video']] as const) {
    const ofTypes = all.filter(({ type }) => types.some((one) => one === type));
    assert.equal(await watched.seconds(filter, types), expected(ofTypes, span).secs);
  }
  let cut = 0;
  for await (const chunk of watched.intervals(filter))
    for (const { start, end } of chunk) cut += (end.getTime() - start.getTime()) / SECOND;
  assert.equal(cut, total.secs);
  const contents = await watched.topContents(filter, { limit: 20 });
  assert.equal(
    contents.reduce((sum, { watchSecs }) => sum + watchSecs, 0),
    total.secs,
  );
}

async function checkEducators(run: Run): Promise<void> {
  const { passing, span, at, filter } = run;
  const educators = await watched.topEducators(filter, { limit: 10 });
  const ids = educators.map(({ educatorId }) => educatorId);
  const viewersOf = await watched.viewersOf(filter, ids);
  const counted = passing.filter((one) => secsOf(run, [one]) > 0);
  assert.equal(educators.length, new Set(counted.map(({ educator }) => educator)).size);
  for (const one of educators) {
    const its = expected(
      passing.filter(({ educator }) => named('b', educator) === one.educatorId),
      span,
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
}

/** Checks a board of viewers with so many places, without the first user. */
async function checkViewers(run: Run, places: number): Promise<void> {
  const { passing, span, filter } = run;
  const viewers = await watched.topViewers(filter, { limit: places, except: [named('a', 0)] });
  for (const one of viewers) {
    const its = passing.filter(({ user }) => named('a', user) === one.userId);
    const inside = its.filter((session) => secsOf(run, [session]) > 0);
    const contents = new Set(inside.map(({ content }) => content));
    assert.deepEqual(
      [one.watchSecs, one.sessions, one.contentCount],
      [unitedSecs(its, span), inside.length, contents.size],
    );
  }
  const ranked = Map.groupBy(passing, ({ user }) => named('a', user));
  ranked.delete(named('a', 0));
  assert.deepEqual(
    viewers.map(({ userId, watchSecs }) => [userId, watchSecs]),
    [...ranked]
      .map(([userId, its]): [string, number] => [userId, unitedSecs(its, span)])
      .filter(([, secs]) => secs > 0)
      .sort(([a, more], [b, less]) => less - more || (a < b ? -1 : 1))
      .slice(0, places),
  );
}

test('stored peaks and sums equal those counted moment by moment', async () => {
  let day = 0;
  const property = fc.asyncProperty(sessions, windows, async (all, window) => {
    const { from, length, platform, contentType, keptHours, places } = window;
    // Each run has days of its own, so that sessions of another run stay out of its window.
    day += 14;
    const origin = Date.UTC(2090, 0, 1) + day * DAY_MS;
    const at = (unit: number): Date => new Date(origin + unit * UNIT_MS);
    for (const one of all) await store(one, at);
    if (keptHours !== undefined)
      while (await storeSums(database, new Date(origin + keptHours * 3600 * SECOND)));
    const to = from + length;
    const passing = all.filter(
      (one) => (!platform || one.platform === platform) && (!contentType || one.type === contentType),
    );
    const filter = { from: at(from), to: at(to), platform, contentType };
    const run: Run = { all, passing, span: { from, to }, at, filter };
    await checkTotals(run);
    await checkEducators(run);
    await checkViewers(run, places);
  });
  await fc.assert(property, { numRuns: 40 });
});
