// `npm test`: one PostgreSQL for all tests, one migrated template, each test file in a process of its own.
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '../src/embedded-postgres/cluster.ts';
import { migratePlatform } from '../src/platform.ts';
import { TEMPLATE } from './support/databases.ts';
import { provideTools } from './support/tools.ts';

const named = process.argv.slice(2);
const files = named.length > 0 ? named : globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).sort();

const tools = provideTools();
const folder = mkdtempSync(join(tmpdir(), 'platform-test-'));
const cluster = await startCluster({
  folder: join(folder, 'postgres'),
  // Tests kill processes, never the machine: what PostgreSQL handed to the kernel stays.
  settings: {
    fsync: 'off',
    max_connections: '400',
    shared_buffers: '256MB',
    max_locks_per_transaction: '256',
  },
});
await cluster.createDatabase(TEMPLATE);
await migratePlatform(cluster.urlOf(TEMPLATE));

const tests = spawn(
  process.execPath,
  [
    '--test',
    // One more than there are cores: some wait for time to pass most of the time.
    `--test-concurrency=${availableParallelism() + 1}`,
    // A test waits for conditions with ends of its own; this one is for what hangs.
    '--test-timeout=1200000',
    '--test-reporter=spec',
    ...files,
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...tools,
      TEST_CLUSTER_URL: cluster.urlOf('postgres'),
      // Hundreds of processes load the same files: each is compiled once.
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    },
  },
);
// Whoever stops this must not leave PostgreSQL behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal));
const code = await new Promise<number>((resolve) => tests.once('exit', (status) => resolve(status ?? 1)));
await cluster.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(code);
