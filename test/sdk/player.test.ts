import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, memoryStorage, playerOf } from '../../sdk/src/index.ts';
import { PASSWORD } from '../support/client.ts';
import { newCourse } from '../support/courses.ts';
import { startPlatform } from '../support/platform.ts';
import { clientOf, ok, refused } from '../support/sdk-hosts.ts';

const timestamp = '2026-01-01T00:00:00.000Z';

/** A platform that counts watch sessions and links. */
function watched(beats: () => Response = () => ok({}), more: Record<string, () => Response> = {}) {
  let sessions = 0;
  let links = 0;
  const { api, sent } = clientOf({
    '/watch-sessions': () => ok({ id: `session${++sessions}` }),
    '/heartbeat': beats,
    '/end': () => ok({}),
    '/progress': () => ok({}),
    '/video-status': () =>
      ok({ videoUrl: `link ${++links}`, expiresAt: '2026-01-01T06:00:00.000Z' }, { meta: { timestamp } }),
    ...more,
  });
  /** Method, end of the path and body of everything that was sent. */
  const requests = () =>
    sent.map(({ method, url, body }) =>
      `${method} ${url.split('/').slice(4).join('/')} ${body ?? ''}`.trim(),
    );
  return { player: playerOf(api, 'lesson', { educatorId: 'eda' }), requests };
}

test('a watch session lasts from the first report to the stop, and ends with the last position', async () => {
  const { player, requests } = watched();
  player.report(3.2);
  player.report(7.9);
  await player.stop();
  await player.stop();
  const [start, ...others] = requests();
  const body = { contentType: 'lesson', contentId: 'lesson', educatorId: 'eda', platform: 'web' };
  assert.equal(start, `POST watch-sessions ${JSON.stringify(body)}`);
  assert.deepEqual(others.sort(), [
    'POST watch-sessions/session1/end',
    'PUT lessons/lesson/progress {"positionSeconds":7}',
    'PUT watch-sessions/session1/heartbeat {"positionSeconds":7}',
  ]);
  player.report(8, true);
  await player.stop();
  const again = requests().slice(4);
  assert.ok(again.includes('POST watch-sessions/session2/end'));
  assert.ok(again.includes('PUT lessons/lesson/progress {"positionSeconds":8,"completed":true}'));
});

test('positions are sent every thirty seconds, and playback after a sleep is another session', async (t) => {
  let isAsleep = false;
  const { player, requests } = watched(() => (isAsleep ? refused(409, 'WATCH_SESSION_ENDED') : ok({})));
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const sessions = () => requests().filter((one) => one.startsWith('POST watch-sessions {')).length;
  const beats = () => requests().filter((one) => one.includes('heartbeat')).length;
  const settled = async (count: number) => {
    while (beats() < count) await new Promise(setImmediate);
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  };
  player.report(1);
  t.mock.timers.tick(29_999);
  assert.equal(beats(), 0);
  t.mock.timers.tick(1);
  await settled(1);
  isAsleep = true;
  player.report(31);
  t.mock.timers.tick(30_000);
  await settled(2);
  assert.equal(sessions(), 1);
  isAsleep = false;
  player.report(32);
  await player.stop();
  assert.equal(sessions(), 2);
});

test('that a lesson was completed is not lost by a later position, nor by a refusal', async () => {
  const progress = [() => refused(400, 'A_MOMENT'), () => ok({})];
  const { player, requests } = watched(undefined, {
    '/progress': () => (progress.shift() ?? (() => ok({})))(),
  });
  const sent = () => requests().filter((one) => one.includes('/progress'));
  player.report(60, true);
  player.report(60.4);
  await assert.rejects(player.stop(), { code: 'A_MOMENT' });
  player.report(61);
  await player.stop();
  player.report(62);
  await player.stop();
  assert.deepEqual(sent(), [
    'PUT lessons/lesson/progress {"positionSeconds":60,"completed":true}',
    'PUT lessons/lesson/progress {"positionSeconds":61,"completed":true}',
    'PUT lessons/lesson/progress {"positionSeconds":62}',
  ]);
});

test('a watch session that could not be begun is begun by a later report', async (t) => {
  let isAway = true;
  const start = () => (isAway ? refused(400, 'A_MOMENT') : ok({ id: 'later' }));
  const { player, requests } = watched(undefined, { '/watch-sessions': start });
  const starts = () => requests().filter((one) => one.startsWith('POST watch-sessions {')).length;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  for (let second = 0; second < 30; second++) player.report(second);
  t.mock.timers.tick(30_000);
  while (!requests().some((one) => one.includes('/progress'))) await new Promise(setImmediate);
  isAway = false;
  assert.equal(starts(), 1);
  player.report(31);
  await player.stop();
  assert.equal(starts(), 2);
  assert.ok(requests().includes('POST watch-sessions/later/end'));
});

test('after the refusal of those who are not enrolled, only the watch session goes on', async () => {
  const { player, requests } = watched(undefined, { '/progress': () => refused(403, 'NOT_ENROLLED') });
  const count = (part: string) => requests().filter((one) => one.includes(part)).length;
  player.report(3);
  await player.stop();
  player.report(60, true);
  await player.stop();
  assert.deepEqual([count('/progress'), count('/heartbeat'), count('/end')], [1, 2, 2]);
});

test('a preview plays for members who are not enrolled, and a lesson for its educator', async () => {
  const platform = await startPlatform();
  const { owner, lessons } = await newCourse(platform, { course: { price: 5 }, lesson: { preview: true } });
  const apiKey = (await platform.newKey('mobile')).key;
  for (const { id, email } of [await platform.newMember(), owner]) {
    const api = createClient({ apiKey, baseUrl: platform.url, storage: memoryStorage() });
    await api.auth.signIn({ email, password: PASSWORD, platform: 'web' });
    const player = playerOf(api, lessons[0].id);
    player.report(7);
    await player.stop();
    player.report(60, true);
    await player.stop();
    const sessions = await platform.database.all<{ position: number }>(
      'select position_seconds as position from watching.session where user_id = $1 order by id',
      [id],
    );
    assert.deepEqual(
      sessions.map(({ position }) => position),
      [7, 60],
    );
  }
});

test('a link is asked for once, and again when the storage has refused it', async () => {
  const { player } = watched();
  const link = await player.url();
  assert.equal(await player.url(), link);
  assert.notEqual(await player.url(link), link);
});
