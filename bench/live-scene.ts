// The shared parts of `npm run bench:live`: a PostgreSQL, servers of each kind and clients, in separate processes.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '../src/embedded-postgres/cluster.ts';
import type { Connected, Latencies, Order, Target } from './live-farm.ts';
import type { Cpu, Memory } from './live-server.ts';

/** The platform; plain ws, which is the limit; and socket.io, which is the peer. */
export const KINDS = ['ours', 'ws', 'socket.io'] as const;
export type Kind = (typeof KINDS)[number];

export interface LiveServer {
  pid: number;
  target: Target;
  /** Issues new tokens for this many members, each with another session. */
  tokensOf(members: number): Promise<string[]>;
  /** Sends this many messages to all clients at once. */
  send(messages: number): void;
  cpu(): Promise<Cpu>;
  /** Collects garbage first, which takes CPU. */
  memory(): Promise<Memory>;
  /** Resolves when no connection, and no trace of one, is left. */
  empty(): Promise<void>;
  stop(): Promise<void>;
}

/** The clients of one server. */
export interface Farm {
  pid: number;
  connect(target: Target, count: number): Promise<Connected>;
  /** Starts counting messages; the returned function resolves once this many have arrived. */
  expect(messages: number): Promise<() => Promise<Latencies>>;
  stop(): Promise<void>;
}

export interface LiveScene {
  postmasterPid: number;
  startServer(kind: Kind): Promise<LiveServer>;
  startFarm(): Promise<Farm>;
  stop(): Promise<void>;
}

export async function startLiveScene(): Promise<LiveScene> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-bench-'));
  const cluster = await startCluster({ folder: join(folder, 'postgres') });
  await cluster.createDatabase('live');
  const environment = { ...process.env, DATABASE_URL: cluster.urlOf('live'), DATA_DIR: folder };
  return {
    postmasterPid: cluster.pid as number,
    startServer: (kind) => startServer(kind, environment),
    startFarm,
    stop: async () => {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startServer(kind: Kind, env: NodeJS.ProcessEnv): Promise<LiveServer> {
  const execArgv = ['--expose-gc', ...(process.env.NODE_ARGS?.split(' ') ?? [])];
  const child = fork('bench/live-server.ts', [kind], { execArgv, env });
  const { url, room } = await messageOf<{ url: string; room?: string }>(child);
  return {
    pid: child.pid as number,
    target: { kind, url, room },
    tokensOf: (members) => ask<string[]>(child, { tokensOf: members }),
    send: (messages) => void child.send({ send: messages }),
    cpu: () => ask<Cpu>(child, { cpu: true }),
    memory: () => ask<Memory>(child, { memory: true }),
    empty: async () => void (await ask(child, { empty: true })),
    stop: () => end(child),
  };
}

async function startFarm(): Promise<Farm> {
  const child = fork('bench/live-farm.ts', { execArgv: [] });
  await messageOf(child);
  const order = <T>(what: Order) => ask<T>(child, what);
  return {
    pid: child.pid as number,
    connect: (target, count) => order<Connected>({ connect: { ...target, count } }),
    expect: async (messages) => {
      await order({ expect: messages });
      const arrived = messageOf<Latencies>(child);
      arrived.catch(() => undefined); // reported to the caller, who awaits it
      return () => arrived;
    },
    stop: () => end(child),
  };
}

/** Returns the next message of a child. @throws when it reports an error or ends */
async function messageOf<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController();
  const [message] = await Promise.race([
    once(child, 'message', { signal: ended.signal }),
    once(child, 'exit', { signal: ended.signal }).then(() => [{ error: `${child.spawnargs[1]} has ended` }]),
  ]).finally(() => ended.abort());
  if (message.error) throw new Error(message.error);
  return message as T;
}

async function ask<T>(child: ChildProcess, what: object): Promise<T> {
  const answer = messageOf<T>(child);
  child.send(what);
  return answer;
}

/** Children end by themselves when they are disconnected, so that they can write a profile. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}
