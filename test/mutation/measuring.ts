import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ruleFiles, testFiles } from './areas.ts';
import type { Ground } from './ground.ts';
import type { Mutant } from './mutant.ts';
import { type Reached, reaches } from './reach.ts';
import { runTrial } from './trials.ts';

const CACHE = 'node_modules/.cache/mutation';
const LIMIT_MS = 60 * 60_000;
/** What lies directly in these has no module of its own. */
const SHARED = ['src', 'src/modules'];
/** A mutant has survived when all test files of its module, so many of other modules and all of the whole platform pass. */
const MOST_OF_OTHERS = 20;

/** What was measured of a test file, with hashes of the sources that it reached. */
interface Kept extends Reached {
  sources: Record<string, string>;
}

/**
 * Returns what each test file reaches. What was measured before is kept until the test file changes; of a source that
 * changed since, it counts as reaching everything.
 */
export async function measureTests(ground: Ground, lanes: number): Promise<Map<string, Reached>> {
  const sources = Object.fromEntries(ruleFiles().map((file) => [file, hashOf(file)]));
  mkdirSync(CACHE, { recursive: true });
  const tests = testFiles();
  const missing = tests.filter((file) => !kept(file, sources));
  if (missing.length > 0) console.log(`Measuring what ${missing.length} test files reach.`);
  const count = Math.min(lanes, missing.length);
  await Promise.all(
    Array.from({ length: count }, async (_, lane) => {
      const files = missing.filter((_, place) => place % count === lane);
      const paths = Object.fromEntries(files.map((file) => [file, pathOf(file)]));
      const { outcome, test } = await runTrial(ground, { files, reach: { sources, paths } }, LIMIT_MS);
      if (outcome !== 'passed') throw new Error(`without any mutant this fails: ${test}`);
    }),
  );
  return new Map(tests.map((file) => [file, kept(file, sources) as Kept]));
}

const hashOf = (...files: string[]): string => {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
};
const pathOf = (test: string): string => resolve(CACHE, `${hashOf(test)}.json`);

function kept(test: string, sources: Record<string, string>): Kept | undefined {
  if (!existsSync(pathOf(test))) return undefined;
  const found: Kept = JSON.parse(readFileSync(pathOf(test), 'utf8'));
  for (const [file, hash] of Object.entries(found.sources))
    if (sources[file] !== hash) found.ranges[file] = [];
  return found;
}

/**
 * Returns the test files that run a place of a source, and how long they take together: the nearest first; of these, those
 * that run the end of its line, such as what a condition decides about; of these, the fastest.
 */
export function testsOf(
  measured: Map<string, Reached>,
  { file, start: place, end }: Mutant,
): { files: string[]; ms: number } {
  const endOfLine = readFileSync(file, 'utf8').indexOf('\n', end) - 1;
  const folders = [dirname(file), dirname(dirname(file))].filter((folder) => !SHARED.includes(folder));
  const distance = (test: string): number => {
    const found = folders.findIndex((folder) => test.startsWith(`${folder}/`));
    return found < 0 ? folders.length : found;
  };
  const reaching = [...measured].filter(([, reached]) => reaches(reached, file, place));
  // Of a file without functions nothing is known.
  const candidates = isReached(measured, file) ? reaching : [...measured];
  const nearest = candidates
    .map(([test, reached]) => ({
      test,
      ms: reached.ms,
      distance: distance(test),
      misses: !reaches(reached, file, endOfLine),
      isOfAll: test.startsWith('test/'),
    }))
    .sort(
      (one, other) =>
        one.distance - other.distance || Number(one.misses) - Number(other.misses) || one.ms - other.ms,
    );
  const isOwn = (one: { distance: number }): boolean => one.distance < folders.length;
  const chosen = [
    ...nearest.filter(isOwn),
    ...nearest.filter((one) => !isOwn(one) && !one.isOfAll).slice(0, MOST_OF_OTHERS),
    ...nearest.filter(({ isOfAll }) => isOfAll),
  ];
  return { files: chosen.map(({ test }) => test), ms: chosen.reduce((sum, { ms }) => sum + ms, 0) };
}

const isReached = (measured: Map<string, Reached>, file: string): boolean =>
  [...measured.values()].some(({ ranges }) => ranges[file]);
