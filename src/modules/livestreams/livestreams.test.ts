import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  cancelLivestream,
  createLivestream,
  createTrade,
  endLivestream,
  getScheduleOfEducator,
  getScheduleOfToday,
  getScheduleOfWeek,
  listLivestreams,
  listLivestreamsOnAir,
  listNotifications,
  listScheduledLiveStreams,
  listTrades,
  signIn,
  startLivestream,
  subscribeToTopics,
  syncSchedule,
  updateLivestream,
} from '../../../sdk/src/index.ts';
import type { TypesOf } from '../../../sdk/src/operation.ts';
import { incompressible } from '../../../test/support/chance.ts';
import { PASSWORD } from '../../../test/support/client.ts';
import { LiveClient, type LiveMessage, until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { insufficientPermissions, invalidId } from '../../kernel/failures.ts';
import { notEducator } from '../identity/contract.ts';
import { hostNotFound, notLive, notScheduled } from './livestreams.ts';
import { scheduleUnavailable } from './schedule.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, client, sandboxUrl, url } = platform;
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
const control = (method: string, path: string, body: object) =>
  fetch(`${sandboxUrl}/control/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
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

/** Signed in now, wherever the clock has been set to. */
async function administrator() {
  const { data } = await client.call(signIn, {
    body: {
      email: 'admin@example.com',
      password: 'an administrator for tests',
      platform: 'web',
    },
  });
  return client.as(data.accessToken);
}

const session = (id: string, startsAt: string, more: object = {}) => ({
  id,
  title: `Session ${id}`,
  educatorId: ada.id,
  educatorName: 'Ada',
  startsAt,
  endsAt: new Date(Date.parse(startsAt) + 3_600_000).toISOString(),
  ...more,
});

test('the schedule comes from its upstream, and from the mirror while that is down', async () => {
  // A Wednesday; in Auckland the Thursday has begun.
  platform.clock.set(Date.parse('2027-03-10T12:00:00Z'));
  const fay = await platform.newMember();
  const weekNow = async () => (await fay.client.call(getScheduleOfWeek)).data;
  const today = async (timezone?: string) =>
    (await fay.client.call(getScheduleOfToday, { query: { timezone } })).data;
  const ofEducator = async (educatorId: string) =>
    (await fay.client.call(getScheduleOfEducator, { params: { educatorId } })).data;
  const ids = ({ sessions }: { sessions: { id: string }[] }): string[] => sessions.map(({ id }) => id);
  const boss = await administrator();
  await control('PUT', 'schedule', {
    sessions: [
      session('mon', '2027-03-08T09:00:00Z'),
      session('wed', '2027-03-10T09:00:00Z', { educatorId: eve.id }),
      session('thu', '2027-03-11T09:00:00Z'),
      session('next', '2027-03-15T09:00:00Z'),
    ],
  });
  const sync = async (dryRun?: boolean) => (await boss.call(syncSchedule, { query: { dryRun } })).data;
  assert.deepEqual(await sync(true), {
    dryRun: true,
    created: 4,
    updated: 0,
    removed: 0,
    unchanged: 0,
  });
  assert.equal((await sync(true)).created, 4, 'nothing was written');
  assert.equal((await sync()).created, 4);
  assert.deepEqual(await sync(), { dryRun: false, created: 0, updated: 0, removed: 0, unchanged: 4 });

  for (const source of ['upstream', 'mirror']) {
    const week = await weekNow();
    assert.deepEqual([week.source, week.degraded], [source, source === 'mirror']);
    assert.deepEqual(ids(week), ['mon', 'wed', 'thu']);
    assert.deepEqual([week.from, week.to], ['2027-03-08T00:00:00.000Z', '2027-03-15T00:00:00.000Z']);
    assert.deepEqual(ids(await today()), ['wed']);
    assert.deepEqual(ids(await today('Pacific/Auckland')), ['thu']);
    assert.deepEqual(ids(await ofEducator(ada.id)), ['thu', 'next']);
    if (source === 'upstream') await platform.standIn('schedule', { mode: 'fail' });
    platform.clock.advance(6_000);
  }
  await platform.standIn('schedule', { mode: 'nonsense' });
  assert.deepEqual([(await weekNow()).source, (await weekNow()).degraded], ['mirror', true]);
  platform.clock.advance(11_000);
  assertRefused(await boss.attempt(syncSchedule), scheduleUnavailable);
  assertRefused(
    await fay.client.attempt(getScheduleOfEducator, { params: { educatorId: 'nonsense' } }),
    invalidId('educator'),
  );
  assertRefused(
    await fay.client.attempt(getScheduleOfEducator, { params: { educatorId: 'f'.repeat(24) } }),
    hostNotFound,
  );
  assertInvalid(await fay.client.attempt(getScheduleOfWeek, { query: { timezone: 'Nowhere' } }));
  await platform.standIn('schedule', { mode: 'ok' });
  platform.clock.advance(30_000);
  await control('PUT', 'schedule', { sessions: [session(incompressible(3_000), '2027-03-10T10:00:00Z')] });
  assertRefused(await boss.attempt(syncSchedule), scheduleUnavailable);
  platform.clock.advance(30_000);
  await control('PUT', 'schedule', { sessions: [session('wed', '2027-03-10T10:00:00Z')] });
  assert.deepEqual(await sync(), { dryRun: false, created: 0, updated: 1, removed: 3, unchanged: 0 });
  assert.equal((await weekNow()).source, 'upstream');
});

test('a session over midnight is listed on both days, by upstream and mirror', async () => {
  // A Wednesday noon in Havana, where the clocks go forward at midnight on Sunday.
  platform.clock.set(Date.parse('2027-03-10T17:00:00Z'));
  const [fay, boss] = [await platform.newMember(), await administrator()];
  await control('PUT', 'schedule', {
    sessions: [
      session('over', '2027-03-11T04:30:00Z'),
      session('until', '2027-03-10T04:00:00Z'),
      session('sunday', '2027-03-14T04:30:00Z'),
      session('gone', '2027-03-08T04:00:00Z'),
    ],
  });
  assert.equal((await boss.call(syncSchedule)).status, 200);
  const ids = async (): Promise<string[]> => {
    const { data } = await fay.client.call(getScheduleOfToday, { query: { timezone: 'America/Havana' } });
    return data.sessions.map(({ id }) => id);
  };
  for (const mode of ['ok', 'fail']) {
    await platform.standIn('schedule', { mode });
    platform.clock.set(Date.parse('2027-03-10T17:00:00Z'));
    assert.deepEqual(await ids(), ['over'], 'one that ends at midnight is not in the next day');
    for (const [day, expected] of [
      ['2027-03-11T17:00:00Z', ['over']],
      ['2027-03-13T17:00:00Z', ['sunday']],
      ['2027-03-14T17:00:00Z', ['sunday']],
    ] as const) {
      platform.clock.set(Date.parse(day));
      const signedIn = await client.call(signIn, {
        body: {
          email: fay.email,
          password: PASSWORD,
          platform: 'web',
        },
      });
      fay.client.headers.authorization = `Bearer ${signedIn.data.accessToken}`;
      assert.deepEqual(await ids(), expected, `${mode} ${day}`);
    }
    platform.clock.advance(60_000);
  }
});

test('subscribers receive prices of their symbols, again after an outage', async () => {
  const gus = await platform.newMember();
  const watcher = await LiveClient.open(url, gus.accessToken);
  const subscribed = await watcher.ask({ type: 'subscribe', channel: 'market', symbols: ['eurusd', 'GOLD'] });
  assert.deepEqual(subscribed.data, { channel: 'market', symbols: ['EURUSD', 'GOLD'] });
  const isOf = (symbol: string) => (one: LiveMessage) =>
    one.type === 'market:price' && one.data.symbol === symbol;
  const price = await watcher.next(isOf('EURUSD'));
  assert.deepEqual(Object.keys(price).sort(), ['data', 'type']);
  assert.deepEqual(Object.keys(price.data), ['symbol', 'price', 'change', 'changePercent']);
  await watcher.next(isOf('GOLD'));
  await control('POST', 'prices', { symbol: 'GOLD', price: 4242 });
  await watcher.next((one) => isOf('GOLD')(one) && one.data.price === 4242);
  await watcher.ask({ type: 'unsubscribe', channel: 'market', symbols: ['EURUSD'] });
  await until(() => watcher.received.some(isOf('GOLD')), 'gold goes on');
  const before = watcher.received.filter(isOf('EURUSD')).length;
  await platform.standIn('prices', { mode: 'nonsense' });
  await platform.standIn('prices', { mode: 'fail' });
  await platform.standIn('prices', { mode: 'ok' });
  await control('POST', 'prices', { symbol: 'GOLD', price: 4343 });
  await watcher.next((one) => isOf('GOLD')(one) && one.data.price === 4343);
  assert.equal(watcher.received.filter(isOf('EURUSD')).length, before);
  const signs = ['^GSPC', '$SPX', 'ES=F', 'BRK.B', 'EUR/USD', 'BTC-USD', 'ES1!', 'M&M.NS', '.DJI'];
  const asked = { type: 'subscribe', channel: 'market', symbols: signs };
  assert.deepEqual((await watcher.ask(asked)).data.symbols, ['GOLD', ...signs]);
  for (const symbol of signs) await watcher.next(isOf(symbol), symbol);
  const idea = { direction: 'long' as const, entryPrice: 1 };
  for (const symbol of signs) {
    const { status, data } = await gus.client.call(createTrade, { body: { ...idea, symbol } });
    assert.deepEqual([status, data.symbol], [201, symbol]);
    assert.equal((await gus.client.call(listTrades, { query: { symbol } })).data.length, 1);
  }
  for (const symbol of ['', '^', 'A B', 'A,B', '<b>', '../x', '=F'])
    assertInvalid(await gus.client.attempt(createTrade, { body: { ...idea, symbol } }), symbol);
  const many = Array.from({ length: 100 }, (_, number) => `S${number}`);
  const refused = await watcher.ask({ type: 'subscribe', channel: 'market', symbols: many });
  assert.equal(refused.data.code, 'TOO_MANY_SYMBOLS');
  watcher.close();
});
