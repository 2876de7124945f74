import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import {
  createChatroom,
  deleteChatMessage,
  editChatMessage,
  getChatroom,
  sendChatMessage,
} from '../../../sdk/src/index.ts';
import { type LiveMessage, until } from '../../../test/support/live.ts';
import { checkLiveMessage } from '../../../test/support/live-contract.ts';
import { startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform();
const { database, url } = platform;
const MESSAGES = 290;
/** The longest message: 4,000 characters of four bytes each. */
const LONGEST = '😀'.repeat(4_000);
/** More than the buffers of any system take while the client does not read: 4.8 MB a room. */
const ROOMS = 8;
type Member = Awaited<ReturnType<typeof platform.newMember>>;
const [ada, ben] = [await platform.newMember(), await platform.newMember()];

/** A room full of the longest messages of one member, numbered from 1. */
async function fullRoom(): Promise<string> {
  const { id } = (await ada.client.call(createChatroom, { body: { name: 'Gold', type: 'public' } })).data;
  await database.execute(
    `insert into chat.message (id, room_id, user_id, message, seq, changed_seq, created_at)
     select substr(md5($1 || n), 1, 24), $1, $2, $3 || n, n, n, now() from generate_series(1, $4::int) n`,
    [id, ada.id, LONGEST.slice(8), MESSAGES],
  );
  await database.execute('update chat.room set last_seq = $2, message_count = $2 where id = $1', [
    id,
    MESSAGES,
  ]);
  return id;
}
const idOf = async (room: string, seq: number): Promise<string> =>
  (
    await database.first<{ id: string }>('select id from chat.message where room_id = $1 and seq = $2', [
      room,
      seq,
    ])
  )?.id as string;

/** A client that can stop reading. */
async function open(member: Member) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/live`);
  const client = { socket, received: [] as LiveMessage[], closed: undefined as number | undefined };
  socket.on('message', (data) => {
    const message = JSON.parse(String(data));
    checkLiveMessage(message);
    client.received.push(message);
  });
  socket.on('close', (code) => {
    client.closed = code;
  });
  socket.on('error', () => undefined);
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'auth', token: member.accessToken }));
  await until(() => client.received.length === 1, 'the sign-in');
  return client;
}
const enter = (client: { socket: WebSocket }, room: string, after: number) =>
  client.socket.send(JSON.stringify({ type: 'subscribe', channel: 'chatroom', chatroomId: room, after }));
const eventsOf = (client: { received: LiveMessage[] }, room: string): LiveMessage[] =>
  client.received.filter(({ seq, data }) => seq !== undefined && data.chatroomId === room);
const seqsOf = (client: { received: LiveMessage[] }, room: string): number[] =>
  eventsOf(client, room).map(({ seq }) => seq);
const upTo = (last: number): number[] => Array.from({ length: last }, (_, place) => place + 1);

const rooms: string[] = [];
for (let number = 0; number < ROOMS; number++) rooms.push(await fullRoom());
const [first, last] = [rooms[0] as string, rooms.at(-1) as string];

test('a replay of the longest messages is complete and ordered, and followed by newer messages', async () => {
  const client = await open(ben);
  enter(client, first, 0);
  await until(() => client.received.length > 1, 'the answer');
  const answer = client.received[1];
  assert.deepEqual([answer?.data.replayed, answer?.data.more, answer?.data.seq], [MESSAGES, false, MESSAGES]);
  const text = 'meanwhile';
  await ada.client.call(sendChatMessage, { params: { chatroomId: first }, body: { message: text } });
  await until(() => seqsOf(client, first).length > MESSAGES || client.closed !== undefined, 'all of them');
  assert.equal(client.closed, undefined);
  assert.deepEqual(seqsOf(client, first), upTo(MESSAGES + 1));
  assert.deepEqual(
    eventsOf(client, first).map(({ data }) => data.message),
    [...upTo(MESSAGES).map((number) => LONGEST.slice(8) + number), text],
  );
  client.socket.close();
});

test('a client that resubscribes to all rooms reads at its own pace and learns of changes', async () => {
  const client = await open(ben);
  // Memory holds more than a portion from the database, because another subscriber keeps it there.
  const other = await open(ada);
  enter(other, last, MESSAGES);
  await until(() => other.received.length > 1, 'the other one');
  client.socket.pause();
  for (const room of rooms) enter(client, room, room === first ? 1 : 0);
  await until(
    async () => (await ada.client.call(getChatroom, { params: { chatroomId: last } })).data.activeNow === 2,
    'the last subscription',
  );
  const [edited, deleted] = [await idOf(last, 250), await idOf(last, 260)];
  assert.equal(
    (
      await ada.client.call(editChatMessage, {
        params: { chatroomId: last, messageId: edited },
        body: { message: 'corrected' },
      })
    ).status,
    200,
  );
  assert.equal(
    (await ada.client.call(deleteChatMessage, { params: { chatroomId: last, messageId: deleted } })).status,
    200,
  );
  assert.equal(
    (await ada.client.call(sendChatMessage, { params: { chatroomId: last }, body: { message: 'and more' } }))
      .status,
    201,
  );
  client.socket.resume();
  await until(() => seqsOf(client, last).includes(MESSAGES + 3) || client.closed !== undefined, 'the end');
  assert.equal(client.closed, undefined);
  for (const room of rooms.slice(1, -1)) assert.deepEqual(seqsOf(client, room), upTo(MESSAGES));
  assert.deepEqual(seqsOf(client, first), upTo(MESSAGES + 1).slice(1));
  const seqs = seqsOf(client, last);
  assert.deepEqual(
    seqs,
    [...new Set(seqs)].sort((a, b) => a - b),
    'in order, each once',
  );
  const of = (id: string) => eventsOf(client, last).filter(({ data }) => data.messageId === id);
  assert.ok(
    of(edited).every(({ data }) => data.message === 'corrected'),
    'no text from before the edit',
  );
  assert.deepEqual([...new Set(of(deleted).map(({ type }) => type))], ['chat:deleted']);
  const delivered = new Set(eventsOf(client, last).map(({ data }) => data.messageId));
  assert.equal(delivered.size, MESSAGES + 1, 'every message');
  for (const one of [client, other]) one.socket.close();
});

test('sequence numbers stay ordered when rooms are resubscribed during their replay', async () => {
  const client = await open(ben);
  client.socket.pause();
  for (const room of rooms) enter(client, room, 0);
  for (const room of rooms) enter(client, room, MESSAGES - 10);
  await ada.client.call(sendChatMessage, { params: { chatroomId: last }, body: { message: 'the end' } });
  client.socket.resume();
  // Who is present has no number, and may be told at any time.
  const aboutOf = (room: string) =>
    client.received.filter(({ type, data }) => data.chatroomId === room && type !== 'user:online');
  const isAnswer = ({ type }: LiveMessage): boolean => type === 'subscribe:success';
  const isWhole = (room: string) => {
    const about = aboutOf(room);
    const [, second] = about.filter(isAnswer);
    return second !== undefined && (about.at(-1)?.seq ?? 0) >= second.data.seq;
  };
  const hasEnd = () => eventsOf(client, last).some(({ data }) => data.message === 'the end');
  await until(() => client.closed !== undefined || (rooms.every(isWhole) && hasEnd()), 'the end');
  assert.equal(client.closed, undefined);
  // Events are sent again only after the response to the second subscription.
  for (const room of rooms) {
    const about = aboutOf(room);
    const second = about.findLastIndex(isAnswer);
    for (const part of [about.slice(0, second), about.slice(second)]) {
      const seqs = part.flatMap(({ seq }) => seq ?? []);
      assert.deepEqual(
        seqs,
        [...new Set(seqs)].sort((a, b) => a - b),
        room,
      );
    }
    assert.equal(about.slice(second).find(({ seq }) => seq !== undefined)?.seq, MESSAGES - 9);
  }
  client.socket.close();
});

test('a client that stops reading during a replay is closed', async () => {
  const slow = await platform.metric('live_slow_total');
  const client = await open(ben);
  client.socket.pause();
  for (const room of rooms) enter(client, room, 0);
  // Sent and not read: the buffers are full when nothing is written any more.
  await until(async () => {
    const before = await platform.metric('live_frames_total');
    await new Promise((resolve) => setTimeout(resolve, 300));
    return (await platform.metric('live_frames_total')) === before && before > 0;
  }, 'the portion that waits');
  assert.equal(await platform.metric('live_slow_total'), slow);
  await until(async () => {
    platform.clock.advance(16_000);
    client.socket.ping();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    return (await platform.metric('live_slow_total')) > slow;
  }, 'the end');
  client.socket.terminate();
});
