import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  beatWatchSession,
  endWatchSession,
  startWatchSession,
  unassignPermissions,
} from '../../../sdk/src/index.ts';
import { newCourse, newEducator } from '../../../test/support/courses.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { invalidId } from '../../kernel/failures.ts';
import { idMaker } from '../../kernel/ids.ts';
import { sessionStore } from './sessions.store.ts';
import { sessionEnded, sessionRules } from './sessions.ts';

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

const begin = async ({ client }: Member = ada): Promise<string> =>
  (await client.call(startWatchSession, { body: LESSON })).data.id;
const beating = (id: string) => ({ params: { id }, body: { positionSeconds: 3 } });
const beat = async (id: string) => (await ada.client.call(beatWatchSession, beating(id))).data;
const tryToBeat = (id: string, { client }: Member = ada) => client.attempt(beatWatchSession, beating(id));
const end = async (id: string) => (await ada.client.call(endWatchSession, { params: { id } })).data;
const SECOND = 1000;

test('a watch session lasts while heartbeats arrive', async () => {
  const id = await begin();
  clock.advance(30 * SECOND);
  assert.ok((await beat(id)).watchSecs >= 30);
  clock.advance(20 * SECOND);
  const ended = await end(id);
  assert.ok(ended.watchSecs >= 50 && ended.watchSecs < 60, `${ended.watchSecs}`);
  clock.advance(20 * SECOND);
  assert.deepEqual(await end(id), ended);
  assertRefused(await tryToBeat(id), sessionEnded);
});

test('a session without heartbeats ends at its last one, or with length zero', async () => {
  const silent = await begin();
  clock.advance(30 * SECOND);
  await beat(silent);
  clock.advance(61 * SECOND);
  assertRefused(await tryToBeat(silent), sessionEnded);
  const ended = await end(silent);
  assert.ok(ended.watchSecs >= 30 && ended.watchSecs < 40, `${ended.watchSecs}`);
  assert.equal(ended.endedAt, ended.lastHeartbeatAt);
  const unheard = await begin();
  clock.advance(30 * SECOND);
  assert.equal((await end(unheard)).watchSecs, 0);
});

test('sessions of other members are 404', async () => {
  const id = await begin();
  const foreign = [await tryToBeat(id, ben), await ben.client.attempt(endWatchSession, { params: { id } })];
  assert.deepEqual(
    foreign.map(({ status }) => status),
    [404, 404],
  );
});

test('an abandoned session is ended', async () => {
  const id = await begin();
  const heard = await begin(ben);
  clock.advance(270 * SECOND);
  await database.execute('update watching.session set seen_at = $2 where id = $1', [heard, clock.date()]);
  clock.advance(40 * SECOND);
  const [sweep] = sessionRules({
    store: sessionStore(database),
    identity: { cardsOf: async () => [] },
    watchables: [],
    database,
    clock,
    newId,
  }).jobs;
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

/** Starts a session and returns the educator for whom it counts. */
async function keptOf(body: object): Promise<string | null | undefined> {
  const { id } = (await ada.client.call(startWatchSession, { body: { ...LESSON, ...body } })).data;
  const row = await database.first<{ educatorId: string | null }>(
    'select educator_id as "educatorId" from watching.session where id = $1',
    [id],
  );
  return row?.educatorId;
}

const demote = (userId: string) =>
  platform.admin.call(unassignPermissions, { params: { userId }, body: { permissions: ['educator'] } });

test('the educator of a session is kept only if they are one', async () => {
  const [eda, former] = [await newEducator(platform), await newEducator(platform)];
  await demote(former.id);
  assert.equal(await keptOf({ educatorId: eda.id }), eda.id);
  for (const educatorId of [newId(), ben.id, former.id, null])
    assert.equal(await keptOf({ educatorId }), null);
});

test('a session of a lesson counts for the owner of its course, whomever the client names', async () => {
  const [{ owner, lessons }, other] = [await newCourse(platform), await newEducator(platform)];
  const contentId = lessons[0].id;
  for (const educatorId of [undefined, null, owner.id, other.id, newId()])
    assert.equal(await keptOf({ contentId, educatorId }), owner.id);
  assert.equal(await keptOf({ contentType: 'video', contentId, educatorId: other.id }), other.id);
  await demote(owner.id);
  assert.equal(await keptOf({ contentId, educatorId: other.id }), null);
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
