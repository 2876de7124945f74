// Limits for addresses that connect to the live channel without signing in.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { LiveClient, until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { stopClock } from '../../../test/support/stopped-clock.ts';
import { requestLoad } from '../../kernel/messaging/back-off.ts';
import { connectionSlots } from './connection-slots.ts';
import { webSocketServer } from './server.ts';

const platform = await startPlatform();
const { clock, url } = platform;
const { hostname, port } = new URL(url);

/** Requests an upgrade and disconnects; returns the head of the response. */
async function knock(path = '/v1/live', at = Number(port)): Promise<string> {
  const socket = connect(at, hostname);
  const nonce = 'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==';
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n${nonce}\r\n\r\n`,
  );
  const [head] = await once(socket, 'data');
  socket.destroy();
  return String(head);
}
const statusOf = (head: string): number => Number(head.split(' ')[1]);

test('upgrades that come to nothing use up the allowance of their address; members take nothing from it', async (t) => {
  stopClock(t, clock);
  const member = await platform.newMember();
  let refused = '';
  let others = 0;
  await until(async () => {
    const heads = await Promise.all(
      Array.from({ length: 40 }, (_, place) => knock(place % 2 === 0 ? '/v1/live' : '/v1/nowhere')),
    );
    refused = heads.find((head) => statusOf(head) === 429) ?? '';
    others += heads.filter((head) => [101, 404].includes(statusOf(head))).length;
    return refused !== '';
  }, 'a refusal');
  assert.ok(others >= 600, `${others} were answered`);
  assert.match(refused, /\r\nRetry-After: \d+\r\n/);
  // Pages count against the same allowance.
  assert.equal((await fetch(`${url}/openapi.json`)).status, 429);

  clock.advance(60_000);
  assert.equal(statusOf(await knock()), 101);
  const left = async () => Number((await fetch(`${url}/`)).headers.get('x-ratelimit-remaining'));
  const before = await left();
  for (let place = 0; place < 5; place++) {
    const { socket } = await LiveClient.open(url, member.accessToken);
    const closed = once(socket, 'close');
    socket.close();
    await closed;
  }
  assert.ok((await left()) >= before - 2, 'members are not counted');
});

test('whom a process refuses because it is about to stop is not counted', async () => {
  const noted: string[] = [];
  const refused: string[] = [];
  const nothing = () => undefined;
  const live = webSocketServer({
    connections: new Set(),
    places: connectionSlots(1),
    strangers: { waitSeconds: () => 0, note: (address) => void noted.push(address) },
    origins: undefined,
    addressOf: () => '192.0.2.1',
    elapsedMs: clock.elapsedMs,
    onMessage: nothing,
    onPing: nothing,
    onClose: nothing,
    flush: nothing,
    onRefused: (status) => void refused.push(status),
    onServerClose: nothing,
    load: requestLoad(),
  });
  const server = createServer().listen(0, hostname);
  await once(server, 'listening');
  live.attach(server);
  await live.drain();
  const at = (server.address() as AddressInfo).port;
  assert.equal(statusOf(await knock('/v1/nowhere', at)), 404);
  assert.equal(statusOf(await knock('/v1/live', at)), 503);
  assert.deepEqual(refused, ['404', '503'], 'as a metric counts them');
  server.close();
  assert.deepEqual(noted, ['192.0.2.1']);
});
