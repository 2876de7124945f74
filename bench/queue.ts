// The job queue alone, by CPU: `node bench/queue.ts` prints, for each kind of work, microseconds of this process and of
// PostgreSQL for a job, and jobs per second. BENCH_JOBS is the number of jobs (20,000), BENCH_ROUNDS of rounds (3).
// BENCH_SOURCE is the folder of another checkout, or several with commas between, whose queues are measured in the same turns;
// BENCH_WHAT names the kinds of work, with semicolons between.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startCluster } from '../src/embedded-postgres/cluster.ts';
import { cpuWithChildrenUs } from './cpu.ts';
import type { Measured } from './queue-worker.ts';

const JOBS = Number(process.env.BENCH_JOBS ?? 20_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const ALL = [
  'enqueue one by one',
  'enqueue by the hundred',
  'run',
  'run, 100 taken',
  'runIn',
  'runAllIn, 100 taken',
];
const WHAT = process.env.BENCH_WHAT?.split(';') ?? ALL;
const sources = ['.', ...(process.env.BENCH_SOURCE?.split(',') ?? [])];

const folder = mkdtempSync(join(tmpdir(), 'platform-bench-'));
const cluster = await startCluster({ folder: join(folder, 'postgres') });
const found = new Map<string, { node: number; postgres: number; perSecond: number }[]>();
try {
  for (let round = 0; round < ROUNDS; round++) {
    for (const [place, source] of (round % 2 === 0 ? sources : sources.toReversed()).entries()) {
      const name = `queue_${round}_${place}`;
      await cluster.createDatabase(name);
      const child = fork('bench/queue-worker.ts', {
        env: {
          ...process.env,
          DATABASE_URL: cluster.urlOf(name),
          BENCH_JOBS: String(JOBS),
          BENCH_KERNEL: resolve(source, 'src/kernel'),
        },
      });
      for (const what of WHAT) {
        const before = cpuWithChildrenUs(cluster.pid as number);
        child.send(what);
        const [measured] = (await once(child, 'message')) as [Measured];
        const postgres = (cpuWithChildrenUs(cluster.pid as number) - before) / measured.jobs;
        const key = `${what}, ${source}`;
        found.set(key, [...(found.get(key) ?? []), { ...measured, postgres }]);
      }
      child.disconnect();
      await once(child, 'exit');
    }
  }
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}

const median = (values: number[]): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number);
console.table(
  [...found].map(([what, rounds]) => ({
    what,
    'Node, us': median(rounds.map(({ node }) => node)),
    'PostgreSQL, us': median(rounds.map(({ postgres }) => postgres)),
    'sum, us': median(rounds.map(({ node, postgres }) => node + postgres)),
    'jobs/s': median(rounds.map(({ perSecond }) => perSecond)),
  })),
);
