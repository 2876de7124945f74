// `npm test`: one PostgreSQL for all tests, one migrated template, and a few processes that run the test files.
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { startCluster } from '../src/embedded-postgres/cluster.ts';
import { migratePlatform } from '../src/platform.ts';
import { TEMPLATE } from './support/databases.ts';
import { provideTools } from './support/tools.ts';

const named = process.argv.slice(2);
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

/**
 * Returns what each process runs: a file alone, or all files of a module one after another, since loading and warming up
 * the platform costs as much as the tests of most files. A file that is a test of its own waits for those in it, and
 * ends its platform before the next one starts.
 */
function processes(): string[] {
  const ofModules = Map.groupBy(globSync('src/modules/*/*.test.ts').sort(), (file) => dirname(file));
  const groups = [...ofModules].map(([module, files]) => {
    const path = join(folder, 'modules', `${module.replaceAll('/', '-')}.test.mjs`);
    mkdirSync(dirname(path), { recursive: true });
    const tests = files.map(
      (file) => `test('${file}', async () => { await import('${pathToFileURL(resolve(file))}'); });\n`,
    );
    writeFileSync(path, `import { test } from 'node:test';\n${tests.join('')}`);
    return path;
  });
  const alone = globSync(['test/**/*.test.ts', 'src/**/*.test.ts'], { exclude: ['src/modules/*/*.test.ts'] });
  // The faults come first: the longest of them would otherwise run on when everything else is over.
  return [
    ...alone.filter((file) => file.startsWith('test/faults')),
    ...groups,
    ...alone.filter((file) => !file.startsWith('test/faults')),
  ];
}

Object.assign(process.env, tools, {
  TEST_CLUSTER_URL: cluster.urlOf('postgres'),
  // Many processes load the same files: each is compiled once.
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
});
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort());
const tests = run({
  files: (named.length > 0 ? named : processes()).map((file) => resolve(file)),
  // One more than there are cores: some wait for time to pass most of the time.
  concurrency: availableParallelism() + 1,
  // A test waits for conditions with ends of its own; this one is for what hangs.
  timeout: 1_200_000,
  signal: stopped.signal,
});
tests.on('test:fail', () => {
  process.exitCode = 1;
});
const printed = tests.compose(spec);
printed.pipe(process.stdout);
await new Promise((resolve) => printed.once('end', resolve));
await cluster.stop();
rmSync(folder, { recursive: true, force: true });
