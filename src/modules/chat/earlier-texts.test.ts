// What a message said before it was edited is kept for reports, for as long as these are possible.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  deleteChatMessage,
  deleteUser,
  editChatMessage,
  getReportContext,
  handOnChatroom,
  listChatReports,
  listReportedItems,
  listReports,
  reportChatMessage,
  resolveReport,
  runJobQueue,
} from '../../../sdk/src/index.ts';
import { newRoom, say } from '../../../test/support/chatrooms.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { alreadyReported } from '../moderation/contract.ts';
import { EARLIER_IN_LISTS } from '../moderation/reports.model.ts';
import { messageNotFound, tooManyEdits } from './failures.ts';
import { MAX_EDITS } from './messages.model.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database, newMember } = platform;
const reason = 'Threat';

/** A private room of two, in which the first has written. */
async function threatened(text = 'You will regret this') {
  const [eve, ben] = [await newMember(), await newMember()];
  const room = await newRoom(eve, 'private');
  await eve.client.call(addChatroomMember, { params: { chatroomId: room }, body: { userId: ben.id } });
  const { id: messageId } = await say(eve, room, text);
  return { eve, ben, room, params: { chatroomId: room, messageId } };
}
const edit = ({ client }: Member, params: { chatroomId: string; messageId: string }, message: string) =>
  client.attempt(editChatMessage, { params, body: { message } });
const kept = (messageId: string) =>
  database.count('select count(*) from chat.earlier_text where message_id = $1', [messageId]);
/** What moderators see of a report, on both lists. */
async function seen(id: string | undefined) {
  const lists = [await admin.call(listReports), await admin.call(listChatReports)];
  return lists.map(({ data }) => data.find((one) => one.id === id)?.earlierTexts.map(({ text }) => text));
}

test('a report has what the message said before it was edited, for moderators alone', async () => {
  const { eve, ben, params } = await threatened();
  await edit(eve, params, 'I mean it');
  await edit(eve, params, 'Have a nice day');
  await edit(eve, params, 'Have a nice day');
  const sent = await ben.client.attempt(reportChatMessage, { params, body: { reason } });
  assert.deepEqual([sent.status, sent.data?.message], [201, 'Have a nice day']);
  assert.ok(!JSON.stringify(sent.body).includes('regret'), 'the reporter does not see it');
  const texts = ['You will regret this', 'I mean it'];
  assert.deepEqual(await seen(sent.data?.id), [texts, texts]);
  await edit(eve, params, 'Bye');
  assert.deepEqual(await seen(sent.data?.id), [texts, texts], 'as of the report');
  await admin.call(deleteUser, { params: { userId: eve.id } });
  await until(async () => (await kept(params.messageId)) === 0, 'they go with the account');
  await until(async () => (await seen(sent.data?.id))[0]?.length === 0, 'also from the report');
});

test('lists of reports have the beginnings of long earlier texts, and the context of a report all of them', async () => {
  const long = 'Threat 🔥'.repeat(400);
  const { eve, ben, params } = await threatened(long);
  await edit(eve, params, 'Have a nice day');
  const sent = await ben.client.call(reportChatMessage, { params, body: { reason } });
  const beginning = `${[...long].slice(0, EARLIER_IN_LISTS).join('')}…`;
  assert.deepEqual(await seen(sent.data.id), [[beginning], [beginning]]);
  const items = (await admin.call(listReportedItems)).data;
  assert.equal(items.find(({ id }) => id === sent.data.id)?.earlierTexts[0]?.text, beginning);
  const { data } = await admin.call(getReportContext, { params: { reportId: sent.data.id } });
  assert.deepEqual(
    data.earlierTexts.map(({ text }) => text),
    [long],
  );
});

test('a report of a message whose author has deleted their account has no earlier texts, even before these are deleted', async () => {
  const { eve, ben, params } = await threatened();
  await edit(eve, params, 'Have a nice day');
  await admin.call(deleteUser, { params: { userId: eve.id } });
  await until(async () => (await kept(params.messageId)) === 0, 'they go with the account');
  await database.execute(
    `insert into chat.earlier_text (id, message_id, user_id, message, replaced_at) values ($1, $1, $2, 'Threat', now())`,
    [params.messageId, eve.id],
  );
  const sent = await ben.client.attempt(reportChatMessage, { params, body: { reason } });
  assert.deepEqual([sent.status, sent.data?.message], [201, 'Have a nice day']);
  assert.deepEqual(await seen(sent.data?.id), [[], []]);
});

test('abuse that was edited in and out after a dismissed report can be reported', async () => {
  const { eve, ben, params } = await threatened('Have a nice day');
  const send = () => ben.client.attempt(reportChatMessage, { params, body: { reason } });
  const first = await send();
  const dismissal = { params: { reportId: first.data?.id ?? '' }, body: { outcome: 'dismissed' as const } };
  await admin.call(resolveReport, dismissal);
  assertRefused(await send(), alreadyReported);
  await edit(eve, params, 'You will regret this');
  await edit(eve, params, 'Have a nice day');
  const again = await send();
  assert.equal(again.status, 201);
  const texts = ['Have a nice day', 'You will regret this'];
  assert.deepEqual(await seen(again.data?.id), [texts, texts]);
  await admin.call(resolveReport, { ...dismissal, params: { reportId: again.data?.id ?? '' } });
  assertRefused(await send(), alreadyReported);
});

test('a message is edited a limited number of times in the days of reports', async () => {
  const { eve, params } = await threatened();
  for (let made = 0; made < MAX_EDITS; made++)
    assert.equal((await edit(eve, params, `No. ${made}`)).status, 200);
  assertRefused(await edit(eve, params, 'Once more'), tooManyEdits);
  assert.equal((await edit(eve, params, `No. ${MAX_EDITS - 1}`)).status, 200, 'the same text is no edit');
});

test('what a former owner of a room has deleted there can still be reported, and what staff deleted cannot', async () => {
  const { eve, ben, room, params } = await threatened();
  const second = { ...params, messageId: (await say(ben, room, 'Leave me alone')).id };
  const third = { ...params, messageId: (await say(ben, room, 'Spam')).id };
  for (const one of [params, second]) await eve.client.call(deleteChatMessage, { params: one });
  await admin.call(deleteChatMessage, { params: third });
  await eve.client.call(handOnChatroom, { params: { chatroomId: room }, body: { userId: ben.id } });
  const report = ({ client }: Member, one: typeof params) =>
    client.attempt(reportChatMessage, { params: one, body: { reason } });
  assert.equal((await report(eve, second)).status, 201);
  assert.equal((await report(ben, params)).status, 201);
  assertRefused(await report(eve, third), messageNotFound);
});

test('earlier texts are deleted once the message cannot be reported any more', async () => {
  const { eve, params } = await threatened();
  await edit(eve, params, 'Have a nice day');
  await edit(eve, params, 'Bye');
  await database.execute(
    "update chat.earlier_text set replaced_at = now() - interval '8 days' where message_id = $1 and message like 'You %'",
    [params.messageId],
  );
  await admin.call(runJobQueue, { params: { queue: 'chat.retention' }, body: { reason: 'Now' } });
  await until(async () => (await kept(params.messageId)) === 1, 'the deletion');
});
