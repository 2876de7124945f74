import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  blockMember,
  cancelLivestream,
  createLivestream,
  deleteUser,
  endLivestream,
  getLivestream,
  listReports,
  report,
  resolveReport,
  runJobQueue,
  signIn,
  startLivestream,
  updateUser,
} from '../../../sdk/src/index.ts';
import { PASSWORD } from '../../../test/support/client.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { settled } from '../../../test/support/events.ts';
import { LiveClient } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { HOUR_MS } from '../../kernel/time/time.ts';
import { ANNOUNCED_PER_HOUR } from '../notifications/contract.ts';

// What connected members learn of livestreams that end.

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, url, client, clock, database } = platform;
const [reader, blocker] = [await platform.newMember(), await platform.newMember()];

async function onAir({ client }: Pick<Member, 'client'>): Promise<string> {
  const at = (hours: number): string => new Date(clock.now() + hours * HOUR_MS).toISOString();
  const body = { title: 'Gold at noon', scheduledStart: at(0), scheduledEnd: at(1) };
  const { id } = (await client.call(createLivestream, { body })).data;
  await client.call(startLivestream, { params: { livestreamId: id } });
  return id;
}
const listen = ({ accessToken }: Pick<Member, 'accessToken'>) => LiveClient.open(url, accessToken);
const hears = (listener: LiveClient, id: string) =>
  listener.next(({ type, data }) => type === 'session:ended' && data.sessionId === id, `the end of ${id}`);

test('the end of a livestream is sent to all, except to those who blocked the host', async () => {
  const host = await newEducator(platform);
  await blocker.client.call(blockMember, { params: { userId: host.id } });
  const [listener, unwilling] = [await listen(reader), await listen(blocker)];
  const id = await onAir(host);
  const { data } = await host.client.call(endLivestream, { params: { livestreamId: id } });
  const { endedAt } = data;
  assert.deepEqual((await hears(listener, id)).data, { sessionId: id, speakerId: host.id, endedAt });
  const other = await newEducator(platform);
  await other.client.call(endLivestream, { params: { livestreamId: await onAir(other) } });
  await unwilling.next(({ type, data }) => type === 'session:ended' && data.speakerId === other.id);
  assert.equal(unwilling.all('session:ended').length, 1);
  for (const one of [listener, unwilling]) one.close();
});

test('a livestream that ends because of a report or of what becomes of its host is sent to all', async () => {
  const [reported, inactive, gone] = [
    await newEducator(platform),
    await newEducator(platform),
    await newEducator(platform),
  ];
  const listener = await listen(reader);
  const first = await onAir(reported);
  await reader.client.call(report, { body: { kind: 'livestream', subjectId: first, reason: 'Spam' } });
  const [open] = (await admin.call(listReports, { query: { kind: 'livestream', status: 'open' } })).data;
  const params = { reportId: open?.id ?? '' };
  await admin.call(resolveReport, { params, body: { outcome: 'removed' } });
  await hears(listener, first);
  const second = await onAir(inactive);
  await admin.call(updateUser, { params: { userId: inactive.id }, body: { isActive: false } });
  await hears(listener, second);
  const third = await onAir(gone);
  await admin.call(deleteUser, { params: { userId: gone.id } });
  const { data } = await hears(listener, third);
  const { data: ended } = await admin.call(getLivestream, { params: { livestreamId: third } });
  assert.deepEqual(data, { sessionId: third, speakerId: gone.id, endedAt: ended.endedAt });
  await settled(database);
  assert.equal(listener.all('session:ended').length, 3, 'each once');
  listener.close();
});

test('of livestreams that end together with their host twenty are sent, and of a cancelled one nothing', async () => {
  const host = await newEducator(platform);
  const listener = await listen(reader);
  const planned = {
    title: 'Tin',
    scheduledStart: '2090-01-01T10:00:00Z',
    scheduledEnd: '2090-01-01T11:00:00Z',
  };
  const { id } = (await host.client.call(createLivestream, { body: planned })).data;
  await host.client.call(cancelLivestream, { params: { livestreamId: id } });
  for (let place = 0; place < 22; place++) await onAir(host);
  await admin.call(updateUser, { params: { userId: host.id }, body: { isActive: false } });
  await settled(database);
  const other = await newEducator(platform);
  const last = await onAir(other);
  await other.client.call(endLivestream, { params: { livestreamId: last } });
  await hears(listener, last);
  assert.equal(listener.all('session:ended').filter(({ data }) => data.speakerId === host.id).length, 20);
  listener.close();
});

test('ends beyond the hourly limit are made, and nobody is told', async () => {
  const host = await newEducator(platform);
  const listener = await listen(reader);
  const limit = ANNOUNCED_PER_HOUR.educator;
  for (let place = 0; place < limit + 1; place++) {
    const params = { livestreamId: await onAir(host) };
    const { body } = await host.client.call(endLivestream, { params });
    assert.equal(/nobody was notified/.test(body.message), place >= limit, `end ${place}`);
  }
  // An administrator who acts for the host has no limit.
  const last = await onAir(host);
  await admin.call(endLivestream, { params: { livestreamId: last } });
  await hears(listener, last);
  assert.equal(listener.all('session:ended').length, limit + 1);
  listener.close();
});

test('a forgotten livestream that the platform ends is sent to all', async () => {
  const host = await newEducator(platform);
  const id = await onAir(host);
  clock.advance(14 * HOUR_MS);
  const body = { email: reader.email, password: PASSWORD, platform: 'web' } as const;
  const listener = await listen((await client.call(signIn, { body })).data);
  const params = { queue: 'livestreams.close-forgotten' };
  await (await platform.signInAdmin()).call(runJobQueue, { params });
  assert.equal((await hears(listener, id)).data.speakerId, host.id);
  listener.close();
});
