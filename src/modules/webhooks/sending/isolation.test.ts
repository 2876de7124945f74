import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import {
  getProfile,
  listAudit,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from '../../../../sdk/src/index.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { endpointsOf } from '../../../../test/support/webhooks.ts';
import { AT_ONCE } from './posting.ts';

const platform = await startPlatform();
const registered = endpointsOf(() => platform.admin);

/** Starts a TCP server that responds with arbitrary bytes. */
async function rawServer(answer: (socket: Socket) => void) {
  const now = { open: 0, most: 0, closed: 0, sent: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    now.open++;
    now.most = Math.max(now.most, now.open);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      now.open--;
      now.closed++;
      now.sent += socket.bytesWritten;
      sockets.delete(socket);
    });
    // The body ends with the request.
    socket.on('data', (chunk) => {
      if (chunk.toString().endsWith('}')) answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, now };
}

/** Writes a beginning, and then repeats a chunk for as long as the other side accepts it. */
const flood =
  (beginning: string, chunk: Buffer) =>
  (socket: Socket): void => {
    socket.write(beginning);
    const on = (): void => {
      while (!socket.destroyed && socket.write(chunk));
      if (!socket.destroyed) socket.once('drain', on);
    };
    on();
  };
const HEAD = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const CHUNK = Buffer.from(`4000\r\n${'x'.repeat(0x4000)}\r\n`);

/** The misbehaviours of receivers, each with the error that the log shows. */
const BAD: Record<string, [answer: (socket: Socket) => void, status: string, error: RegExp | null]> = {
  'garbage instead of HTTP': [(socket) => socket.end('\0\0nonsense\r\n\r\n'), 'pending', /HPE_|parse/i],
  'no answer and an end': [(socket) => socket.end(), 'pending', /ECONNRESET/],
  'an endless body': [flood(HEAD, CHUNK), 'delivered', null],
  'endless headers': [
    flood('HTTP/1.1 200 OK\r\n', Buffer.from(`x: ${'y'.repeat(900)}\r\n`)),
    'pending',
    /HPE_HEADER_OVERFLOW/,
  ],
  'another protocol': [
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    'pending',
    /answered 101/,
  ],
  'a body that is cut off': [
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
    'delivered',
    null,
  ],
  'what the database cannot store': [
    (socket) =>
      socket.end(
        Buffer.concat([
          Buffer.from('HTTP/1.1 500 Oops\r\ncontent-length: 4\r\n\r\n'),
          Buffer.from([0, 255, 254, 0]),
        ]),
      ),
    'pending',
    /answered 500/,
  ],
};

test('endpoints that hang, flood or answer garbage hold up neither others nor requests, with eight connections each', async () => {
  const hanging = await rawServer(() => undefined);
  const bad = await Promise.all(
    Object.entries(BAD).map(async ([name, [answer, status, error]]) => {
      const server = await rawServer(answer);
      const endpoint = await registered({ url: server.url, types: ['user.created'] });
      return { name, server, endpoint, status, error };
    }),
  );
  const hangs = await registered({ url: hanging.url, types: ['user.created'] });
  const good = await registered({ types: ['user.created'] });
  const members = await Promise.all(Array.from({ length: 30 }, () => platform.newMember()));
  await until(async () => good.got.length === 30, 'the deliveries of the good one');
  for (const { client } of members.slice(0, 3)) assert.equal((await client.call(getProfile)).status, 200);
  for (const { name, server, endpoint, status, error } of bad) {
    const tried = async () => (await endpoint.deliveries()).filter(({ attempts }) => attempts > 0);
    await until(async () => (await tried()).length === 30, `attempts with ${name}`);
    for (const delivery of await tried()) {
      assert.equal(delivery.status, status, `${name}: ${delivery.lastError}`);
      if (error) assert.match(String(delivery.lastError), error, name);
    }
    assert.ok(server.now.most <= AT_ONCE, `${name}: ${server.now.most} connections`);
  }
  assert.equal(hanging.now.open, AT_ONCE);
  const endless = bad.find(({ name }) => name === 'an endless body')?.server.now;
  await until(() => endless?.open === 0, 'the end of the flood');
  for (const { endpoint } of bad) await endpoint.remove();
  await hangs.remove();
  await good.remove();
});

test('an endpoint whose secret cannot be read holds up no other, and is revived by a new one', async () => {
  const [broken, other] = [
    await registered({ types: ['user.created'] }),
    await registered({ types: ['user.created'] }),
  ];
  // The stored secret becomes unreadable, as after a restore with another secret key.
  await platform.database.execute(
    `update webhooks.endpoint set secret = sha256('of another key') where id = $1`,
    [broken.id],
  );
  await platform.newMember();
  await until(async () => other.got.length === 1, 'the other');
  await until(async () => !(await broken.read()).enabled, 'the end');
  const { disabledReason } = await broken.read();
  assert.match(
    disabledReason ?? '',
    /^Its secret cannot be read \(SECRET_UNREADABLE\): .* enable the endpoint again$/,
  );
  assert.equal(broken.got.length, 0);
  const waiting = await broken.newest();
  assert.deepEqual([waiting.status, waiting.attempts, waiting.lastError], ['pending', 0, disabledReason]);
  const { data: alerts } = await platform.admin.call(listAudit, {
    query: { action: 'webhook.endpoint-disabled', target: broken.id },
  });
  assert.deepEqual(
    alerts.map(({ details }) => details.reason),
    [disabledReason],
  );
  const told = platform.logged.filter((line) => line.includes('SECRET_UNREADABLE'));
  assert.ok(told.some((line) => line.includes('secrets of webhook endpoints')));
  await platform.admin.call(rotateWebhookSecret, { params: broken.params });
  await platform.admin.call(updateWebhookEndpoint, { params: broken.params, body: { enabled: true } });
  await until(async () => broken.got.length === 1, 'the delivery');
  assert.equal(String(broken.got[0]?.headers['webhook-signature']).split(' ').length, 1);
  await until(async () => (await broken.newest()).status === 'delivered', 'its record');
  assert.equal((await broken.newest()).lastError, null);
  await broken.remove();
  await other.remove();
});

test('the outcome of an attempt is ignored once another process has continued the delivery', async () => {
  const endpoint = await registered({ types: ['user.created'] });
  const answers: (() => void)[] = [];
  endpoint.now.answer = (_got, response) => void answers.push(() => response.writeHead(500).end());
  await Promise.all([platform.newMember(), platform.newMember()]);
  await until(async () => answers.length === 2, 'both attempts');
  // Changes made while this process was stopped: one delivery has arrived, and one was attempted twice.
  await platform.database.execute(
    `update webhooks.delivery d set
       status = case when sequence = 1 then 'delivered' else 'pending' end, attempts = 2,
       due_at = case when sequence = 2 then now() + interval '1 hour' end
     from webhooks.endpoint e where e.number = d.endpoint and e.id = $1`,
    [endpoint.id],
  );
  for (const answer of answers.splice(0)) answer();
  // The next attempt shows that the earlier ones have been recorded.
  endpoint.now.answer = (_got, response) => void response.writeHead(204).end();
  await platform.newMember();
  await until(async () => (await endpoint.newest()).status === 'delivered', 'the next');
  const all = (await endpoint.deliveries()).map(({ sequence, status, attempts }) => [
    sequence,
    status,
    attempts,
  ]);
  assert.deepEqual(all, [
    [3, 'delivered', 1],
    [2, 'pending', 2],
    [1, 'delivered', 2],
  ]);
  await endpoint.remove();
});
