import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../test/support/live.ts';
import { closeStalledClients } from './stalled-clients.ts';

/** Long enough that six turns of a busy machine's event loop are not a stall. */
const STALL_MS = 1_500;
const MIB = 1024 * 1024;
const LARGE = Buffer.alloc(48 * MIB);

/** Asks a server that closes stalled clients; answers the client's socket, which reads nothing yet. */
async function asking(answer: RequestListener, context: TestContext): Promise<Socket> {
  const server = createServer(answer);
  closeStalledClients(server, STALL_MS);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  context.after(() => {
    socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  socket.write('GET / HTTP/1.1\r\nhost: test\r\n\r\n');
  return socket;
}

test('a client that reads nothing is cut off, for buffered and streamed responses', async (context) => {
  for (const isStream of [false, true]) {
    const closed = Promise.withResolvers<void>();
    await asking((_request, response) => {
      response.once('close', closed.resolve);
      if (!isStream) {
        response.end(LARGE);
        return;
      }
      const more = () => {
        while (response.write(LARGE.subarray(0, MIB)));
      };
      response.on('drain', more);
      more();
    }, context);
    await closed.promise;
  }
});

test('a slow client receives the whole response', async (context) => {
  await until(async () => {
    const startedMs = performance.now();
    const socket = await asking((_request, response) => response.end(LARGE), context);
    let read = 0;
    let longestMs = 0;
    socket.on('data', (chunk) => {
      read += chunk.length;
      if (read % (8 * MIB) >= chunk.length) return;
      socket.pause();
      const pausedMs = performance.now();
      setTimeout(() => {
        longestMs = Math.max(longestMs, performance.now() - pausedMs);
        socket.resume();
      }, STALL_MS / 2);
    });
    socket.resume();
    while (read < LARGE.length && !socket.destroyed) await sleep(10);
    // A busy machine may have made a pause so long that it was a stall.
    if (socket.destroyed && longestMs > (STALL_MS * 3) / 4) return false;
    assert.ok(read >= LARGE.length, `closed after ${read} bytes`);
    assert.ok(performance.now() - startedMs > 2 * STALL_MS, 'it was slow enough to tell');
    return true;
  }, 'a client that is slow enough');
});

test('a client that waits for a slow answer is left alone, and so is an idle connection', async (context) => {
  const socket = await asking((_request, response) => {
    response.write('a');
    setTimeout(() => response.end('b'), 4 * STALL_MS);
  }, context);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.resume();
  while (!text.endsWith('0\r\n\r\n')) {
    assert.ok(!socket.destroyed);
    await sleep(10);
  }
  await sleep(3 * STALL_MS);
  text = '';
  socket.write('GET / HTTP/1.1\r\nhost: test\r\n\r\n');
  while (!text.endsWith('0\r\n\r\n')) {
    assert.ok(!socket.destroyed);
    await sleep(10);
  }
});
