import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  getScheduleOfEducator,
  getScheduleOfToday,
  getScheduleOfWeek,
  signIn,
  syncSchedule,
} from '../../../sdk/src/index.ts';
import { incompressible } from '../../../test/support/chance.ts';
import { type Client, PASSWORD } from '../../../test/support/client.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { invalidId } from '../../kernel/failures.ts';
import { hostNotFound } from './hosts.ts';
import { scheduleUnavailable } from './schedule.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { client, clock, sandboxUrl } = platform;
const [ada, eve] = [await newEducator(platform), await newEducator(platform)];
/** A Wednesday; in Auckland the Thursday has begun, and in Havana the clocks go forward at midnight on Sunday. */
const WEDNESDAY = Date.parse('2027-03-10T12:00:00Z');

const session = (id: string, startsAt: string, educatorId = ada.id) => ({
  id,
  title: `Session ${id}`,
  educatorId,
  educatorName: 'Ada',
  startsAt,
  endsAt: new Date(Date.parse(startsAt) + 3_600_000).toISOString(),
});

/** Replaces the sessions of the upstream schedule. */
const schedule = (...sessions: ReturnType<typeof session>[]) =>
  fetch(`${sandboxUrl}/control/schedule`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sessions }),
  });
/** Advances the clock until the mirrored schedule is stale, and signs an administrator and a member in. */
async function begin(at = WEDNESDAY) {
  clock.set(Math.max(at, clock.now() + 60_000));
  return { boss: await platform.signInAdmin(), fay: await platform.newMember() };
}
const sync = async (boss: Client, dryRun?: boolean) =>
  (await boss.call(syncSchedule, { query: { dryRun } })).data;
const idsOf = ({ sessions }: { sessions: { id: string }[] }): string[] => sessions.map(({ id }) => id);

const WEEK = [
  session('mon', '2027-03-08T09:00:00Z'),
  session('wed', '2027-03-10T09:00:00Z', eve.id),
  session('thu', '2027-03-11T09:00:00Z'),
  session('next', '2027-03-15T09:00:00Z'),
];

test('the mirror of the schedule takes over what its upstream has, and a dry run writes nothing', async () => {
  const { boss } = await begin();
  await schedule(...WEEK);
  const counts = { created: 4, updated: 0, removed: 0, unchanged: 0 };
  for (let time = 0; time < 2; time++) assert.deepEqual(await sync(boss, true), { dryRun: true, ...counts });
  assert.equal((await sync(boss)).created, 4);
  assert.deepEqual(await sync(boss), { dryRun: false, ...counts, created: 0, unchanged: 4 });
});

test('the schedule comes from its upstream, and from the mirror while that is down', async () => {
  const { boss, fay } = await begin();
  await schedule(...WEEK);
  await sync(boss);
  const weekNow = async () => (await fay.client.call(getScheduleOfWeek)).data;
  const today = async (timezone?: string) =>
    (await fay.client.call(getScheduleOfToday, { query: { timezone } })).data;
  for (const source of ['upstream', 'mirror']) {
    const week = await weekNow();
    assert.deepEqual([week.source, week.degraded], [source, source === 'mirror']);
    assert.deepEqual(idsOf(week), ['mon', 'wed', 'thu']);
    assert.deepEqual([week.from, week.to], ['2027-03-08T00:00:00.000Z', '2027-03-15T00:00:00.000Z']);
    assert.deepEqual(idsOf(await today()), ['wed']);
    assert.deepEqual(idsOf(await today('Pacific/Auckland')), ['thu']);
    const { data } = await fay.client.call(getScheduleOfEducator, { params: { educatorId: ada.id } });
    assert.deepEqual(idsOf(data), ['thu', 'next']);
    if (source === 'upstream') await platform.standIn('schedule', { mode: 'fail' });
    clock.advance(6_000);
  }
  await platform.standIn('schedule', { mode: 'nonsense' });
  assert.deepEqual([(await weekNow()).source, (await weekNow()).degraded], ['mirror', true]);
});

