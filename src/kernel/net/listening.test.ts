import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { until } from '../../../test/support/live.ts';
import { refuseConnections } from './listening.ts';

const WAITING = 30;

test('a connection that a balancer kept is answered after new ones are refused', async () => {
  let isEnding = false;
  const server = createServer((_request, response) => {
    if (isEnding) response.setHeader('connection', 'close');
    response.end('answer');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async (agent: Agent): Promise<string | undefined> => {
    const [response] = await once(get(url, { agent }), 'response');
    response.resume();
    await once(response, 'end');
    return response.headers.connection;
  };
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  assert.equal(await ask(kept), 'keep-alive');

  isEnding = true;
  const ended = refuseConnections(server, { forMs: 600_000 });
  await until(() => !server.listening, 'the end of listening');
  await assert.rejects(ask(new Agent()), { code: 'ECONNREFUSED' });
  assert.equal(await ask(kept), 'close');
  await ended;
});

test('connections that wait to be accepted are served before new ones are refused', async () => {
  const server = createServer((_request, response) =>
    response.setHeader('connection', 'close').end('answer'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Another thread opens them, since this one is busy until they all wait.
  const opened = new Int32Array(new SharedArrayBuffer(4));
  const client = new Worker(
    `const { connect } = require('node:net');
     const { workerData: { port, count, opened }, parentPort } = require('node:worker_threads');
     let answered = 0, left = count;
     for (let number = 0; number < count; number++) {
       const socket = connect(port, '127.0.0.1', () => Atomics.add(opened, 0, 1) && Atomics.notify(opened, 0));
       socket.write('GET / HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n');
       socket.once('data', () => answered++);
       socket.on('error', () => undefined);
       socket.once('close', () => --left === 0 && parentPort.postMessage(answered));
     }`,
    { eval: true, workerData: { port: new URL(url).port, count: WAITING, opened } },
  );
  const answered = once(client, 'message');
  while (Atomics.load(opened, 0) < WAITING) Atomics.wait(opened, 0, Atomics.load(opened, 0), 100);
  await refuseConnections(server, { forMs: 600_000 });
  assert.deepEqual(await answered, [WAITING]);
});
