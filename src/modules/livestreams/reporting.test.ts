import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createLivestream,
  endLivestream,
  getLivestream,
  listLivestreamsOnAir,
  listNotifications,
  listReports,
  report,
  resolveReport,
  startLivestream,
  subscribeToTopics,
  updateLivestream,
} from '../../../sdk/src/index.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { HOUR_MS } from '../../kernel/time/time.ts';
import { notScheduled, REMOVED_TITLE } from './livestreams.ts';
import { livestreamNotFound } from './viewing.ts';

const platform = await startPlatform();
const { admin } = platform;
const [host, ben] = [await newEducator(platform), await platform.newMember()];

async function schedule(title: string): Promise<string> {
  const hour = (from: number) => new Date(platform.clock.now() + from * HOUR_MS).toISOString();
  const body = { title, description: 'Bring Keys', scheduledStart: hour(0), scheduledEnd: hour(1) };
  return (await host.client.call(createLivestream, { body })).data.id;
}
const start = (livestreamId: string) => host.client.call(startLivestream, { params: { livestreamId } });
const reported = (subjectId: string) =>
  ben.client.attempt(report, { body: { kind: 'livestream', subjectId, reason: 'Fraud' } });
/** Has a livestream reported and removed; returns it as members then see it. */
async function removed(livestreamId: string) {
  assert.equal((await reported(livestreamId)).status, 201);
  const { data } = await admin.call(listReports, { query: { kind: 'livestream', status: 'open' } });
  const [found] = data;
  assert.deepEqual([found?.subjectId, found?.authorId], [livestreamId, host.id]);
  assert.match(found?.text ?? '', /\nBring Keys$/);
  const body = { outcome: 'removed' } as const;
  await admin.call(resolveReport, { params: { reportId: found?.id ?? '' }, body });
  return (await ben.client.call(getLivestream, { params: { livestreamId } })).data;
}
const subscribed = async () => {
  const fan = await platform.newMember();
  await fan.client.call(subscribeToTopics, { body: { topics: ['SESSIONS'] } });
  return async () =>
    (await fan.client.call(listNotifications, { query: { type: 'announcement' } })).data.map(
      ({ title }) => title,
    );
};

test('a livestream that is removed while it is live ends, without its texts and the notifications of it', async () => {
  const titles = await subscribed();
  const [bad, good] = [await schedule('Double your Keys'), await schedule('Gold')];
  await start(bad);
  await start(good);
  await until(async () => (await titles()).length === 2, 'the notifications');
  const { status, title, description, endedAt } = await removed(bad);
  assert.deepEqual([status, title, description], ['ended', REMOVED_TITLE, '']);
  assert.ok(endedAt);
  const onAir = (await ben.client.call(listLivestreamsOnAir)).data.map(({ id }) => id);
  assert.deepEqual(onAir, [good]);
  await until(async () => (await titles()).join() === 'Live now: Gold', 'the withdrawal');
  const params = { livestreamId: bad };
  assertRefused(
    await host.client.attempt(updateLivestream, { params, body: { title: 'Double your Keys' } }),
    notScheduled,
  );
  assert.deepEqual((await host.client.call(listNotifications, { query: { type: 'moderation' } })).data, []);
});

test('a livestream that is removed before it begins is cancelled, and one that is over only loses its texts', async () => {
  const [coming, over] = [await schedule('Soon'), await schedule('Before')];
  await start(over);
  const { endedAt } = (await host.client.call(endLivestream, { params: { livestreamId: over } })).data;
  const ofComing = await removed(coming);
  assert.deepEqual([ofComing.status, ofComing.title], ['cancelled', REMOVED_TITLE]);
  const ofOver = await removed(over);
  assert.deepEqual([ofOver.status, ofOver.title, ofOver.endedAt], ['ended', REMOVED_TITLE, endedAt]);
});

test('a livestream that does not exist cannot be reported', async () => {
  assertRefused(await reported('f'.repeat(24)), livestreamNotFound);
});
