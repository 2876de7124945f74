import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  cancelLivestream,
  createLivestream,
  deleteUser,
  endLivestream,
  getLivestream,
  getMember,
  listLivestreams,
  listLivestreamsOnAir,
  listNotifications,
  listScheduledLiveStreams,
  startLivestream,
  subscribeToTopics,
  updateLivestream,
} from '../../../sdk/src/index.ts';
import type { TypesOf } from '../../../sdk/src/operation.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { notEducator } from '../identity/contract.ts';
import { hostNotFound } from './hosts.ts';
import { notLive, notScheduled } from './livestreams.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, client, url } = platform;
const [ada, ben, eve] = [await platform.newMember(), await platform.newMember(), await platform.newMember()];
for (const { id } of [ada, eve])
  await admin.call(assignPermissions, { params: { userId: id }, body: { permissions: ['educator'] } });

const at = (minutes: number): string => new Date(platform.clock.now() + minutes * 60_000).toISOString();
const draft = (more: object = {}) => ({
  title: 'Gold at noon',
  scheduledStart: at(-5),
  scheduledEnd: at(55),
  ...more,
});
test('livestreams are announced by the educator, or by an administrator for one', async () => {
  const { status, data } = await ada.client.call(createLivestream, { body: draft() });
  assert.equal(status, 201);
  assert.deepEqual([data.hostId, data.status, data.startedAt], [ada.id, 'scheduled', null]);
  assertRefused(await ben.client.attempt(createLivestream, { body: draft() }), notEducator);
  assertRefused(
    await ada.client.attempt(createLivestream, { body: draft({ hostId: eve.id }) }),
    insufficientPermissions,
  );
  assert.equal((await admin.call(createLivestream, { body: draft({ hostId: eve.id }) })).data.hostId, eve.id);
  const noEducator = await admin.attempt(createLivestream, { body: draft({ hostId: ben.id }) });
  assertRefused(noEducator, notEducator);
  assertRefused(
    await admin.attempt(createLivestream, { body: draft({ hostId: 'f'.repeat(24) }) }),
    hostNotFound,
  );
  assert.equal(
    (await ada.client.call(createLivestream, { body: draft({ host: eve.id }) })).data.hostId,
    ada.id,
    'hostId only',
  );
  for (const bad of [{ title: '' }, { scheduledEnd: at(-10) }, { scheduledStart: 'soon' }])
    assertInvalid(await ada.client.attempt(createLivestream, { body: draft(bad) }));
});

test('a livestream names its host wherever it is shown, also to those who have not signed in', async () => {
  const dan = await newEducator(platform);
  const { data: created } = await dan.client.call(createLivestream, { body: draft() });
  const params = { livestreamId: created.id };
  const { data: host } = await ben.client.call(getMember, { params: { id: dan.id } });
  const { data: started } = await dan.client.call(startLivestream, { params });
  const { data: changed } = await dan.client.call(updateLivestream, { params, body: { title: 'Tin' } });
  const shown = [
    created,
    started,
    changed,
    (await ben.client.call(getLivestream, { params })).data,
    ...(await ben.client.call(listLivestreams, { query: { hostId: dan.id } })).data,
    ...(await client.call(listLivestreamsOnAir)).data,
    ...(await client.call(listScheduledLiveStreams)).data.filter(({ id }) => id === created.id),
    (await dan.client.call(endLivestream, { params })).data,
  ];
  assert.deepEqual(
    shown.map((one) => one.host),
    Array.from({ length: 8 }, () => host),
  );
  await admin.call(deleteUser, { params: { userId: dan.id } });
  const { data: kept } = await admin.call(getLivestream, { params });
  assert.deepEqual([kept.hostId, kept.host.id, kept.host.name], [dan.id, dan.id, '']);
});

test('the next livestreams are read by their planned start, within a period, page by page or by cursor', async () => {
  const dan = await newEducator(platform);
  const plan = async (minutes: number) => {
    const body = draft({ scheduledStart: at(minutes), scheduledEnd: at(minutes + 60) });
    return (await dan.client.call(createLivestream, { body })).data.id;
  };
  const [middle, late, soon, twin] = [await plan(200), await plan(300), await plan(100), await plan(100)];
  const cancelled = await plan(150);
  await dan.client.call(cancelLivestream, { params: { livestreamId: cancelled } });
  const of = async (query: TypesOf<typeof listLivestreams>['query']) =>
    (await ben.client.call(listLivestreams, { query: { hostId: dan.id, ...query } })).data.map(
      ({ id }) => id,
    );
  assert.deepEqual(await of({ sort: 'soonest' }), [soon, twin, cancelled, middle, late]);
  const next = { sort: 'soonest', status: 'scheduled' } as const;
  assert.deepEqual(await of(next), [soon, twin, middle, late]);
  assert.deepEqual(await of({ ...next, limit: 1, before: soon }), [twin]);
  assert.deepEqual(await of({ ...next, before: twin }), [middle, late]);
  assert.deepEqual(await of({ ...next, limit: 2, page: 2 }), [middle, late]);
  const placeOf = async (livestreamId: string, id = livestreamId) =>
    `${(await ben.client.call(getLivestream, { params: { livestreamId } })).data.scheduledStart}_${id}`;
  assert.deepEqual(await of({ ...next, before: await placeOf(cancelled) }), [middle, late]);
  assert.deepEqual(
    await of({ ...next, before: await placeOf(cancelled, dan.id) }),
    [middle, late],
    'one is gone',
  );
  assert.deepEqual(await of({ before: await placeOf(soon) }), [late, middle], 'by creation the id counts');
  assert.deepEqual(await of({ ...next, from: at(140), to: at(250) }), [middle]);
  assert.deepEqual(await of({ from: at(140), to: at(350) }), [cancelled, late, middle]);
  assertInvalid(await ben.client.attempt(listLivestreams, { query: { sort: 'soonest', before: dan.id } }));
  assertInvalid(await ben.client.attempt(listLivestreams, { query: { from: at(2), to: at(1) } }));
});

