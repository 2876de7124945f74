import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createLivestream,
  getLivestream,
  type Livestream,
  listLivestreamsOnAir,
  listNotifications,
  runJobQueue,
  signIn,
  startLivestream,
  updateLivestream,
} from '../../../sdk/src/index.ts';
import { PASSWORD } from '../../../test/support/client.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { HOUR_MS } from '../../kernel/time/time.ts';
import { notScheduled } from './livestreams.ts';

// Livestreams that nobody ends, or that never began.

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { client, clock } = platform;
const ada = await newEducator(platform);

/** Tokens last for less than the tests move the clock, so each request has one of its own. */
async function host() {
  const body = { email: ada.email, password: PASSWORD, platform: 'web' } as const;
  return client.as((await client.call(signIn, { body })).data.accessToken);
}

const at = (hours: number): string => new Date(clock.now() + hours * HOUR_MS).toISOString();

async function plan(from: number, to: number): Promise<string> {
  const body = { title: 'Gold at noon', scheduledStart: at(from), scheduledEnd: at(to) };
  return (await (await host()).call(createLivestream, { body })).data.id;
}
const start = async (livestreamId: string) =>
  (await host()).call(startLivestream, { params: { livestreamId } });
const read = async (livestreamId: string): Promise<Livestream> =>
  (await (await host()).call(getLivestream, { params: { livestreamId } })).data;

/** Moves the clock and runs the job; `closed` is the last livestream that it closes. */
async function pass(hours: number, closed: string): Promise<void> {
  clock.advance(hours * HOUR_MS);
  await (await platform.signInAdmin()).call(runJobQueue, {
    params: { queue: 'livestreams.close-forgotten' },
  });
  await until(async () => ['ended', 'cancelled'].includes((await read(closed)).status), 'it is over');
}

test('a livestream that nobody ends is ended twelve hours after its planned end, and the host is told of nobody', async () => {
  const [long, early, over] = [await plan(0, 3), await plan(20, 21), await plan(0, 1)];
  for (const id of [long, early, over]) await start(id);
  await pass(13, over);
  assert.deepEqual([(await read(long)).status, (await read(early)).status], ['live', 'live']);
  const ended = await read(over);
  assert.deepEqual([ended.status, ended.endedAt], ['ended', ended.updatedAt]);
  await pass(2, long);
  assert.deepEqual(
    (await client.call(listLivestreamsOnAir)).data.map(({ id }) => id),
    [early],
    'its own time is still to come',
  );
  await pass(18, early);
  const { data: told } = await (await host()).call(listNotifications);
  assert.deepEqual(
    told.filter(({ type }) => type !== 'welcome'),
    [],
  );
});

test('a late start counts from the start, and one that nobody starts is cancelled a day after its planned end', async () => {
  const [late, planned] = [await plan(0, 10), await plan(0, 1)];
  clock.advance(9.9 * HOUR_MS);
  await start(late);
  clock.advance(11 * HOUR_MS);
  await (await host()).call(updateLivestream, {
    params: { livestreamId: late },
    body: { scheduledStart: at(-21), scheduledEnd: at(-20) },
  });
  await pass(4.5, planned);
  assert.equal((await read(planned)).status, 'cancelled');
  assert.equal((await read(planned)).endedAt, null);
  assert.equal((await read(late)).status, 'ended');
});

test('a livestream starts before its time, and late as long as it is not cancelled', async () => {
  await start(await plan(700, 701));
  await start(await plan(-25, -24 + 1 / 60));
  const missed = await plan(-30, -25);
  await pass(0, missed);
  const params = { livestreamId: missed };
  assertRefused(await (await host()).attempt(startLivestream, { params }), notScheduled);
});
