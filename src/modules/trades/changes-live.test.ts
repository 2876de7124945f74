import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  blockMember,
  closeTrade,
  createTrade,
  deleteTrade,
  getTrade,
  listReports,
  report,
  resolveReport,
  updateTrade,
} from '../../../sdk/src/index.ts';
import { LiveClient } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { ANNOUNCED_PER_HOUR } from '../notifications/contract.ts';

// What connected members learn of trade ideas that are changed, closed and deleted.

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, url } = platform;
const [reader, blocker] = [await platform.newMember(), await platform.newMember()];

const publish = async ({ client }: Member) =>
  (await client.call(createTrade, { body: { symbol: 'GOLD', direction: 'long', entryPrice: 2_400 } })).data;
const listen = (member: Member) => LiveClient.open(url, member.accessToken);
const hears = (listener: LiveClient, type: string, id: string) =>
  listener.next(
    (one) => one.type === type && [one.data.id, one.data.tradeId].includes(id),
    `${type} of ${id}`,
  );

test('a changed and a closed trade idea are sent to all as a whole, except to those who blocked the author', async () => {
  const author = await platform.newMember();
  const trade = await publish(author);
  await blocker.client.call(blockMember, { params: { userId: author.id } });
  const [listener, unwilling] = [await listen(reader), await listen(blocker)];
  const params = { tradeId: trade.id };
  await author.client.call(updateTrade, { params, body: { note: 'Wait for the news', stopLoss: 2_300 } });
  const shown = async () => (await reader.client.call(getTrade, { params })).data;
  assert.deepEqual((await hears(listener, 'trade:updated', trade.id)).data, await shown());
  await author.client.call(updateTrade, { params, body: { note: 'Wait for the news' } });
  await admin.call(updateTrade, { params, body: { note: 'Kind', reason: 'Rude' } });
  await author.client.call(closeTrade, { params, body: { exitPrice: 2_500 } });
  await author.client.call(deleteTrade, { params });
  await hears(listener, 'trade:deleted', trade.id);
  assert.deepEqual(
    listener.all('trade:updated').map(({ data }) => [data.note, data.status, data.exitPrice]),
    [
      ['Wait for the news', 'open', null],
      ['Kind', 'open', null],
      ['Kind', 'won', 2_500],
    ],
    'the same note again is no change',
  );
  const other = await publish(await platform.newMember());
  await hears(unwilling, 'trade:created', other.id);
  assert.deepEqual([unwilling.all('trade:updated'), unwilling.all('trade:deleted')], [[], []]);
  for (const one of [listener, unwilling]) one.close();
});

test('a trade idea that is removed by a moderator, also because of a report, leaves open screens', async () => {
  const author = await platform.newMember();
  const [reported, deleted] = [await publish(author), await publish(author)];
  const listener = await listen(reader);
  await reader.client.call(report, { body: { kind: 'trade', subjectId: reported.id, reason: 'Spam' } });
  const [open] = (await admin.call(listReports, { query: { kind: 'trade', status: 'open' } })).data;
  const params = { reportId: open?.id ?? '' };
  await admin.call(resolveReport, { params, body: { outcome: 'removed' } });
  await admin.call(deleteTrade, { params: { tradeId: deleted.id } });
  for (const { id } of [reported, deleted])
    assert.deepEqual((await hears(listener, 'trade:deleted', id)).data, { tradeId: id });
  listener.close();
});

test('changes and deletions beyond the hourly limit of new ideas are made, and nobody is told', async () => {
  const author = await platform.newMember();
  const listener = await listen(reader);
  const trade = await publish(author);
  const limit = ANNOUNCED_PER_HOUR.member;
  for (let place = 0; place < limit + 2; place++) {
    const body = { note: `Note ${place}` };
    const answer = await author.client.call(updateTrade, { params: { tradeId: trade.id }, body });
    assert.equal(/nobody was notified/.test(answer.body.message), place >= limit, `change ${place}`);
  }
  for (let place = 0; place < limit + 2; place++) {
    const { id } = await publish(author);
    await author.client.call(deleteTrade, { params: { tradeId: id } });
  }
  // Moderators have no limit, nor do they use up that of the author.
  for (let place = 0; place < 2; place++)
    await admin.call(updateTrade, { params: { tradeId: trade.id }, body: { note: `Moderated ${place}` } });
  await admin.call(deleteTrade, { params: { tradeId: trade.id } });
  await hears(listener, 'trade:deleted', trade.id);
  assert.equal(listener.all('trade:updated').length, limit + 2);
  assert.equal(listener.all('trade:deleted').length, limit + 1);
  listener.close();
});
