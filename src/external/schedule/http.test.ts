import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { ExternalFault } from '../../kernel/net/outbound.ts';
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

/** Returns the sessions of the first of March. */
function reading() {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const schedule = httpSchedule({ baseUrl, clock: systemClock });
  return () => schedule.between(new Date('2027-03-01T00:00:00Z'), new Date('2027-03-02T00:00:00Z'));
}
const session = (id: string, more: object = {}) => ({
  id,
  title: `Session ${id}`,
  educatorId: 'a'.repeat(24),
  startsAt: '2027-03-01T12:00:00Z',
  endsAt: '2027-03-01T13:00:00Z',
  ...more,
});

test('one session that cannot be read does not suspend the calls about other days', async () => {
  const between = reading();
  sessions = [{ id: 7 }];
  for (const odd of [
    { toString: 1 },
    { educatorId: { toString: 1 } },
    { startsAt: { valueOf: 1, toString: 1 } },
  ]) {
    sessions = [session('odd', { educatorId: odd, startsAt: odd, ...odd })];
    await assert.rejects(between(), ExternalFault);
  }
  sessions = [{ id: 7 }];
  for (let call = 0; call < 6; call++) await assert.rejects(between(), /an invalid session/);
  sessions = [];
  assert.deepEqual(await between(), []);
});

test('sessions outside of the period are left out, and of several with one id the last one counts', async () => {
  sessions = [
    session('twice'),
    session('first', { startsAt: '2027-03-01T00:00:00Z' }),
    session('next day', { startsAt: '2027-03-02T00:00:00Z', endsAt: '2027-03-02T01:00:00Z' }),
    session('before Christ', { startsAt: '-271820-01-01T00:00:00Z' }),
    session('twice', { title: 'Moved' }),
  ];
  const read = (await reading()()).map(({ id, title }) => [id, title]);
  assert.deepEqual(read, [
    ['twice', 'Moved'],
    ['first', 'Session first'],
  ]);
});

test('texts that cannot be stored are cleaned and long ones cut; an id that cannot be stored is no session', async () => {
  const odd = `a\0b\ud800${'x'.repeat(10_000)}`;
  sessions = [session('odd', { title: odd, description: odd, educatorName: odd })];
  const [{ title, description, educatorName } = assert.fail('no session')] = await reading()();
  for (const [text, length] of [
    [title, 300],
    [description, 5_000],
    [educatorName, 200],
  ] as const) {
    assert.ok(text.startsWith('a\ufffdb\ufffdxx'), text.slice(0, 9));
    assert.equal(text.length, length);
  }
  for (const id of ['a\0b', 'a\udc00']) {
    sessions = [session(id)];
    await assert.rejects(reading()(), /an invalid session/);
  }
});