test('livestreams are filtered by host and status', async () => {
  const of = async (query: TypesOf<typeof listLivestreams>['query']) =>
    (await ben.client.call(listLivestreams, { query })).data;
  assert.ok((await of({ host: eve.id })).every(({ hostId }) => hostId === eve.id));
  assert.deepEqual(await of({ host: eve.id }), await of({ hostId: eve.id }));
  assert.equal((await of({ status: 'live' })).length, 0);
  assertInvalid(await ben.client.attempt(listLivestreams, { query: { host: eve.id, hostId: ada.id } }));
});

test('starting and ending a livestream is announced once, and followers are notified', async () => {
  const { id } = (await ada.client.call(createLivestream, { body: draft({ title: 'Silver' }) })).data;
  await ben.client.call(subscribeToTopics, { body: { topics: ['SESSIONS'] } });
  const listener = await LiveClient.open(url, ben.accessToken);
  assertRefused(
    await eve.client.attempt(startLivestream, { params: { livestreamId: id } }),
    insufficientPermissions,
  );
  assertRefused(await ada.client.attempt(endLivestream, { params: { livestreamId: id } }), notLive);
  const { data } = await ada.client.call(startLivestream, { params: { livestreamId: id } });
  assert.equal(data.status, 'live');
  assert.deepEqual(await listener.next(({ type }) => type === 'session:started'), {
    type: 'session:started',
    data: { sessionId: id, title: 'Silver', speakerId: ada.id, startedAt: data.startedAt },
  });
  const told = async () =>
    (await ben.client.call(listNotifications, { query: { type: 'announcement' } })).data;
  await until(async () => (await told()).length === 1, 'the notification');
  assert.equal((await told())[0]?.title, 'Live now: Silver');
  assertRefused(await ada.client.attempt(startLivestream, { params: { livestreamId: id } }), notScheduled);
  const live = await client.call(listLivestreamsOnAir);
  assert.deepEqual(
    live.data.map((one) => one.id),
    [id],
  );
  assert.equal((await admin.call(endLivestream, { params: { livestreamId: id } })).data.status, 'ended');
  assert.deepEqual((await client.call(listLivestreamsOnAir)).data, []);
  assertRefused(
    await ada.client.attempt(updateLivestream, { params: { livestreamId: id }, body: { title: 'Late' } }),
    notScheduled,
  );
  listener.close();
});

test('the list of current livestreams follows scheduled times and time zones without cancelled ones', async () => {
  const of = async (timezone?: string) =>
    (await client.call(listScheduledLiveStreams, { query: { timezone } })).data;
  const { id } = (await ada.client.call(createLivestream, { body: draft({ title: 'Copper' }) })).data;
  const later = (await ada.client.call(createLivestream, { body: draft({ scheduledStart: at(10) }) })).data
    .id;
  const ids = async () => (await of()).map((one) => one.id);
  assert.ok((await ids()).includes(id) && !(await ids()).includes(later));
  const [local] = (await of('Asia/Kolkata')).filter((one) => one.id === id);
  assert.ok(local?.scheduledStartLocal);
  assert.match(local.scheduledStartLocal, /\+05:30$/);
  assert.equal(
    Date.parse(local.scheduledStartLocal),
    Math.floor(Date.parse(local.scheduledStart) / 1000) * 1000,
  );
  for (const bad of ['Mars/Olympus', '+02:00', ''])
    assertInvalid(await client.attempt(listScheduledLiveStreams, { query: { timezone: bad } }));
  await ada.client.call(updateLivestream, {
    params: { livestreamId: later },
    body: { scheduledStart: at(-1) },
  });
  assert.ok((await ids()).includes(later));
  assert.equal(
    (await ada.client.call(cancelLivestream, { params: { livestreamId: id } })).data.status,
    'cancelled',
  );
  assert.ok(!(await ids()).includes(id));
});
