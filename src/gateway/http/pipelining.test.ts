import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { startPlatform } from '../../../test/support/platform.ts';
import { handleInTurn } from './pipelining.ts';

const requestFor = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: test\r\n\r\n`;

/** Reads all data until the connection ends. */
async function allOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return text;
}

async function connected(answer: RequestListener, context: TestContext): Promise<Socket> {
  const server = createServer(answer);
  handleInTurn(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  context.after(() => {
    socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  return socket;
}

test('pipelined requests are handled one after the other', async (context) => {
  const COUNT = 60;
  let working = 0;
  let most = 0;
  const socket = await connected((request, response) => {
    most = Math.max(most, ++working);
    if (request.url === `/${COUNT - 1}`) response.setHeader('connection', 'close');
    setImmediate(() => {
      working--;
      response.end(`answer to ${request.url};`);
    });
  }, context);
  socket.write(Array.from({ length: COUNT }, (_, number) => requestFor(`/${number}`)).join(''));
  const text = await allOf(socket);
  const answered = [...text.matchAll(/answer to \/(\d+);/g)].map(([, number]) => Number(number));
  assert.deepEqual(
    answered,
    Array.from({ length: COUNT }, (_, number) => number),
  );
  assert.equal(most, 1);
});

test('pipelined requests of a broken connection are not handled', async (context) => {
  const handled: (string | undefined)[] = [];
  const closed = Promise.withResolvers<void>();
  const socket = await connected((request, response) => {
    handled.push(request.url);
    response.once('close', closed.resolve);
    setImmediate(() => socket.resetAndDestroy());
  }, context);
  socket.write(requestFor('/first') + requestFor('/second'));
  await closed.promise;
  assert.deepEqual(handled, ['/first']);
});

test('a connection on which too many requests wait is closed', async () => {
  const { url } = await startPlatform();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const last = 'GET /last HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n';
  socket.write(requestFor('/v1/wallets/balance').repeat(1_000) + last);
  const text = await allOf(socket);
  assert.ok(text.split('HTTP/1.1 ').length - 1 <= 101);
});
