import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { ruleFiles, testFiles } from './areas.ts';
import type { Ground } from './ground.ts';
import { type Reached, reaches } from './reach.ts';
import { runTrial } from './trials.ts';

const CACHE = 'node_modules/.cache/mutation';
const LIMIT_MS = 30 * 60_000;
/** A mutant that so many test files leave alive has survived. */
const MOST_FILES = 10;

/** Returns what each test file reaches; what was measured of the same files before is kept. */
export async function measureTests(ground: Ground): Promise<Map<string, Reached>> {
  const sources = ruleFiles();
  const rules = createHash('sha256');
  for (const file of sources) rules.update(readFileSync(file));
  const state = rules.digest('hex');
  const pathOf = (file: string): string => {
    const hash = createHash('sha256').update(state).update(file).update(readFileSync(file)).digest('hex');
    return resolve(CACHE, `${hash}.json`);
  };
  mkdirSync(CACHE, { recursive: true });
  const missing = testFiles().filter((file) => !existsSync(pathOf(file)));
  if (missing.length > 0) console.log(`Measuring what ${missing.length} test files reach.`);
  const lanes = Array.from({ length: availableParallelism() }, (_, lane) =>
    missing.filter((_, place) => place % availableParallelism() === lane),
  );
  await Promise.all(
    lanes
      .filter((files) => files.length > 0)
      .map(async (files) => {
        const paths = Object.fromEntries(files.map((file) => [file, pathOf(file)]));
        const { outcome, test } = await runTrial(ground, { files, reach: { sources, paths } }, LIMIT_MS);
        if (outcome !== 'passed') throw new Error(`without any mutant this fails: ${test}`);
      }),
  );
  return new Map(testFiles().map((file) => [file, JSON.parse(readFileSync(pathOf(file), 'utf8'))]));
}

/** Returns the test files that run a place of a source: those nearest to it first, then the fastest. */
export function testsOf(measured: Map<string, Reached>, file: string, place: number): string[] {
  const folders = [dirname(file), dirname(dirname(file))];
  const distance = (test: string): number => {
    const found = folders.findIndex((folder) => test.startsWith(`${folder}/`));
    return found < 0 ? folders.length : found;
  };
  const reaching = [...measured].filter(([, reached]) => reaches(reached, file, place));
  // Of a file without functions nothing is known.
  const candidates = isReached(measured, file) ? reaching : [...measured];
  return candidates
    .sort(([one, { ms }], [other, { ms: otherMs }]) => distance(one) - distance(other) || ms - otherMs)
    .slice(0, MOST_FILES)
    .map(([test]) => test);
}

const isReached = (measured: Map<string, Reached>, file: string): boolean =>
  [...measured.values()].some(({ ranges }) => ranges[file]);
