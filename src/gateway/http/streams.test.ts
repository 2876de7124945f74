import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import { Type } from 'typebox';
import { until } from '../../../test/support/live.ts';
import { Failure } from '../../kernel/failures.ts';
import { ok, Streamed } from '../../kernel/operations/operation.ts';
import { streaming } from './streams.ts';

const PIECE = 'x'.repeat(64 * 1024);

/** How many pieces each response has made, in the order of their requests, and how many have ended. */
const made: number[] = [];
let ended = 0;
async function* pieces(): AsyncGenerator<string> {
  const place = made.push(0) - 1;
  try {
    for (;;) {
      made[place] = (made[place] ?? 0) + 1;
      yield PIECE;
    }
  } finally {
    ended++;
  }
}

/** Serves endless responses; returns the port. */
async function serve(options: Parameters<typeof streaming>[0]): Promise<number> {
  const app = Fastify();
  const sendStream = streaming(options);
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof Failure ? error.status : 500).send({}),
  );
  app.get('/endless', (_request, reply) =>
    sendStream(
      reply,
      new Streamed({ kind: 'text', contentType: 'text/csv', fileName: 'x.csv', chunks: pieces() }),
      ok(Type.String()),
      0,
    ),
  );
  after(() => app.close());
  return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
}

/** Asks for an endless response and never reads it. */
async function ask(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  socket.write('GET /endless HTTP/1.1\r\nhost: localhost\r\n\r\n');
  return socket;
}

test('two exports run at once with backpressure, and an aborted one frees its slot', async () => {
  const port = await serve({ maxWaitMs: 120_000 });
  const first = [await ask(port), await ask(port)];
  // What the buffers of sockets take, and no more: a response without end would otherwise fill the memory.
  const isFull = async (): Promise<boolean> => {
    const before = made.join();
    await new Promise((resolve) => setTimeout(resolve, 200));
    return made.length === 2 && before === made.join();
  };
  await until(isFull, 'full buffers');
  assert.ok(Math.max(...made) < 500, made.join());
  const third = fetch(`http://127.0.0.1:${port}/endless`);
  await until(() => made.length === 3, 'the third');
  assert.equal(made[2], 1);
  first[0]?.destroy();
  const answered = await third;
  assert.equal(answered.status, 200);
  assert.equal(ended, 1);
  await answered.body?.cancel();
  first[1]?.destroy();
  await until(() => ended === 3, 'the end of all');
});

test('an export that waits for its turn for too long is refused', async () => {
  const port = await serve({ maxWaitMs: 100 });
  const [before, begun] = [ended, made.length];
  const first = [await ask(port), await ask(port)];
  await until(() => made.length === begun + 2, 'both responses');
  assert.equal((await fetch(`http://127.0.0.1:${port}/endless`)).status, 503);
  assert.equal(ended, before + 1);
  for (const socket of first) socket.destroy();
  await until(() => ended === before + 3, 'the end of all');
});

test('a slow reader makes room for another one, and is left alone while nobody waits', async () => {
  const port = await serve({ maxReaderMs: 0 });
  const before = ended;
  const slow = [await ask(port), await ask(port)];
  const hasEnded = slow.map((socket) => once(socket.resume(), 'close'));
  for (const socket of slow) socket.pause();
  const begun = made.length;
  await until(() => made.length >= begun && made.slice(-2).every((pieces) => pieces > 1), 'both responses');
  assert.equal(ended, before);
  const third = await fetch(`http://127.0.0.1:${port}/endless`);
  assert.equal(third.status, 200);
  assert.equal(ended, before + 1);
  for (const socket of slow) socket.resume();
  await Promise.race(hasEnded);
  await third.body?.cancel();
  for (const socket of slow) socket.destroy();
  await until(() => ended === before + 3, 'the end of all');
});
