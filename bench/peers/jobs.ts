// How much CPU does a job take, and what is lost or done twice when the process is killed in the midst?
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Cluster } from '../../src/embedded-postgres/cluster.ts';
import { cpuUs, cpuWithChildrenUs } from '../cpu.ts';
import { median, rate } from '../paired.ts';
import { programOf, versionOf } from './installed.ts';
import type { Command, Measured } from './queue-process.ts';
import { QUEUES } from './queues.ts';

const JOBS = Number(process.env.BENCH_JOBS ?? 20_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const REDIS_PORT = 6399;
/** So long without progress after a crash means that what is missing does not come back by itself. */
const PATIENCE_MS = 60_000;
const STEPS: Omit<Command, 'jobs'>[] = [
  { do: 'enqueue', work: 'nothing' },
  { do: 'work', work: 'nothing' },
  { do: 'enqueue', work: 'row' },
  { do: 'work', work: 'row' },
];

interface Servers {
  cluster: Cluster;
  redis: ChildProcess | undefined;
}
type Cell = { process: number; store: number; perSecond: number };

/** Returns a row for each job queue. */
export async function jobs(cluster: Cluster, folder: string): Promise<object[]> {
  const servers = { cluster, redis: await startRedis(folder) };
  try {
    const names = Object.keys(QUEUES).filter((name) => name !== 'bullmq' || servers.redis);
    const turns = new Map(names.map((name) => [name, new Map<string, Cell[]>()]));
    for (let round = 0; round < ROUNDS; round++)
      for (const name of round % 2 ? names.toReversed() : names) {
        console.error(`jobs, round ${round + 1} of ${ROUNDS}: ${name}`);
        await turn(
          servers,
          name,
          `${name.replace('-', '_')}_${round}`,
          turns.get(name) as Map<string, Cell[]>,
        );
      }
    const rows = [];
    for (const [name, steps] of turns) rows.push(rowOf(name, steps, await crash(servers, name)));
    if (!servers.redis) rows.push({ queue: 'bullmq: redis-server is not installed' });
    return rows;
  } finally {
    servers.redis?.kill();
  }
}

function rowOf(name: string, steps: Map<string, Cell[]>, crashed: string): object {
  const textOf = (step: string): string => {
    const cells = steps.get(step) ?? [];
    const of = (part: keyof Cell) => median(cells.map((cell) => cell[part]));
    return `${of('process').toFixed(0)} + ${of('store').toFixed(0)} us, ${rate(of('perSecond'))}`;
  };
  return {
    queue: name === 'ours' ? name : `${name} ${versionOf(name)}`,
    'enqueued by the hundred': textOf('enqueue row'),
    'doing nothing': textOf('work nothing'),
    'writing a row': textOf('work row'),
    'killed in the midst': crashed,
  };
}

async function turn(
  servers: Servers,
  name: string,
  database: string,
  cells: Map<string, Cell[]>,
): Promise<void> {
  const { start, client, end } = await scene(servers, name, database);
  const child = await start();
  for (const step of STEPS) {
    await client.query('vacuum analyze');
    await client.query('checkpoint');
    const storeUs = () =>
      cpuWithChildrenUs(servers.cluster.pid as number) +
      (servers.redis ? cpuUs(servers.redis.pid as number) : 0);
    const before = storeUs();
    child.send({ ...step, jobs: JOBS });
    const [measured] = (await once(child, 'message')) as [Measured];
    const cell = {
      process: measured.cpuUs / JOBS,
      store: (storeUs() - before) / JOBS,
      perSecond: (JOBS * 1000) / measured.ms,
    };
    const key = `${step.do} ${step.work}`;
    cells.set(key, [...(cells.get(key) ?? []), cell]);
  }
  child.disconnect();
  await once(child, 'exit');
  await end();
}

/** Kills the process when half of the rows are written, and starts another one; returns what came of the jobs. */
async function crash(servers: Servers, name: string): Promise<string> {
  const { start, client, end } = await scene(servers, name, `${name.replace('-', '_')}_crash`);
  const first = await start();
  first.send({ do: 'enqueue', work: 'row', jobs: JOBS });
  await once(first, 'message');
  const written = async (): Promise<{ rows: number; distinct: number }> =>
    (await client.query('select count(*)::int as rows, count(distinct number)::int as distinct from done'))
      .rows[0];
  first.send({ do: 'work', work: 'row', jobs: JOBS });
  while ((await written()).rows < JOBS / 2) await sleep(5);
  first.kill('SIGKILL');
  await once(first, 'exit');
  const second = await start();
  second.send({ do: 'work', work: 'row', jobs: JOBS });
  const startedMs = performance.now();
  let [last, movedMs] = [await written(), startedMs];
  while (last.distinct < JOBS && performance.now() - movedMs < PATIENCE_MS) {
    await sleep(50);
    const now = await written();
    if (now.rows !== last.rows) movedMs = performance.now();
    last = now;
  }
  second.kill('SIGKILL');
  await once(second, 'exit');
  await end();
  const missing = JOBS - last.distinct;
  const when =
    missing > 0 ? `after a minute of rest` : `${((movedMs - startedMs) / 1000).toFixed(1)} s later`;
  return `${missing} missing, ${last.rows - last.distinct} done twice, ${when}`;
}

async function scene({ cluster }: Servers, name: string, database: string) {
  await cluster.createDatabase(database);
  const client = new pg.Client({ connectionString: cluster.urlOf(database) });
  await client.connect();
  await client.query('create table done (number integer)');
  return {
    client,
    start: async (): Promise<ChildProcess> => {
      const child = fork(join(import.meta.dirname, 'queue-process.ts'), {
        env: {
          ...process.env,
          BENCH_QUEUE: name,
          DATABASE_URL: cluster.urlOf(database),
          REDIS_URL: `redis://127.0.0.1:${REDIS_PORT}`,
        },
      });
      await once(child, 'message');
      return child;
    },
    end: () => client.end(),
  };
}

async function startRedis(folder: string): Promise<ChildProcess | undefined> {
  const program = programOf('redis-server');
  if (!program) return undefined;
  const data = join(folder, 'redis');
  mkdirSync(data);
  const args = ['--port', String(REDIS_PORT), '--bind', '127.0.0.1', '--dir', data, '--appendonly', 'yes'];
  const redis = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const chunk of redis.stdout) if (String(chunk).includes('Ready to accept connections')) break;
  return redis;
}
