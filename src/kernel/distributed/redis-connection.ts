import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';

const COMMAND_TIMEOUT_MS = 500;
const CONNECT_TIMEOUT_MS = 2_000;
/** How long the first connection is waited for: that to a server which loads its data comes when it has. */
const FIRST_CONNECTION_MS = 2_500;
/** Time for an abandoned connection to close by itself; a connection to a frozen server never does. */
const DISCONNECT_TIMEOUT_MS = 100;
const PING_EVERY_MS = 500;
/** Consecutive timeouts after which commands fail at once. */
const MAX_TIMEOUTS = 3;
/** Consecutive unanswered pings after which the connection is replaced. */
const MAX_MISSES = 3;
/** The message of a command timeout. */
export const TIMED_OUT = 'Command timed out';

export interface RedisConnection {
  redis: Redis;
  /** Resolves once connected, after the first failed attempt, or when the server is not ready in time. */
  started: Promise<unknown>;
  /** Sends a command; rejects at once while the server is unreachable or does not answer. */
  send<Answer>(command: (redis: Redis) => Promise<Answer>): Promise<Answer>;
  /** Whether the server currently answers. */
  isUp(): boolean;
  close(): void;
}

interface ConnectionOptions {
  onError: (error: Error) => void;
  /** Called when the server answers again, after a new connection or on one that was kept through timeouts. */
  onUsable?: () => void;
}

/**
 * Connects to the server. While it is unreachable or does not answer, commands fail at once instead of queueing: no
 * request is delayed, and no abandoned command takes effect later. Regular pings detect a frozen server and a half-open
 * connection, so that no request has to wait for a timeout. Keeps reconnecting until it is closed.
 */
export async function connectRedis(
  url: string,
  { onError, onUsable = () => undefined }: ConnectionOptions,
): Promise<RedisConnection> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000) + Math.random() * 100,
  });
  redis.on('error', onError);
  const end = new AbortController();
  let timeouts = 0;
  let misses = 0;
  redis.on('ready', () => {
    timeouts = 0;
    misses = 0;
  });
  const isUp = (): boolean => redis.status === 'ready' && timeouts < MAX_TIMEOUTS;

  async function checkServer(): Promise<void> {
    if (redis.status !== 'ready') return;
    try {
      await redis.ping();
      const wasUp = isUp();
      timeouts = 0;
      misses = 0;
      if (!wasUp) onUsable();
    } catch {
      timeouts++;
      misses++;
      if (misses < MAX_MISSES || redis.status !== 'ready') return;
      onError(new Error('the server does not answer; reconnecting'));
      misses = 0;
      redis.disconnect(true);
    }
  }
  async function keepChecking(): Promise<void> {
    while (!end.signal.aborted) {
      await sleep(PING_EVERY_MS, undefined, { signal: end.signal, ref: false }).catch(() => undefined);
      await checkServer();
    }
  }

  const started = once(redis, 'ready', { signal: AbortSignal.timeout(FIRST_CONNECTION_MS) })
    .catch(() => undefined)
    // Callers that need the first connection wait for it.
    .then(() => redis.on('ready', onUsable));
  void keepChecking();
  return {
    redis,
    started,
    send: async (command) => {
      if (!isUp()) throw new Error('Redis does not answer');
      try {
        const answer = await command(redis);
        timeouts = 0;
        return answer;
      } catch (error) {
        if ((error as Error).message === TIMED_OUT) timeouts++;
        throw error;
      }
    },
    isUp,
    close: () => {
      end.abort();
      redis.disconnect();
    },
  };
}
