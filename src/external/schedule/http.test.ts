import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { systemClock } from '../../kernel/time/time.ts';
import { httpSchedule } from './http.ts';

let sessions: object[] = [];
const server = createServer((_, response) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ sessions }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => {
  server.closeAllConnections();
  server.close();
});

test('one session that cannot be read does not suspend the calls about other days', async () => {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const schedule = httpSchedule({ baseUrl, clock: systemClock });
  const between = () => schedule.between(new Date(0), new Date(1));
  sessions = [{ id: 7 }];
  for (let call = 0; call < 6; call++) await assert.rejects(between(), /an invalid session/);
  sessions = [];
  assert.deepEqual(await between(), []);
});
