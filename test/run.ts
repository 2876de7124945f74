// `npm test`: one PostgreSQL for all tests, one migrated template, and a few processes that run the test files.
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, freemem, tmpdir } from 'node:os';
import { dirname, join, matchesGlob, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { startCluster } from '../src/embedded-postgres/cluster.ts';
import { TEMPLATE } from './support/databases.ts';
import { descriptions } from './support/descriptions.ts';
import { prepareTemplate } from './support/template.ts';
import { provideTools } from './support/tools.ts';

/** Bytes; a run takes half a gigabyte. */
const MIN_MEMORY = 3 * 1024 ** 3;

const named = process.argv.slice(2);
const tools = provideTools();
const folder = mkdtempSync(join(temporaryFolder(), 'platform-test-'));
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
await prepareTemplate(cluster.urlOf(TEMPLATE));

/**
 * Returns a folder in memory if there is one with enough room: the copies of the template are hundreds of thousands of
 * small files, and to create one takes a disk's file system up to thirty times as long.
 */
function temporaryFolder(): string {
  const folder = '/dev/shm';
  if (process.env.TMPDIR || !existsSync(folder)) return tmpdir();
  // Containers often forbid to run programs from there, and a test installs some.
  if (/ \/dev\/shm \S+ \S*noexec/.test(readFileSync('/proc/mounts', 'utf8'))) return tmpdir();
  const { bavail, bsize } = statfsSync(folder);
  return Math.min(bavail * bsize, freemem()) < MIN_MEMORY ? tmpdir() : folder;
}

/** These run in processes of their own: their tests wait, or read what is loaded. Those that wait longest come first. */
const ALONE = [
  'test/faults/**',
  'test/browser/**',
  'test/fuzz/**',
  'test/operations/**',
  'src/kernel/database/statements.test.ts',
];
const MIN_TOGETHER = 10;

/**
 * Returns what each process runs: one file, or the files of a few folders one after another, since loading and warming
 * up the platform costs as much as the tests of most files. A file that is a test of its own waits for those in it, and
 * ends its platform before the next one starts.
 */
function processes(): string[] {
  const all = globSync(['test/**/*.test.ts', 'src/**/*.test.ts']).sort();
  const isAlone = (file: string): boolean => ALONE.some((pattern) => matchesGlob(file, pattern));
  const groups: string[][] = [];
  for (const [, files] of Map.groupBy(
    all.filter((file) => !isAlone(file)),
    (file) => dirname(file),
  )) {
    const last = groups.at(-1);
    if (last && last.length < MIN_TOGETHER) last.push(...files);
    else groups.push(files);
  }
  // The longest come first: started last, they would run on when everything else is over.
  groups.sort((a, b) => b.length - a.length);
  // Those that wait run beside those that compute.
  const alone = ALONE.flatMap((pattern) => all.filter((file) => matchesGlob(file, pattern)));
  const longest = Math.max(groups.length, alone.length);
  return Array.from({ length: longest }, (_, place) => [groups[place], alone[place]])
    .flat()
    .filter((files) => files !== undefined)
    .map((files) => (typeof files === 'string' ? files : together(files)));
}

/** Writes a test file that runs these files as its tests, and returns its path. */
function together(files: string[]): string {
  const path = join(folder, 'together', `${(files[0] as string).replaceAll('/', '-')}.mjs`);
  mkdirSync(dirname(path), { recursive: true });
  const tests = files.map(
    (file) => `test('${file}', async () => { await import('${pathToFileURL(resolve(file))}'); });\n`,
  );
  writeFileSync(path, `import { test } from 'node:test';\n${tests.join('')}`);
  return path;
}

const TMPDIR = join(folder, 'tmp');
mkdirSync(TMPDIR);
Object.assign(process.env, tools, {
  TMPDIR,
  TEST_CLUSTER_URL: cluster.urlOf('postgres'),
  // A test process allocates much and keeps little: collecting seldom saves a twentieth of the CPU.
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=32`,
  // Many processes load the same files: each is compiled once.
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
});
writeFileSync(join(folder, 'descriptions.json'), JSON.stringify(descriptions()));
process.env.TEST_DESCRIPTIONS = join(folder, 'descriptions.json');
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort());
const tests = run({
  files: (named.length > 0 ? named : processes()).map((file) => resolve(file)),
  execArgv: [
    import.meta.resolve('./support/cheap-promises.ts'),
    import.meta.resolve('./support/cheap-passwords.ts'),
  ].flatMap((loaded) => ['--import', loaded]),
  // More than there are cores: half of them wait for time to pass, for a killed process or for a browser.
  concurrency: availableParallelism() + 6,
  // A test waits for conditions with ends of its own; this one is for what hangs.
  timeout: 1_200_000 + 1_000 * Number(process.env.FUZZ_SECONDS ?? 0),
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
