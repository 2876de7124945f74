import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after, test } from 'node:test';
import { newDatabase } from '../../../test/support/databases.ts';
import { openDatabase } from './database.ts';

const { url, drop } = await newDatabase();
after(drop);

const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);
const fields = Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
const SHUTDOWN = Buffer.concat([Buffer.from([0x45, 0, 0, 0, fields.length + 4]), fields]);

/** A stand-in for a PostgreSQL server that shuts down before it has read the message with which a client closes. */
async function stoppingServer() {
  const { searchParams, pathname } = new URL(url);
  const path = `${searchParams.get('host')}/.s.PGSQL.${new URL(url).port || 5432}`;
  const closings: Promise<unknown>[] = [];
  const server = createServer((client) => {
    const real = connect(path);
    closings.push(once(client, 'close'));
    client.on('data', (chunk) => {
      if (chunk.subarray(-TERMINATE.length).equals(TERMINATE)) client.end(SHUTDOWN);
      else real.write(chunk);
    });
    client.on('close', () => real.destroy());
    real.on('data', (chunk) => client.write(chunk));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `postgresql://postgres@127.0.0.1:${port}${pathname}`, gone: closings };
}

test('a server that stops after the database was closed causes no error', async () => {
  const server = await stoppingServer();
  const faults: Error[] = [];
  const database = openDatabase({
    url: server.url,
    connections: 2,
    onBackgroundError: (error) => faults.push(error),
  });
  await database.ping();
  await database.close();
  assert.equal(server.gone.length, 1);
  await Promise.all(server.gone);
  await new Promise(setImmediate);
  assert.deepEqual(faults, []);
});
