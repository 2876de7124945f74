// Deliveries of the live channel: ours, plain ws with one prepared frame (the limit), socket.io (the peer); server and
// clients in two processes, all in the same run. `npm run bench:live`; on two idle cores.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '../src/embedded-postgres/cluster.ts';

const KINDS = ['ours', 'ws', 'socket.io'] as const;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SIZES = (process.env.BENCH_SIZES ?? '1000,10000').split(',').map(Number);
const DELIVERIES = 400_000;

// biome-ignore lint/suspicious/noExplicitAny: what the children tell
type Told = any;

const folder = mkdtempSync(join(tmpdir(), 'platform-bench-'));
const cluster = await startCluster({ folder: join(folder, 'postgres') });
let databases = 0;

const ask = async (child: ChildProcess, what: object): Promise<Told> => {
  const answer = once(child, 'message');
  child.send(what);
  const [told] = await answer;
  if (told.error) throw new Error(told.error);
  return told;
};

async function startServer(kind: string) {
  const database = `live${++databases}`;
  if (kind === 'ours') await cluster.createDatabase(database);
  const server = fork('bench/live-server.ts', [kind], {
    execArgv: ['--expose-gc'],
    env: { ...process.env, DATABASE_URL: cluster.urlOf(database), DATA_DIR: folder },
  });
  const [{ url, key }] = (await once(server, 'message')) as [Told];
  if (kind !== 'ours') return { server, url };
  const call = async (path: string, body: object, token?: string) => {
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return ((await response.json()) as Told).data;
  };
  const person = { email: 'a@example.com', password: 'a password', firstName: 'A', lastName: 'B' };
  const { accessToken: token } = await call('/v1/auth/signup', { ...person, platform: 'web' });
  const { id: room } = await call('/v1/chatrooms', { name: 'Bench', type: 'public' }, token);
  server.send({ room });
  return { server, url, token, room };
}

interface Measured {
  cpuUs: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** Sends bursts, each when the one before has arrived everywhere. */
async function bursts(
  server: ChildProcess,
  farm: ChildProcess,
  members: number,
  size: number,
): Promise<Measured> {
  const times = Math.max(3, Math.round(DELIVERIES / members / size));
  const p50s: number[] = [];
  const p99s: number[] = [];
  await ask(server, { usage: true });
  const before = await ask(server, { usage: true });
  const startedMs = performance.now();
  for (let time = 0; time < times; time++) {
    await ask(farm, { expect: members * size });
    const arrived = once(farm, 'message');
    server.send({ send: size });
    const [{ p50Ms, p99Ms }] = (await arrived) as [Told];
    p50s.push(p50Ms);
    p99s.push(p99Ms);
  }
  const seconds = (performance.now() - startedMs) / 1000;
  const after = await ask(server, { usage: true });
  const deliveries = times * members * size;
  const median = (all: number[]) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)] as number;
  return {
    cpuUs: (after.cpuUs - before.cpuUs) / deliveries,
    perSecond: deliveries / seconds,
    p50Ms: median(p50s),
    p99Ms: median(p99s),
  };
}

/** Ten messages a second, for some seconds. */
async function steady(server: ChildProcess, farm: ChildProcess, members: number, perSecond: number) {
  const messages = perSecond * 5;
  await ask(farm, { expect: members * messages });
  const arrived = once(farm, 'message');
  for (let message = 0; message < messages; message++) {
    server.send({ send: 1 });
    await new Promise((resolve) => setTimeout(resolve, 1000 / perSecond));
  }
  return ((await arrived) as [Told])[0] as { p50Ms: number; p99Ms: number };
}

async function measure(kind: string, members: number) {
  const { server, ...target } = await startServer(kind);
  const farm = fork('bench/live-farm.ts');
  await once(farm, 'message');
  try {
    const empty = await ask(server, { usage: true });
    const { connectedMs } = await ask(farm, { connect: { ...target, kind, count: members } });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const full = await ask(server, { usage: true });
    await bursts(server, farm, members, 1); // warm up
    return {
      one: await bursts(server, farm, members, 1),
      ten: await bursts(server, farm, members, 10),
      steady: await steady(server, farm, members, members > 5_000 ? 2 : 10),
      connectionsPerSecond: members / (connectedMs / 1000),
      kilobytes: (full.rss - empty.rss) / members / 1024,
      heapKilobytes: (full.heap - empty.heap) / members / 1024,
    };
  } finally {
    farm.kill('SIGKILL');
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
}

type Result = Awaited<ReturnType<typeof measure>>;
const rows: object[] = [];
try {
  for (const members of SIZES) {
    const rounds: Record<string, Result>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const results: Record<string, Result> = {};
      for (const kind of KINDS) results[kind] = await measure(kind, members);
      rounds.push(results);
    }
    const of = (kind: string, read: (result: Result) => number): number =>
      rounds.map((results) => read(results[kind] as Result)).sort((a, b) => a - b)[
        Math.floor(ROUNDS / 2)
      ] as number;
    const row = (
      what: string,
      read: (result: Result) => number,
      {
        digits = 1,
        isRate = false,
        targets = '',
      }: { digits?: number; isRate?: boolean; targets?: string } = {},
    ) => {
      const [ours, limit, peer] = KINDS.map((kind) => of(kind, read)) as [number, number, number];
      const ratio = (other: number) => (isRate ? ours / other : other / ours).toFixed(2);
      rows.push({
        members,
        what,
        ours: ours.toFixed(digits),
        'prepared frame': limit.toFixed(digits),
        'socket.io': peer.toFixed(digits),
        'of the limit': ratio(limit),
        'times socket.io': ratio(peer),
        targets,
      });
    };
    const rates = { isRate: true, digits: 0 };
    row('one message at a time: deliveries/s', ({ one }) => one.perSecond, { ...rates, targets: '0.9, 1.5' });
    row('the same: CPU us/delivery', ({ one }) => one.cpuUs, { digits: 2, targets: '0.9, 1.5' });
    row('bursts of ten: deliveries/s', ({ ten }) => ten.perSecond, { ...rates, targets: '-, 3' });
    row('the same: CPU us/delivery', ({ ten }) => ten.cpuUs, { digits: 2, targets: '-, 3' });
    const rate = members > 5_000 ? 'two' : 'ten';
    row(`${rate} messages/s: p50 ms`, ({ steady: { p50Ms } }) => p50Ms);
    row(`${rate} messages/s: p99 ms`, ({ steady: { p99Ms } }) => p99Ms, { targets: '< 100 ms' });
    row('connections/s (ours signs in and subscribes)', (result) => result.connectionsPerSecond, rates);
    row('resident KB/connection', ({ kilobytes }) => kilobytes, { targets: '< 10 KB beyond ws' });
    row('heap KB/connection', ({ heapKilobytes }) => heapKilobytes);
  }
  console.table(rows);
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
