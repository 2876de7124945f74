import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { refuseConnections } from './listening.ts';

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
  await assert.rejects(ask(new Agent()), { code: 'ECONNREFUSED' });
  assert.equal(await ask(kept), 'close');
  await ended;
});
