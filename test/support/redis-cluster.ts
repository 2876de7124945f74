import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { until } from './live.ts';
import { freePort } from './ports.ts';
import { type RedisServer, startRedis } from './redis.ts';

const SLOTS = 16_384;
const PRIMARIES = 3;
const NODE_TIMEOUT_MS = 1_000;

export interface RedisCluster {
  /** All nodes, as REDIS_URL names them. */
  url: string;
  primaries: RedisServer[];
  /** Of the first primary, which it replaces when that is lost. */
  replica: RedisServer;
  /** Sends a command to one node, whatever slot it belongs to. */
  command(node: RedisServer, ...words: string[]): Promise<unknown>;
  idOf(node: RedisServer): Promise<string>;
  close(): Promise<void>;
}

/** Starts a cluster of three primaries, one of which has a replica; undefined if Redis is not installed. */
export async function startRedisCluster(): Promise<RedisCluster | undefined> {
  if (!process.env.TEST_REDIS_SERVER) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'platform-cluster-'));
  const nodes: Node[] = [];
  for (let number = 0; number <= PRIMARIES; number++) nodes.push(await startNode(folder, number));
  const primaries = nodes.slice(0, PRIMARIES);
  const [first, replica] = [nodes[0] as Node, nodes[PRIMARIES] as Node];
  await Promise.all(
    primaries.map((node, place) => {
      const edge = (of: number) => Math.floor((of * SLOTS) / PRIMARIES);
      return command(node, 'CLUSTER', 'ADDSLOTSRANGE', String(edge(place)), String(edge(place + 1) - 1));
    }),
  );
  for (const node of nodes.slice(1)) {
    const { hostname, port } = new URL(node.url);
    await command(first, 'CLUSTER', 'MEET', hostname, port, node.clusterPort);
  }
  await untilAll(nodes, 'INFO', `cluster_known_nodes:${nodes.length}`);
  await command(replica, 'CLUSTER', 'REPLICATE', await idOf(first));
  await untilAll(nodes, 'INFO', 'cluster_state:ok');
  await until(
    async () => /master_link_status:up/.test(String(await command(replica, 'INFO'))),
    'the replica',
  );
  return {
    url: `redis+cluster://${nodes.map(({ url }) => new URL(url).host).join(',')}`,
    primaries,
    replica,
    command,
    idOf,
    close: async () => {
      await Promise.all(nodes.map((node) => node.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Node extends RedisServer {
  clusterPort: string;
}

async function startNode(folder: string, number: number): Promise<Node> {
  // The usual port, ten thousand above the other, may not exist.
  const clusterPort = await freePort();
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-port': clusterPort,
    'cluster-config-file': `nodes-${number}.conf`,
    'cluster-node-timeout': String(NODE_TIMEOUT_MS),
    'cluster-replica-validity-factor': '0',
    'repl-diskless-sync-delay': '0',
    dir: folder,
  };
  const node = await startRedis(Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]));
  if (!node) throw new Error('redis-server is not installed');
  return { ...node, clusterPort };
}

async function command(node: RedisServer, ...[name, ...words]: string[]): Promise<unknown> {
  const redis = new Redis(node.url, { maxRetriesPerRequest: 0, commandTimeout: 5_000 });
  redis.on('error', () => undefined);
  try {
    return await redis.call(name as string, ...words);
  } finally {
    redis.disconnect();
  }
}

const idOf = async (node: RedisServer): Promise<string> => String(await command(node, 'CLUSTER', 'MYID'));

const untilAll = (nodes: RedisServer[], question: string, expected: string): Promise<void> =>
  until(async () => {
    const answers = await Promise.all(nodes.map((node) => command(node, 'CLUSTER', question)));
    return answers.every((answer) => String(answer).includes(expected));
  }, expected);
