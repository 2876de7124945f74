import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { OperatorFault } from '../operator-fault.ts';
import { connectRedis, type RedisConnection } from './redis-connection.ts';
import type { RedisServers, ServerOptions } from './redis-servers.ts';
import {
  askedElsewhere,
  isMoved,
  isPassing,
  type Layout,
  layoutOf,
  slotOf,
  UNKNOWN_LAYOUT,
} from './redis-slots.ts';
import { redisUrls } from './redis-urls.ts';

const LOOK_EVERY_MS = 2_000;
/** While a part of the cluster is away. */
const LOOK_EVERY_MS_IN_TROUBLE = 500;
/** Failures make the process look at once, but not more often. */
const BETWEEN_LOOKS_MS = 200;
/** How long a look waits for new connections. */
const NEW_CONNECTIONS_MS = 500;

/**
 * Connects to each primary of a cluster as to a server of its own, so that the loss of one is noticed and bounded as
 * that of a single server is, and delays nothing that belongs to the others. Follows failovers and slots that move.
 * Resolves once connected or after the first failed attempt; keeps looking for the cluster in either case.
 * @throws OperatorFault when the servers are no cluster
 */
export async function connectCluster(url: string, options: ServerOptions): Promise<RedisServers> {
  const { onError, onRecovery = () => undefined, onLook = () => undefined } = options;
  const seeds = redisUrls(url);
  const nodes = new Map<string, RedisConnection>();
  const end = new AbortController();
  let layout = UNKNOWN_LAYOUT;
  let isDisturbed = false;
  let looking: Promise<void> | undefined;
  let lookedAtMs = 0;
  let reported = '';
  let waitsForLooksFromMs = 0;

  const isUp = (): boolean =>
    layout.isWhole && layout.primaries.every((primary) => nodes.get(primary)?.isUp() === true);

  /** Reports once that the cluster can be used again after something had failed. */
  function settle(): void {
    if (!isUp()) isDisturbed = true;
    else if (isDisturbed) {
      isDisturbed = false;
      onRecovery();
    }
  }
  async function connect(node: string): Promise<void> {
    const { host } = new URL(node);
    const report = (error: Error): void => onError(new Error(`${host}: ${error.message}`));
    const connection = await connectRedis(node, { onError: report, onUsable: settle });
    if (end.signal.aborted || nodes.has(node)) connection.close();
    else nodes.set(node, connection);
  }
  async function apply(found: Layout): Promise<void> {
    const added = found.primaries.filter((node) => !nodes.has(node));
    await Promise.all(added.map(connect));
    for (const [node, connection] of nodes)
      if (!found.primaries.includes(node)) {
        connection.close();
        nodes.delete(node);
      }
    layout = found;
    const connected = Promise.all(added.map((node) => nodes.get(node)?.started));
    await Promise.race([connected, sleep(NEW_CONNECTIONS_MS, undefined, { ref: false })]);
  }
  /** Logs a fault when it is first seen, and not at each look. */
  function report(fault: Error | undefined): void {
    if (fault && fault.message !== reported) onError(fault);
    reported = fault?.message ?? '';
  }
  /** Looks which node has which slots, first at the given one. */
  async function look(first?: string): Promise<void> {
    lookedAtMs = performance.now();
    const up = [...nodes].filter(([node, { isUp }]) => node !== first && isUp());
    const firstNode = first && nodes.get(first);
    const { found, fault } = await lookAt(firstNode ? [[first, firstNode], ...up] : up, seeds);
    if (end.signal.aborted) return;
    report(fault);
    if (found && found.primaries.length > 0) await apply(found);
    else layout = { ...layout, isWhole: false };
    settle();
    onLook();
    if (fault instanceof OperatorFault) throw fault;
  }
  const lookOnce = (first?: string): Promise<void> => {
    looking ??= sleep(Math.max(0, lookedAtMs + BETWEEN_LOOKS_MS - performance.now()), undefined, {
      ref: false,
    })
      .then(() => look(first))
      .catch(report)
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  async function keepLooking(): Promise<void> {
    while (!end.signal.aborted) {
      const pause = isUp() ? LOOK_EVERY_MS : LOOK_EVERY_MS_IN_TROUBLE;
      await sleep(pause, undefined, { signal: end.signal, ref: false }).catch(() => undefined);
      if (!end.signal.aborted) await lookOnce();
    }
  }

  async function sendTo<T>(node: string | undefined, command: (redis: Redis) => Promise<T>): Promise<T> {
    const connection = node === undefined ? undefined : nodes.get(node);
    if (!connection) throw new Error('no reachable node of the cluster is responsible');
    return connection.send(command);
  }
  async function send<T>(key: string, command: (redis: Redis) => Promise<T>): Promise<T> {
    const slot = slotOf(key);
    const owner = layout.owners[slot];
    try {
      return await sendTo(owner, command).catch(async (error: Error) => {
        if (!owner) throw error;
        // Neither answer has executed anything, so that repeating the command counts nothing twice.
        if (isMoved(error) && performance.now() >= waitsForLooksFromMs) {
          await lookOnce(owner);
          // The nodes contradict each other: no command waits in vain until an administrator has mended that.
          if (layout.owners[slot] === owner) waitsForLooksFromMs = performance.now() + LOOK_EVERY_MS;
          return sendTo(layout.owners[slot], command);
        }
        const receiver = askedElsewhere(owner, error);
        if (receiver === undefined) throw error;
        return await sendTo(receiver, (redis) => {
          redis.asking().catch(() => undefined);
          return command(redis);
        });
      });
    } catch (error) {
      if (isPassing(error as Error)) {
        isDisturbed = true;
        void lookOnce();
      }
      throw error;
    }
  }

  await look();
  await Promise.all([...nodes.values()].map(({ started }) => started));
  settle();
  void keepLooking();
  return {
    send,
    slotOf,
    ownerOf: (slot) => layout.owners[slot],
    primaries: () => layout.primaries,
    lookAgain: () => void lookOnce(),
    isUp,
    close: () => {
      end.abort();
      for (const connection of nodes.values()) connection.close();
    },
  };
}

/** Asks one node which node has which slots. */
async function layoutBy(node: string, connection: RedisConnection): Promise<Layout> {
  const [slots, info] = await connection.send((redis) =>
    Promise.all([redis.cluster('SLOTS'), redis.cluster('INFO')]),
  );
  return layoutOf(node, slots, String(info));
}

/** The same over a connection of its own. */
async function layoutBySeed(seed: string): Promise<Layout> {
  let reason: Error | undefined;
  const onError = (error: Error): void => {
    reason ??= error;
  };
  const connection = await connectRedis(seed, { onError });
  await connection.started;
  try {
    return await layoutBy(seed, connection);
  } catch (error) {
    throw reason ?? error;
  } finally {
    connection.close();
  }
}

/**
 * Looks at the known nodes one after another, then at those of the URL at once, until one knows the whole cluster: one
 * that is cut off from the others knows that it is.
 */
async function lookAt(
  known: [string, RedisConnection][],
  seeds: string[],
): Promise<{ found?: Layout; fault?: Error }> {
  const views: Layout[] = [];
  for (const [node, connection] of known) {
    const view = await layoutBy(node, connection).catch(() => undefined);
    if (view?.isWhole) return { found: view };
    if (view) views.push(view);
  }
  const answers = await Promise.allSettled(seeds.map(layoutBySeed));
  const faults = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []));
  views.unshift(...answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])));
  const found = views.find(({ isWhole }) => isWhole) ?? views[0];
  if (found?.isWhole) return { found };
  if (faults.some(({ message }) => message.includes('cluster support disabled')))
    return {
      fault: new OperatorFault(
        'REDIS_URL begins with redis+cluster://, but its server is not a node of a cluster. Use redis://.',
      ),
    };
  const reason = faults[0] ? `: ${faults[0].message}` : '';
  const fault = new Error(
    found ? 'the cluster does not have all of its slots' : `no node of the cluster answers${reason}`,
  );
  return found ? { found, fault } : { fault };
}
