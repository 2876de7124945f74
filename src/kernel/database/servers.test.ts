import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { isOutage } from '../outages.ts';
import { openDatabase } from './database.ts';
import { serverUrls } from './server-urls.ts';

test('a URL names one server or several, by hosts or by sockets', () => {
  const cases: [url: string, ...servers: string[]][] = [
    ['postgresql://u:p@a:5432/db?x=1', 'postgresql://u:p@a:5432/db?x=1'],
    [
      'postgresql://u:p@a:5432,b:5433/db?x=1',
      'postgresql://u:p@a:5432/db?x=1',
      'postgresql://u:p@b:5433/db?x=1',
    ],
    ['postgres://a,[::1]:5433/db', 'postgres://a/db', 'postgres://[::1]:5433/db'],
    ['postgresql://u:a,b@c/db', 'postgresql://u:a,b@c/db'],
    ['postgresql:///db?host=/run/a', 'postgresql:///db?host=/run/a'],
    ['postgresql:///db?host=/a,/b', 'postgresql:///db?host=%2Fa', 'postgresql:///db?host=%2Fb'],
    [
      'postgresql:///db?host=/a,/b&port=1,2',
      'postgresql:///db?host=%2Fa&port=1',
      'postgresql:///db?host=%2Fb&port=2',
    ],
  ];
  for (const [url, ...servers] of cases) assert.deepEqual(serverUrls(url), servers, url);
  for (const wrong of ['', 'a:5432', 'postgresql://a:5432,b:x/db', 'postgresql://a b,c/db'])
    assert.throws(() => serverUrls(wrong), /^Error: is not a URL$/, wrong);
  assert.throws(() => serverUrls('postgresql:///db?host=/a,/b,/c&port=1,2'), /one for each host/);
  assert.throws(() => serverUrls(`postgresql://${Array(9).fill('a').join()}/db`), /more than 8 servers/);
});

test('with no server that can be reached, or one that never answers, a query fails as an outage', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  after(() => {
    silent.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  for (const hosts of ['127.0.0.1:1,127.0.0.1:2', `127.0.0.1:1,127.0.0.1:${port}`]) {
    const database = openDatabase({
      url: `postgresql://user:secret@${hosts}/db`,
      connections: 2,
      onBackgroundError: () => undefined,
    });
    after(database.close);
    const attempts = await Promise.allSettled([1, 2, 3].map(() => database.all('select 1')));
    assert.ok(attempts.every((attempt) => attempt.status === 'rejected' && isOutage(attempt.reason)));
  }
});
