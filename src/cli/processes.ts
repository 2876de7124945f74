import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../app/config.ts';
import { clusterHub, type Link, type Siblings, siblingsOf } from '../kernel/distributed/in-cluster.ts';
import { systemClock } from '../kernel/time/time.ts';
import { newLog } from './log.ts';
import { operatorOutput } from './progress.ts';
import { type ReadyFacts, readyLine } from './summary.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A process that ran for so long has not failed at its start. */
const HEALTHY_MS = 60_000;

/** Whether this process supervises others instead of working itself. */
export const supervises = ({ processes }: Config): boolean => processes > 1 && cluster.isPrimary;

/** Whether another process supervises this one, and has checked its ports. */
export const isSupervised = (): boolean => cluster.isWorker;

/** Returns the siblings of this process; undefined if it was started alone. */
export function ownSiblings(): Siblings | undefined {
  if (!cluster.isWorker) return undefined;
  // Whoever supervises has gone, and with it the port: nobody would start this process again.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  return siblingsOf({
    send: (message) => {
      if (process.connected) process.send?.(message, undefined, {}, () => undefined);
    },
    onMessage: (receive) => void process.on('message', receive),
  });
}

/** Reports that this process is ready; returns whether its supervisor tells of it. */
export function reportReady(facts: ReadyFacts): boolean {
  if (!cluster.isWorker) return false;
  process.send?.({ kind: 'ready', facts });
  return true;
}

/**
 * Starts PROCESSES processes of this program that listen on the same ports, and replaces one that ends, after a pause that
 * doubles while it keeps failing. Ends when all have ended after a signal, with the worst of their codes, or when the
 * first one cannot start.
 */
export async function supervise(config: Config): Promise<never> {
  const log = newLog(config);
  const tell = operatorOutput(config);
  const hub = clusterHub(systemClock);
  const running = new Map<number, Worker>();
  let isEnding = false;
  let code = 0;

  const onSignal = (signal: NodeJS.Signals): void => {
    isEnding = true;
    for (const { process: child } of running.values()) child.kill(signal);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);

  // Each listens for itself (SO_REUSEPORT): a connection that node:cluster hands to a process that is killed would hang.
  const ports = config.port === 0 ? { PORT: String(await freePort(config.host)) } : {};

  /** Starts a process; settles with its facts once it is ready, or with undefined if it ends before. */
  function launch(number: number): { ready: Promise<ReadyFacts | undefined>; ended: Promise<number> } {
    const worker = cluster.fork(ports);
    running.set(number, worker);
    const remove = hub.add(String(number), linkTo(worker));
    const ended = new Promise<number>((resolve) => {
      worker.once('exit', (exitCode) => {
        remove();
        running.delete(number);
        resolve(exitCode ?? 1);
      });
    });
    const ready = new Promise<ReadyFacts | undefined>((resolve) => {
      worker.on('message', (message) => message?.kind === 'ready' && resolve(message.facts));
      void ended.then(() => resolve(undefined));
    });
    return { ready, ended };
  }

  /** Replaces the process with this number until a signal ends it. */
  async function keep(number: number, first: ReturnType<typeof launch>): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    for (let current = first; ; current = launch(number)) {
      const startedMs = performance.now();
      const ended = await current.ended;
      if (isEnding) {
        code = Math.max(code, ended);
        return;
      }
      if (performance.now() - startedMs > HEALTHY_MS) pauseMs = FIRST_PAUSE_MS;
      log.error({ process: number, code: ended, pauseMs }, 'a process ended; starting it again');
      await sleep(pauseMs);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      if (isEnding) return;
    }
  }

  // The first one migrates, and shows whether the settings are right, before there are others.
  const first = launch(1);
  const facts = await first.ready;
  if (!facts) process.exit(await first.ended);
  const others = Array.from({ length: config.processes - 1 }, (_, place) => place + 2);
  const launched = isEnding ? [] : others.map((number) => ({ number, ...launch(number) }));
  const all = Promise.all([keep(1, first), ...launched.map((one) => keep(one.number, one))]);
  await Promise.all(launched.map(({ ready }) => ready));
  if (!isEnding) process.stdout.write(`${readyLine({ ...facts, processes: String(config.processes) })}\n`);
  await all;
  if (code === 0) tell('All processes have stopped.');
  process.exit(code);
}

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const linkTo = (worker: Worker): Link => ({
  send: (message) => {
    if (worker.isConnected()) worker.send(message as object, undefined, () => undefined);
  },
  onMessage: (receive) => void worker.on('message', receive),
});
