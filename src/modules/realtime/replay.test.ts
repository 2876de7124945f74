import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChatroom, deleteChatMessage, editChatMessage } from '../../../sdk/src/index.ts';
import { LiveClient } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform();
const { url } = platform;
type Member = Awaited<ReturnType<typeof platform.newMember>>;
const [ada, ben] = [await platform.newMember(), await platform.newMember()];
const open = ({ accessToken }: Member) => LiveClient.open(url, accessToken);
const newRoom = async (): Promise<string> =>
  (await ada.client.call(createChatroom, { body: { name: 'Gold', type: 'public' } })).data.id;

test('a replay omits deleted messages and earlier versions of edited ones', async () => {
  const room = await newRoom();
  // One subscriber stays, so that the process keeps the room's recent messages in memory.
  const his = await open(ben);
  await his.enter(room);
  const ids: string[] = [];
  for (const text of ['one', 'my password', 'tpyo', 'four'])
    ids.push((await his.say(room, text)).data.messageId);
  await ben.client.call(deleteChatMessage, { params: { chatroomId: room, messageId: ids[1] as string } });
  await ben.client.call(editChatMessage, {
    params: { chatroomId: room, messageId: ids[2] as string },
    body: { message: 'typo' },
  });
  await his.say(room, 'last');
  await his.next(({ data }) => data.message === 'last');
  for (const after of [0, 1, 2, 3, 4, 5, 6]) {
    const hers = await open(ada);
    const { data } = await hers.enter(room, { after });
    assert.equal(data.seq, 7);
    await hers.next(({ seq }) => seq === 7);
    const received = JSON.stringify(hers.received);
    assert.ok(!received.includes('my password') && !received.includes('tpyo'), `after ${after}: ${received}`);
    if (after < 6) assert.ok(received.includes('"typo"'), `after ${after}`);
    if (after < 5) assert.equal(hers.all('chat:deleted').length, 1, `after ${after}`);
    const seqs = hers.received.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
    assert.deepEqual(
      seqs,
      [...new Set(seqs)].sort((a, b) => a - b),
      'in order, each once',
    );
    hers.close();
  }
  his.close();
});

test('what was missed follows the answer, which says how much it is, and precedes what is newer', async () => {
  const room = await newRoom();
  const client = await open(ben);
  for (const text of ['one', 'two', 'three']) await client.say(room, text);
  // First from the database, since nobody was subscribed, and later from the memory of this process.
  for (const [after, last] of [
    [0, 3],
    [2, 4],
  ] as const) {
    client.received.length = 0;
    await client.enter(room, { after });
    await client.next(({ seq }) => seq === last);
    const [answer, ...events] = client.received.filter(({ type }) => type !== 'user:online');
    assert.equal(answer?.type, 'subscribe:success');
    const { seq, replayed, more } = answer.data;
    assert.deepEqual([seq, replayed, more], [last, last - after, false]);
    assert.deepEqual(
      events.map((event) => event.seq),
      [1, 2, 3, 4].slice(after, last),
    );
    await client.say(room, 'newer');
    await client.next((event) => event.seq === last + 1);
  }
  client.close();
});

test('a repeated clientMessageId is acknowledged as the same message after an edit', async () => {
  const room = await newRoom();
  const client = await open(ada);
  const { data } = await client.say(room, 'tpyo', { clientMessageId: 'c1' });
  await ada.client.call(editChatMessage, {
    params: { chatroomId: room, messageId: data.messageId },
    body: { message: 'typo' },
  });
  const again = await client.say(room, 'tpyo', { clientMessageId: 'c1' });
  assert.deepEqual(
    [again.type, again.data.messageId, again.data.duplicate],
    ['chat:ack', data.messageId, true],
  );
  const other = await client.say(room, 'typo', { clientMessageId: 'c1' });
  assert.equal(other.data.code, 'MESSAGE_ID_REUSED');
  client.close();
});

test('a message that the bus brings to this process late is not left out of a replay', async () => {
  const room = await newRoom();
  // One subscriber stays, so that the process keeps the room's recent messages in memory.
  const his = await open(ben);
  await his.enter(room);
  await his.say(room, 'first');
  const hers = await open(ada);
  const { bus } = platform.platform;
  const { publish } = bus;
  bus.publish = async () => undefined;
  await his.say(room, 'late');
  // The process learns of the message, but cannot read it yet.
  await platform.database.transaction(async (tx) => {
    await tx.execute('lock table chat.message in access exclusive mode');
    await hers.enter(room, { after: 1 });
  });
  assert.equal((await hers.next(({ seq }) => seq === 2)).data.message, 'late');
  bus.publish = publish;
  await his.say(room, 'third');
  await hers.next(({ seq }) => seq === 3);
  assert.deepEqual(hers.messageTexts(), ['late', 'third']);
  his.close();
  hers.close();
});
