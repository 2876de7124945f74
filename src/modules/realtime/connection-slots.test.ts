import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { type LiveMessage, until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { stopClock } from '../../../test/support/stopped-clock.ts';

// Behind a proxy, which adds X-Forwarded-For: limits count the addresses of clients. The clients of test/support cannot
// send headers.

const platform = await startPlatform({ LIVE_CONNECTIONS: '400', TRUSTED_PROXIES: '127.0.0.0/8,::1' });
const { url } = platform;
const figure = (name: string) => platform.metric(name);

interface Stranger {
  socket: WebSocket;
  closed: number | undefined;
  received: LiveMessage[];
}

async function connectFrom(address: string): Promise<Stranger> {
  const headers = { 'x-forwarded-for': address };
  const stranger: Stranger = {
    socket: new WebSocket(`${url.replace('http', 'ws')}/v1/live`, { headers }),
    closed: undefined,
    received: [],
  };
  stranger.socket.on('message', (data) => stranger.received.push(JSON.parse(String(data))));
  stranger.socket.on('close', (code) => {
    stranger.closed = code;
  });
  stranger.socket.on('error', () => undefined);
  await Promise.race([once(stranger.socket, 'open'), once(stranger.socket, 'close')]);
  return stranger;
}

async function signIn({ socket, received }: Stranger, token: string): Promise<void> {
  socket.send(JSON.stringify({ type: 'auth', token }));
  await until(() => received.some(({ type }) => type === 'auth:success'), 'the sign-in');
}

async function end(strangers: Stranger[]): Promise<void> {
  for (const { socket } of strangers) socket.close();
  await until(async () => (await figure('live_connections')) === 0, 'all are gone');
}

test('unauthenticated connections cannot keep members from connecting', async (t) => {
  stopClock(t, platform.clock);
  const strangers: Stranger[] = [];
  for (let number = 0; number < 420; number++) strangers.push(await connectFrom('203.0.113.1'));
  assert.ok((await figure('live_unauthenticated')) <= 80, 'a fifth of the places of members');
  for (const address of ['198.51.100.1', '203.0.113.1']) {
    const member = await connectFrom(address);
    await signIn(member, (await platform.newMember()).accessToken);
    strangers.push(member);
  }
  const closes = strangers.flatMap(({ closed }) => closed ?? []);
  assert.deepEqual([...new Set(closes)], [1013]);
  await end(strangers);
});

test('a new unauthenticated connection replaces the oldest one, but never a member', async (t) => {
  stopClock(t, platform.clock);
  const member = await connectFrom('203.0.113.2');
  await signIn(member, (await platform.newMember()).accessToken);
  const strangers: Stranger[] = [];
  for (let number = 0; number < 81; number++) strangers.push(await connectFrom(`203.0.113.${number}`));
  await until(() => strangers[0]?.closed === 1013, 'the oldest is closed');
  assert.deepEqual(
    strangers.slice(1).flatMap(({ closed }) => closed ?? []),
    [],
  );
  assert.equal(member.closed, undefined);
  assert.equal(await figure('live_unauthenticated'), 80);
  await end([member, ...strangers]);
});

test('members can use all places but no more, also with concurrent sign-ins', async (t) => {
  stopClock(t, platform.clock);
  const members = await Promise.all(Array.from({ length: 42 }, () => platform.newMember()));
  const clients: Stranger[] = [];
  for (const { accessToken } of members) {
    const some = await Promise.all(Array.from({ length: 10 }, () => connectFrom('203.0.113.3')));
    for (const { socket } of some) socket.send(JSON.stringify({ type: 'auth', token: accessToken }));
    clients.push(...some);
  }
  const isAnswered = ({ closed, received }: Stranger) => closed !== undefined || received.length > 0;
  await until(() => clients.every(isAnswered), 'all are answered');
  await until(() => clients.filter(({ closed }) => closed === undefined).length === 400, '400 members');
  assert.equal(await figure('live_connections'), 400);
  const refused = clients.filter(({ closed }) => closed !== undefined);
  assert.deepEqual([...new Set(refused.map(({ closed }) => closed))], [1013]);
  await end(clients);
});
