import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  addChatroomMember,
  banChatMember,
  createChatroom,
  getChatroom,
  removeChatroomMember,
  signUp,
} from '../../sdk/src/index.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { keepSending, Listener } from '../support/listeners.ts';
import { LiveClient, until } from '../support/live.ts';
import { startProgram } from '../support/programs.ts';
import { startRedis } from '../support/redis.ts';

const redis = await startRedis();
const { url: databaseUrl, drop } = await newDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'platform-live-'));
const start = () =>
  startProgram(['src/main.js', 'start'], {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    ...(redis ? { REDIS_URL: redis.url } : {}),
  });
type Program = Awaited<ReturnType<typeof start>>;
const programs = [await start()];
if (redis) programs.push(await start());
const urlOf = ({ readyValues }: Program): string => readyValues.url as string;
after(async () => {
  for (const program of programs) await program.end('SIGKILL');
  await drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const api = () => {
  const { readyValues } = programs[0] as Program;
  return new Client(readyValues.url as string, { 'x-api-key': readyValues.adminApiKey as string });
};
async function newMember() {
  const { data } = await api().call(signUp, {
    body: { email: newEmail(), password: PASSWORD, firstName: 'A', lastName: 'B', platform: 'web' },
  });
  return { id: data.user.id, token: data.accessToken, client: api().as(data.accessToken) };
}
type Member = Awaited<ReturnType<typeof newMember>>;
const newRoom = async ({ client }: Member, type: 'public' | 'private' = 'public'): Promise<string> =>
  (await client.call(createChatroom, { body: { name: 'Gold', type } })).data.id;

const upTo = (last: number): number[] => Array.from({ length: last }, (_, place) => place + 1);

describe('two processes over Redis', { skip: redis ? false : 'no redis-server here' }, () => {
  const [one, two] = programs as [Program, Program];

  test('chat, presence, limits and revocation work across two processes', async () => {
    const [ada, ben] = [await newMember(), await newMember()];
    const room = await newRoom(ada);
    const [hers, his] = [
      await LiveClient.open(urlOf(one), ada.token),
      await LiveClient.open(urlOf(two), ben.token),
    ];
    const enter = { type: 'subscribe', channel: 'chatroom', chatroomId: room };
    await hers.ask(enter);
    assert.equal((await his.ask(enter)).data.activeNow, 2);
    await hers.next(({ type, data }) => type === 'user:online' && data.userId === ben.id);
    for (const [from, to] of [
      [hers, his],
      [his, hers],
    ] as const) {
      const { data } = await from.ask({ type: 'chat:send', chatroomId: room, message: 'across' });
      await to.next((message) => message.data.messageId === data.messageId);
    }
    const again = await LiveClient.open(urlOf(one), ben.token);
    let refused = 0;
    for (let number = 0; number < 110; number++) {
      const answer = await (number % 2 ? his : again).ask({
        type: 'chat:send',
        chatroomId: room,
        message: 'more',
      });
      if (answer.type === 'error') refused++;
      await sleep(10);
    }
    // A minute may have ended meanwhile.
    assert.ok(refused >= 1 || new Date().getSeconds() < 10, `${refused} were refused`);
    await ada.client.call(banChatMember, { params: { chatroomId: room, userId: ben.id } });
    assert.equal((await his.next(({ type }) => type === 'unsubscribed')).data.reason, 'BANNED');
    for (const client of [hers, his, again]) client.close();
  });

  test('while Redis is down each process continues and reports it, and no message is lost', async () => {
    const [ada, ben] = [await newMember(), await newMember()];
    const room = await newRoom(ada);
    const listeners = [new Listener(ada.token, room), new Listener(ada.token, room)];
    void listeners[0]?.listen(() => [urlOf(one)], 0);
    void listeners[1]?.listen(() => [urlOf(two)], 0);
    const speaker = keepSending(ben.client, room, () => [urlOf(one)]);
    await until(() => listeners.every(({ heard }) => heard.length > 5), 'the beginning');
    await redis?.kill();
    const ready = async () =>
      (await fetch(`${urlOf(one)}/health/ready`)).json() as Promise<{ status: string; degraded: string[] }>;
    await until(async () => (await ready()).degraded.includes('redis'), 'the sign');
    assert.equal((await ready()).status, 'ready');
    const before = speaker.acknowledged.length;
    await until(() => speaker.acknowledged.length > before + 10, 'they go on speaking');
    await until(() => (listeners[0]?.heard.length ?? 0) > before + 5, 'those of the same process hear it');
    await redis?.restart();
    await until(async () => (await ready()).degraded === undefined, 'the healing');
    const healed = speaker.acknowledged.length;
    await until(() => speaker.acknowledged.length > healed + 5, 'they go on');
    await speaker.stop();
    for (const listener of listeners) {
      await until(() => listener.heard.length >= speaker.acknowledged.length, 'the rest');
      assert.deepEqual(listener.seqs, upTo(speaker.acknowledged.length));
      listener.stop();
    }
  });

  test('a member removed from a room while Redis was down loses the subscription when it is back', async () => {
    const [ada, ben] = [await newMember(), await newMember()];
    const room = await newRoom(ada, 'private');
    await ada.client.call(addChatroomMember, { params: { chatroomId: room }, body: { userId: ben.id } });
    const his = await LiveClient.open(urlOf(two), ben.token);
    await his.ask({ type: 'subscribe', channel: 'chatroom', chatroomId: room });
    await redis?.kill();
    await ada.client.call(removeChatroomMember, { params: { chatroomId: room, userId: ben.id } });
    await redis?.restart();
    const out = await his.next(({ type }) => type === 'unsubscribed');
    // The notice of the removal, which was lost, gives the reason REMOVED.
    assert.equal(out.data.reason, 'NOT_ALLOWED');
    his.close();
  });

  test('members miss nothing and receive nothing twice when processes are killed or stopped', async () => {
    const [ada, ben] = [await newMember(), await newMember()];
    const room = await newRoom(ada);
    const third = await start();
    programs.push(third);
    let alive = [third, two, one];
    const urls = () => alive.map(urlOf);
    const listeners = [
      new Listener(ada.token, room),
      new Listener(ada.token, room),
      new Listener(ben.token, room),
    ];
    const listening = listeners.map((listener, place) => listener.listen(urls, place));
    const speaker = keepSending(ben.client, room, urls);
    await until(() => listeners.every(({ heard }) => heard.length > 10), 'the beginning');
    third.process.kill('SIGKILL');
    alive = [two, one];
    const before = speaker.acknowledged.length;
    await until(() => listeners.every(({ heard }) => heard.length > before + 5), 'after the kill');
    const stopped = two.end('SIGTERM');
    alive = [one];
    assert.equal(await stopped, 0);
    const then = speaker.acknowledged.length;
    await until(() => listeners.every(({ heard }) => heard.length > then + 5), 'after the stop');
    await speaker.stop();
    for (const listener of listeners) {
      await until(() => listener.heard.length >= speaker.acknowledged.length, 'the rest');
      assert.deepEqual(listener.seqs, upTo(speaker.acknowledged.length));
      assert.deepEqual(
        listener.heard.map(({ data }) => data.message),
        speaker.acknowledged,
      );
    }
    assert.ok(
      listeners.some(({ closes }) => closes.includes(1012)),
      'the stop was told',
    );
    for (const listener of listeners) listener.stop();
    await Promise.all(listening);
    const active = async () =>
      (await ada.client.call(getChatroom, { params: { chatroomId: room } })).data.activeNow;
    await until(async () => (await active()) === 0, 'those whom the dead process held are gone');
  });
});

test('sockets cut mid-message and a thousand short connections affect nobody else', async () => {
  const [first] = programs as [Program];
  const ada = await newMember();
  const steady = await LiveClient.open(urlOf(first), ada.token);
  const { hostname, port } = new URL(urlOf(first));
  const upgrade =
    'GET /v1/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
  /** Nonsense, half a frame, a frame without its mask, a control frame that is too long, a lone continuation. */
  const ends = [
    Buffer.from('nonsense'),
    Buffer.from([0x81, 0xfe, 0x01, 0x00, 1, 2, 3]),
    Buffer.from([0x81, 0x05, 1, 2, 3, 4, 5]),
    Buffer.from([0x89, 0xfe, 0x01, 0x00, 0, 0, 0, 0]),
    Buffer.from([0x80, 0x80, 0, 0, 0, 0]),
    Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe]),
    Buffer.alloc(0),
  ];
  for (let round = 0; round < 20; round++) {
    await Promise.all(
      Array.from({ length: 50 }, async (_, number) => {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined);
        socket.write(upgrade);
        await new Promise((resolve) => socket.once('data', resolve));
        socket.write(ends[number % ends.length] as Buffer);
        await sleep(Math.random() * 5);
        socket.destroy();
      }),
    );
  }
  assert.equal((await steady.ask({ type: 'ping' })).type, 'pong');
  steady.close();
  const connections = async () =>
    Number(/^live_connections (\d+)/m.exec(await (await fetch(`${urlOf(first)}/metrics`)).text())?.[1]);
  await until(async () => (await connections()) === 0, 'none is left behind');
});
