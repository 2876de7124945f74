import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { redisCache } from './redis.ts';

const sockets: Socket[] = [];
after(() => {
  for (const socket of sockets) socket.destroy();
});

const text = (value: string): string => `$${value.length}\r\n${value}\r\n`;

interface Node {
  isLoading?: boolean;
  /** Whether it says of each key that another node has it, although it says of all slots that they are its own. */
  contradicts?: boolean;
  onLook?: () => void;
}

/** Starts what answers as a node of Redis that has all slots of a cluster. @returns its address */
async function startNode({
  isLoading = false,
  contradicts = false,
  onLook = () => {},
}: Node): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answerTo = (command: string): string => {
    if (command.startsWith('hello')) return '%1\r\n+server\r\n+redis\r\n';
    if (command.startsWith('client')) return '+OK\r\n';
    if (command.startsWith('info'))
      return text(`loading:${Number(isLoading)}\r\nloading_eta_seconds:600\r\n`);
    if (isLoading) return '-LOADING Redis is loading the dataset in memory\r\n';
    if (command.startsWith('cluster slots')) {
      onLook();
      return `*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n${text('127.0.0.1')}:${port}\r\n${text('id')}`;
    }
    if (contradicts && !command.startsWith('cluster')) return `-MOVED 0 127.0.0.1:${port}\r\n`;
    return text(command.startsWith('cluster info') ? 'cluster_state:ok\r\n' : 'value');
  };
  server.on('connection', (socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.on('data', (data) => {
      // A command is an array of texts, each after its length.
      for (const command of String(data)
        .toLowerCase()
        .split(/^\*\d+\r\n/m)
        .slice(1))
        socket.write(answerTo(command.replaceAll(/\$\d+\r\n/g, '').replaceAll('\r\n', ' ')));
    });
  });
  return `127.0.0.1:${port}`;
}

test('a server that loads its data is not waited for, alone or as a node of a cluster', async () => {
  const [whole, loading] = [await startNode({}), await startNode({ isLoading: true })];
  const [single, cluster] = await Promise.all([
    redisCache(`redis://${loading}`, () => undefined),
    redisCache(`redis+cluster://${loading},${whole}`, () => undefined),
  ]);
  assert.equal(single.isConnected(), false);
  await assert.rejects(single.get('key'), /does not answer/);
  assert.equal(cluster.isConnected(), true);
  assert.equal(await cluster.get('key'), 'value');
  await Promise.all([single.close(), cluster.close()]);
});

test('a node that contradicts itself is not asked at each command who has its slots', async () => {
  let looks = 0;
  const node = await startNode({ contradicts: true, onLook: () => looks++ });
  const cache = await redisCache(`redis+cluster://${node}`, () => undefined);
  for (let number = 0; number < 20; number++) await assert.rejects(cache.get('key'), /MOVED/);
  assert.ok(looks < 20, `${looks} looks`);
  await cache.close();
});

test('a counter whose reply is not that of its script is no refusal', async () => {
  const node = await startNode({});
  const cache = await redisCache(`redis://${node}`, () => undefined);
  const minute = { name: 'minute', lengthMs: 60_000, limit: 5 };
  await assert.rejects(cache.consume('key', [minute], Date.now()), /something else/);
  await assert.rejects(cache.consumeSliding('key', minute, Date.now()), /something else/);
  await cache.close();
});