test('an unknown educator or time zone is refused in requests for the schedule', async () => {
  const { fay } = await begin();
  const ofEducator = (educatorId: string) =>
    fay.client.attempt(getScheduleOfEducator, { params: { educatorId } });
  assertRefused(await ofEducator('nonsense'), invalidId('educator'));
  assertRefused(await ofEducator('f'.repeat(24)), hostNotFound);
  assertInvalid(await fay.client.attempt(getScheduleOfWeek, { query: { timezone: 'Nowhere' } }));
});

test('the mirror keeps its sessions while the upstream returns invalid data', async () => {
  const { boss, fay } = await begin();
  await schedule(...WEEK);
  await sync(boss);
  await platform.standIn('schedule', { mode: 'nonsense' });
  assertRefused(await boss.attempt(syncSchedule), scheduleUnavailable);
  await platform.standIn('schedule', { mode: 'ok' });
  clock.advance(30_000);
  await schedule(session(incompressible(3_000), '2027-03-10T10:00:00Z'));
  assertRefused(await boss.attempt(syncSchedule), scheduleUnavailable);
  clock.advance(30_000);
  await schedule(session('wed', '2027-03-10T10:00:00Z', eve.id));
  const counts = { created: 0, updated: 1, removed: 3, unchanged: 0 };
  assert.deepEqual(await sync(boss), { dryRun: false, ...counts });
  assert.equal((await fay.client.call(getScheduleOfWeek)).data.source, 'upstream');
});

test('a text of the upstream that no database stores does not stop the mirror', async () => {
  const { boss, fay } = await begin();
  await schedule(session('wed', '2027-03-10T09:00:00Z'));
  await sync(boss);
  await schedule({ ...session('wed', '2027-03-10T09:00:00Z'), title: 'Gold\0 at noon' });
  assert.deepEqual(await sync(boss), { dryRun: false, created: 0, updated: 1, removed: 0, unchanged: 0 });
  await platform.standIn('schedule', { mode: 'fail' });
  clock.advance(6_000);
  const { source, sessions } = (await fay.client.call(getScheduleOfWeek)).data;
  assert.deepEqual([source, sessions[0]?.title], ['mirror', 'Gold\ufffd at noon']);
  await platform.standIn('schedule', { mode: 'ok' });
  clock.advance(30_000);
});

/** A Wednesday noon in Havana. */
const NOON = '2027-03-10T17:00:00Z';

test('a session over midnight is listed on both days, by upstream and mirror', async () => {
  const { boss, fay } = await begin(Date.parse(NOON));
  await schedule(
    session('over', '2027-03-11T04:30:00Z'),
    session('until', '2027-03-10T04:00:00Z'),
    session('sunday', '2027-03-14T04:30:00Z'),
    session('gone', '2027-03-08T04:00:00Z'),
  );
  await sync(boss);
  /** Returns the sessions listed on the day of an instant, as a member who signed in then sees them. */
  const listedAt = async (at: string): Promise<string[]> => {
    clock.set(Date.parse(at));
    const { data } = await client.call(signIn, {
      body: { email: fay.email, password: PASSWORD, platform: 'web' },
    });
    const query = { timezone: 'America/Havana' };
    return idsOf((await client.as(data.accessToken).call(getScheduleOfToday, { query })).data);
  };
  for (const mode of ['ok', 'fail']) {
    await platform.standIn('schedule', { mode });
    assert.deepEqual(await listedAt(NOON), ['over'], 'one that ends at midnight is not in the next day');
    assert.deepEqual(await listedAt('2027-03-11T17:00:00Z'), ['over'], mode);
    assert.deepEqual(await listedAt('2027-03-13T17:00:00Z'), ['sunday'], mode);
    assert.deepEqual(await listedAt('2027-03-14T17:00:00Z'), ['sunday'], mode);
    clock.advance(60_000);
  }
});
