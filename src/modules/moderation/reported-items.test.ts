// The worklist by what is reported: one item, one row, one decision.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  createTrade,
  getOverview,
  listReportedItems,
  report,
  resolveReport,
  updateTrade,
  type wire,
} from '../../../sdk/src/index.ts';
import { newRoom, say } from '../../../test/support/chatrooms.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform();
const { admin, newMember } = platform;
const [ada, ben, cat] = [await newMember(), await newMember(), await newMember()];

const body = { symbol: 'GOLD', direction: 'long', entryPrice: 2_400 } as const;
const newTrade = async (note: string) =>
  (await ada.client.call(createTrade, { body: { ...body, note } })).data.id;
const reportTrade = async (by: Member, subjectId: string, reason: string): Promise<string> =>
  (await by.client.call(report, { body: { kind: 'trade', subjectId, reason } })).data.id;
type Query = { kind?: wire.Report['kind']; status?: wire.Report['status']; limit?: number; before?: string };
const itemsOf = async (query: Query, by: Pick<Member, 'client'> = { client: admin }) =>
  (await by.client.call(listReportedItems, { query: { kind: 'trade', ...query } })).body;

test('what several members report is listed once, with each reason and each former text', async () => {
  const [first, second] = [await newTrade('Pay me'), await newTrade('Trust me')];
  const oldest = await reportTrade(ben, first, 'Fraud');
  await reportTrade(ben, second, 'Spam');
  const params = { tradeId: first };
  await ada.client.call(updateTrade, { params, body: { note: 'Pay me twice' } });
  const newest = await reportTrade(cat, first, 'Still fraud');

  const { data, pagination } = await itemsOf({ status: 'open' });
  assert.deepEqual(
    data.map(({ subjectId, reportCount, reason }) => [subjectId, reportCount, reason]),
    [
      [first, 2, 'Still fraud'],
      [second, 1, 'Spam'],
    ],
  );
  assert.equal(pagination?.total, 2);
  const [item] = data;
  assert.deepEqual([item?.id, item?.reporter?.id, item?.author.id], [newest, cat.id, ada.id]);
  assert.match(item?.text ?? '', /Pay me twice/);
  const [earlier, ...others] = item?.earlier ?? [];
  assert.deepEqual(others, []);
  assert.deepEqual([earlier?.id, earlier?.reporter?.id, earlier?.reason], [oldest, ben.id, 'Fraud']);
  assert.match(earlier?.text ?? '', /Pay me$/);

  const { worklists } = (await admin.call(getOverview)).data;
  const waiting = worklists.find(({ name }) => name === 'reports');
  assert.equal(waiting?.count, 2, 'two things wait, not three');
});

test('a decision about an item takes all its reports out of the list, and a later report brings it back', async () => {
  const tradeId = await newTrade('Double your money');
  await reportTrade(ben, tradeId, 'Fraud');
  const newest = await reportTrade(cat, tradeId, 'Spam');
  await admin.call(resolveReport, { params: { reportId: newest }, body: { outcome: 'dismissed' } });
  const of = async (status: wire.Report['status']) =>
    (await itemsOf({ status })).data.filter(({ subjectId }) => subjectId === tradeId);
  assert.deepEqual(await of('open'), []);
  assert.deepEqual(
    (await of('dismissed')).map(({ reportCount, earlier }) => [reportCount, earlier.length]),
    [[2, 1]],
  );
  const dan = await newMember();
  await reportTrade(dan, tradeId, 'Fraud indeed');
  assert.deepEqual(
    (await of('open')).map(({ reportCount, reason }) => [reportCount, reason]),
    [[1, 'Fraud indeed']],
  );
  const both = (await itemsOf({})).data.filter(({ subjectId }) => subjectId === tradeId);
  assert.deepEqual(
    both.map(({ status }) => status),
    ['open', 'dismissed'],
  );
});

test('of many reports the newest are listed, and all are counted', async () => {
  const tradeId = await newTrade('Buy this');
  const reporters = await Promise.all(Array.from({ length: 12 }, newMember));
  for (const [place, reporter] of reporters.entries())
    await reportTrade(reporter, tradeId, `Reason ${place}`);
  const [item] = (await itemsOf({ status: 'open', limit: 1 })).data;
  assert.deepEqual([item?.subjectId, item?.reportCount, item?.reason], [tradeId, 12, 'Reason 11']);
  assert.deepEqual(
    item?.earlier.map(({ reason, text }) => [reason, text]),
    [10, 9, 8, 7, 6, 5, 4, 3, 2].map((place) => [`Reason ${place}`, null]),
  );
});

test('moderators do not learn who reported what they published themselves', async () => {
  const eve = await newMember();
  await admin.call(assignPermissions, { params: { userId: eve.id }, body: { permissions: ['moderator'] } });
  const room = await newRoom(eve);
  const { id } = await say(eve, room, 'Hush');
  for (const { client } of [ben, cat])
    await client.call(report, { body: { kind: 'message', subjectId: id, reason: 'Rude' } });
  const seenBy = async (by: Pick<Member, 'client'>) => {
    const item = (await itemsOf({ kind: 'message' }, by)).data.find(({ subjectId }) => subjectId === id);
    return [item, ...(item?.earlier ?? [])].map((one) => [one?.reportedBy, one?.reporter?.id ?? null]);
  };
  assert.deepEqual(await seenBy(eve), [
    [null, null],
    [null, null],
  ]);
  assert.deepEqual(await seenBy({ client: admin }), [
    [cat.id, cat.id],
    [ben.id, ben.id],
  ]);
});
