// A process that runs test files one after another, either with a mutant in the source or measuring their coverage.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Mutant, mutate } from './mutant.ts';
import { measuring } from './reach.ts';

/** The task of a trial, passed in its environment. */
export interface Trial {
  files: string[];
  mutant?: Mutant;
  /**
   * Measures coverage: the source files with their hashes, and for each test file the path to write its coverage to.
   */
  reach?: { sources: Record<string, string>; paths: Record<string, string> };
}

const { files, mutant, reach }: Trial = JSON.parse(process.env.MUTATION_TRIAL as string);

if (mutant) {
  const target = pathToFileURL(resolve(mutant.file)).href;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      return url === target ? { ...loaded, source: mutate(String(loaded.source), mutant) } : loaded;
    },
  });
}

// Keeps the process alive as `npm test` does: some tests wait for work that does not keep it alive by itself.
const alive = setInterval(() => undefined, 60_000);
const measure = reach && (await measuring(Object.keys(reach.sources)));
for (const file of files) {
  const startedMs = performance.now();
  await test(file, () => import(pathToFileURL(file).href));
  if (!reach || !measure) continue;
  const ms = performance.now() - startedMs;
  const ranges = await measure();
  const sources = Object.fromEntries(Object.keys(ranges).map((file) => [file, reach.sources[file]]));
  writeFileSync(reach.paths[file] as string, JSON.stringify({ ms, ranges, sources }));
}
clearInterval(alive);
