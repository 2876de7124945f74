import type { Redis } from 'ioredis';
import { OperatorFault } from '../operator-fault.ts';
import { connectCluster } from './redis-cluster.ts';
import { connectRedis, TIMED_OUT } from './redis-connection.ts';
import type { RedisServers, ServerOptions } from './redis-servers.ts';
import { isClusterUrl } from './redis-urls.ts';

/**
 * Connects to the server or the cluster of this URL. Resolves once connected or after the first failed attempt; keeps
 * reconnecting in either case.
 * @throws OperatorFault when the URL names a cluster as a single server, or the other way round
 */
export const openRedis = (url: string, options: ServerOptions): Promise<RedisServers> =>
  isClusterUrl(url) ? connectCluster(url, options) : connectSingle(url, options);

async function connectSingle(url: string, { onError, onRecovery }: ServerOptions): Promise<RedisServers> {
  const connection = await connectRedis(url, { onError, onUsable: () => onRecovery?.() });
  const { redis, send, isUp, close } = connection;
  await connection.started;
  /** Reports a cluster that is found only after the start; the process continues without Redis. */
  function giveUp(error: Error): void {
    onError(error);
    redis.disconnect();
  }
  try {
    if (redis.status === 'ready') await refuseCluster(redis);
    // At each connection: one that is lost amid the question leaves it to the next.
    redis.on('ready', () => void refuseCluster(redis).catch(giveUp));
  } catch (error) {
    close();
    throw error;
  }
  return {
    send: (_key, command) => send(command),
    slotOf: () => 0,
    ownerOf: () => url,
    primaries: () => [url],
    lookAgain: () => undefined,
    isUp,
    close,
  };
}

/** How often a server is asked whether it is a node of a cluster that does not answer in time, as one that was just frozen. */
const ATTEMPTS = 10;

async function infoOf(redis: Redis): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await redis.info('cluster');
    } catch (error) {
      // A user without the right to run INFO is on a managed server, whose cluster endpoint has a separate address.
      if ((error as Error).message !== TIMED_OUT || attempt === ATTEMPTS) return '';
    }
  }
}

/** Of a cluster, keys and messages would reach single nodes only. */
async function refuseCluster(redis: Redis): Promise<void> {
  const info = await infoOf(redis);
  if (/^cluster_enabled:1/m.test(info))
    throw new OperatorFault(
      'REDIS_URL names a node of a Redis Cluster as if it were a single server. Begin it with redis+cluster:// (or ' +
        'rediss+cluster://), and name several nodes, separated by commas.',
    );
}
