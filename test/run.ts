// `npm test`: one PostgreSQL for all tests, one migrated template, and a few processes that run the test files.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, matchesGlob, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { bundleUnlessCurrent } from '../deploy/bundle.ts';
import { startCluster } from '../src/embedded-postgres/cluster.ts';
import { CLUSTER_SETTINGS, TEMPLATE } from './support/databases.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { provideTools } from './support/tools.ts';

const named = process.argv.slice(2);
const tools = provideTools();
const folder = mkdtempSync(join(temporaryFolder(), 'platform-test-'));
// The programs that tests start then start with a third less CPU.
await bundleUnlessCurrent(process.cwd()).catch((error: Error) =>
  console.error(`Programs run from the sources, because the server could not be bundled: ${error.message}`),
);
const cluster = await startCluster({ folder: join(folder, 'postgres'), settings: CLUSTER_SETTINGS });
await cluster.createDatabase(TEMPLATE);

/** These read or change what is loaded, so that each has a process of its own. */
const ALONE = ['src/kernel/database/statements.test.ts', 'test/operations/without-a-module.test.ts'];

/** Tests of these mostly wait: for a killed process, for a browser, for time to pass. Those that wait longest come first. */
const WAITING = ['test/faults/**', 'test/browser/**', 'test/fuzz/**', 'test/operations/**'];

/** More than there are cores, since half of the tests wait. */
const LANES = availableParallelism() + 6;

/**
 * Each process computes beside more others than there are cores, so that collecting garbage on further threads only adds
 * work: a fourteenth of the CPU is saved. And it runs most of its code a few times, so that V8 should learn from the first
 * call of a function which objects it meets, and not from a later one: that saves about a tenth.
 */
const V8_FLAGS = [
  '--single-threaded-gc',
  '--min-semi-space-size=32',
  '--initial-old-space-size=256',
  '--no-flush-bytecode',
  '--no-lazy-feedback-allocation',
];

/**
 * Returns what the processes run. To load and to warm up the platform costs as much as the tests of most files, so a few
 * processes, the lanes, run all files but some, one after another: each takes the next file that no other has taken.
 */
function processes(files: string[]): string[] {
  const isAlone = (file: string): boolean => ALONE.some((pattern) => matchesGlob(file, pattern));
  const shared = files.filter((file) => !isAlone(file));
  const lanes = Array.from({ length: Math.min(LANES, shared.length) }, (_, place) => lane(place + 1));
  process.env.TEST_FILES = join(folder, 'files.json');
  writeFileSync(process.env.TEST_FILES, JSON.stringify(shared.map((file) => resolve(file))));
  return [...files.filter(isAlone).map((file) => resolve(file)), ...lanes];
}

/** Returns all test files in the order of their start: those that wait run beside those that compute. */
function allFiles(): string[] {
  const all = globSync(['test/**/*.test.ts', 'src/**/*.test.ts']).sort();
  const waiting = WAITING.flatMap((pattern) => all.filter((file) => matchesGlob(file, pattern)));
  const computing = all.filter((file) => !waiting.includes(file));
  return Array.from({ length: Math.max(waiting.length, computing.length) }, (_, place) => [
    computing[place],
    waiting[place],
  ])
    .flat()
    .filter((file) => file !== undefined);
}

/** Writes a test file for the runner, which wants one for each process, and returns its path. */
function lane(number: number): string {
  const path = join(folder, `lane-${number}.mjs`);
  const program = JSON.stringify(import.meta.resolve('./lane.ts'));
  writeFileSync(path, `import { runFiles } from ${program};\nawait runFiles(${number});\n`);
  return path;
}

const TMPDIR = join(folder, 'tmp');
mkdirSync(TMPDIR);
Object.assign(process.env, tools, {
  TMPDIR,
  TEST_CLUSTER_URL: cluster.urlOf('postgres'),
  // A test process allocates much and keeps little: collecting seldom saves a twentieth of the CPU.
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=32`,
  // Many processes load the same files: each is compiled once, and written when a process ends.
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
});
const descriptions = join(folder, 'descriptions.json');
// A process of its own, so that its end writes the compiled platform before the processes of the tests load it. With other
// flags than theirs its code would not be theirs: V8 keeps compiled code for each set of flags.
const prepare = [
  ...V8_FLAGS,
  join(import.meta.dirname, 'support/prepare.ts'),
  cluster.urlOf(TEMPLATE),
  descriptions,
];
execFileSync(process.execPath, prepare, { stdio: 'inherit' });
process.env.TEST_DESCRIPTIONS = descriptions;
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort());
const tests = run({
  files: processes(named.length > 0 ? named : allFiles()),
  execArgv: [
    ...V8_FLAGS,
    ...[
      import.meta.resolve('./support/cheap-promises.ts'),
      import.meta.resolve('./support/cheap-passwords.ts'),
    ].flatMap((loaded) => ['--import', loaded]),
  ],
  concurrency: LANES,
  timeout: Number.POSITIVE_INFINITY,
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
