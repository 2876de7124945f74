import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { until } from '../../../test/support/live.ts';
import { closeConnections } from './closing.ts';

/** Starts a server whose answers wait for `answer`, and opens a connection on which `sent` is sent. */
async function connected(sent: string, context: TestContext, answer = Promise.resolve()) {
  const app = Fastify();
  closeConnections(app);
  app.get('/', async () => {
    await answer;
    return 'answered';
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const accepted = once(app.server, 'connection') as Promise<[Socket]>;
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  context.after(() => {
    client.destroy();
    app.server.closeAllConnections();
    return app.close();
  });
  client.on('error', () => undefined); // the server may end it
  client.resume();
  const [socket] = await accepted;
  client.write(sent);
  while (socket.bytesRead < sent.length) await sleep(5);
  return { app, client };
}

test('a connection that has never sent a byte does not keep the server from closing', async (context) => {
  const { app, client } = await connected('', context);
  await Promise.all([app.close(), once(client, 'close')]);
});

test('neither does one that sends only a part of its first request', async (context) => {
  const { app, client } = await connected('GET / HTTP/1.1\r\nhost:', context);
  await Promise.all([app.close(), once(client, 'close')]);
});

test('a client that finishes its first request soon after the end has begun is answered', async (context) => {
  await until(async () => {
    const { app, client } = await connected('GET / HTTP/1.1\r\nhost:', context);
    let answer = '';
    client.on('data', (chunk) => {
      answer += chunk;
    });
    const ended = once(client, 'close');
    const closed = app.close();
    await sleep(200);
    client.write(' test\r\n\r\n');
    await Promise.all([closed, ended]);
    // On a busy machine the client may come too late.
    if (answer === '') return false;
    assert.match(answer, /^HTTP\/1\.1 503 /);
    return true;
  }, 'an answer');
});

test('the server closes when the response under way is sent', async (context) => {
  const answer = Promise.withResolvers<void>();
  const { app, client } = await connected('GET / HTTP/1.1\r\nhost: test\r\n\r\n', context, answer.promise);
  const closing = app.close();
  await sleep(1_500);
  const received = once(client, 'data') as Promise<[Buffer]>;
  answer.resolve();
  assert.match(String((await received)[0]), /answered$/);
  await closing;
});
