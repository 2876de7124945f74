// Stored chat: 32 clients in one room, each of which sends its next message when its last one has come back to it. So a
// message is stored once and delivered 32 times.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../src/embedded-postgres/cluster.ts';
import { cpuText, interleave, median, rate, SECONDS, type Turn, type Variant } from '../paired.ts';
import { startEjabberd } from './chat-ejabberd.ts';
import type { Order, Talked } from './chat-farm.ts';
import { markOf } from './chat-protocols.ts';
import { type ChatServer, startNats, startOurs } from './chat-servers.ts';

const KILLS = 3;

interface Farm {
  pid: number;
  order<T = void>(order: Order): Promise<T>;
  stop(): void;
}

/** Returns a row for each server. */
export async function chat(cluster: Cluster, folder: string): Promise<object[]> {
  const ejabberds = await startEjabberd(cluster, folder);
  const nats = await startNats(folder);
  const servers = [await startOurs(), ...ejabberds, ...nats];
  const farms = new Map<ChatServer, Farm>();
  try {
    for (const server of servers) farms.set(server, await startFarm());
    const entries = [...farms].map(([server, farm]): [string, Variant] => [
      server.name,
      variantOf(server, farm),
    ]);
    for (const [server, farm] of farms) await farm.order({ enter: server.target });
    const turns = await interleave(Object.fromEntries(entries), { title: 'chat', postmasterPid: 0 });
    const rows: object[] = [];
    for (const [server, farm] of farms)
      rows.push(rowOf(server, turns as Record<string, Turn[]>, await crash(server, farm)));
    if (ejabberds.length === 0) rows.push({ server: 'ejabberd is not installed' });
    if (nats.length === 0) rows.push({ server: 'nats-server is not installed' });
    return rows;
  } finally {
    for (const farm of farms.values()) farm.stop();
    for (const server of servers) await server.stop();
  }
}

function variantOf(server: ChatServer, farm: Farm): Variant {
  return {
    async run() {
      const talked = await farm.order<Talked>({ talk: { seconds: SECONDS } });
      await server.settle?.();
      return talked;
    },
    serverPid: server.pid,
    postmasterPid: server.postmasterPid,
    generatorPid: () => farm.pid,
  };
}

function rowOf({ name }: ChatServer, turns: Record<string, Turn[]>, crashed: string): object {
  const own = turns[name] as Turn[];
  const cpuOf = ({ cpuUs }: Turn) => (cpuUs?.server ?? 0) + (cpuUs?.postgres ?? 0);
  const ratios = own.map((turn, round) => cpuOf(turn) / cpuOf(turns.ours?.[round] as Turn));
  const ms = (part: 'p50Ms' | 'p99Ms') => median(own.map((turn) => turn[part] as number)).toFixed(1);
  return {
    server: name,
    messages: rate(median(own.map(({ perSecond }) => perSecond))),
    'server + PostgreSQL + clients, us': cpuText(own),
    'CPU of ours': `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    'p50, p99 ms': `${ms('p50Ms')}, ${ms('p99Ms')}`,
    [`killed ${KILLS} times`]: crashed,
  };
}

/**
 * Kills the server while the clients send, and starts it again, several times; they then send again what had not come
 * back. Returns what came of the messages.
 */
async function crash(server: ChatServer, farm: Farm): Promise<string> {
  const times: number[] = [];
  let last: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const talking = farm.order<number[]>({ talkUntilKilled: true });
    await sleep(500 + 1_000 * Math.random());
    await server.kill();
    last = await talking;
    const startedMs = performance.now();
    await server.startAgain();
    await farm.order({ enter: server.target });
    times.push((performance.now() - startedMs) / 1000);
    await farm.order({ resend: true });
  }
  if (!server.marks) return 'stores nothing';
  const marks = await server.marks();
  const distinct = new Set(marks);
  const seen = last.flatMap((numbers, client) =>
    Array.from({ length: numbers }, (_, place) => markOf(client, place + 1)),
  );
  const missing = seen.filter((mark) => !distinct.has(mark)).length;
  return `of ${seen.length} ${missing} missing, ${marks.length - distinct.size} twice, ${median(times).toFixed(1)} s later`;
}

async function startFarm(): Promise<Farm> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'chat-farm.ts'));
  const answer = <T>(): Promise<T> =>
    new Promise((resolve, reject) => {
      child.once('message', (message: { done?: T; error?: string }) =>
        message.error ? reject(new Error(message.error)) : resolve(message.done as T),
      );
    });
  await answer();
  return {
    pid: child.pid as number,
    order(order) {
      const answered = answer<never>();
      child.send(order);
      return answered;
    },
    stop: () => child.disconnect(),
  };
}
