import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createTrade,
  getTrade,
  listNotifications,
  listReports,
  report,
  resolveReport,
  search,
  subscribeToTopics,
  updateTrade,
} from '../../../sdk/src/index.ts';
import { settled } from '../../../test/support/events.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { alreadyReported } from '../moderation/contract.ts';
import { tradeNotFound } from './trades.ts';

const platform = await startPlatform();
const { admin, database } = platform;
const [ada, ben] = [await platform.newMember(), await platform.newMember()];

const publish = async (note?: string) =>
  (
    await ada.client.call(createTrade, {
      body: { symbol: 'GOLD', direction: 'long', entryPrice: 2_400, ...(note === undefined ? {} : { note }) },
    })
  ).data;
const reported = (subjectId: string) =>
  ben.client.attempt(report, { body: { kind: 'trade', subjectId, reason: 'Spam' } });
async function removeReported(subjectId: string) {
  const { data } = await admin.call(listReports, { query: { kind: 'trade', status: 'open' } });
  const found = data.find((one) => one.subjectId === subjectId) ?? assert.fail('no report');
  await admin.call(resolveReport, { params: { reportId: found.id }, body: { outcome: 'removed' } });
  return found;
}
const notificationsOf = async ({ client }: Member, type: 'trade_update' | 'moderation') =>
  (await client.call(listNotifications, { query: { type } })).data;

test('a trade idea is reported with its note, and removed with the notifications and search results of it', async () => {
  const fan = await platform.newMember();
  await fan.client.call(subscribeToTopics, { body: { topics: ['TRADE_IDEAS'] } });
  const [bad, good] = [await publish('Xenotime pays you 500 Keys'), await publish()];
  await until(async () => (await notificationsOf(fan, 'trade_update')).length === 2, 'the notifications');
  assert.equal((await reported(bad.id)).status, 201);
  assertRefused(await reported(bad.id), alreadyReported);
  assertRefused(await reported('f'.repeat(24)), tradeNotFound);
  const found = await removeReported(bad.id);
  assert.deepEqual(
    [found.text, found.authorId, found.containerId],
    ['GOLD long\nXenotime pays you 500 Keys', ada.id, null],
  );
  const params = { tradeId: bad.id };
  assertRefused(await fan.client.attempt(getTrade, { params }), tradeNotFound);
  assert.equal((await fan.client.call(getTrade, { params: { tradeId: good.id } })).status, 200);
  await until(async () => (await notificationsOf(fan, 'trade_update')).length === 1, 'the withdrawal');
  await settled(database);
  const hits = (await fan.client.call(search, { query: { q: 'xenotime', type: 'trade' } })).data;
  assert.equal(hits.totalResults, 0);
  assert.deepEqual(await notificationsOf(ada, 'moderation'), [], 'the author does not learn who reported it');
});

test('a reported trade idea without a note names the trade, and one that is gone is resolved nevertheless', async () => {
  const { id } = await publish();
  await reported(id);
  await database.execute('delete from trades.trade where id = $1', [id]);
  assert.equal((await removeReported(id)).text, 'GOLD long');
});

test('a trade idea whose note has changed after the verdict can be reported again', async () => {
  const { id } = await publish('Kind');
  await reported(id);
  const [open] = (await admin.call(listReports, { query: { kind: 'trade', status: 'open' } })).data;
  await admin.call(resolveReport, { params: { reportId: open?.id ?? '' }, body: { outcome: 'dismissed' } });
  assertRefused(await reported(id), alreadyReported);
  await ada.client.call(updateTrade, { params: { tradeId: id }, body: { note: 'Rude' } });
  assert.equal((await reported(id)).status, 201);
});
