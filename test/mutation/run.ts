// `npm run mutate`: small mistakes in the rules of money, access and chat, each of which a test must find.
import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { seeded } from '../support/chance.ts';
import { mutantsOf, ruleFiles } from './areas.ts';
import { type Ground, prepareGround } from './ground.ts';
import { JUDGED } from './judged.ts';
import { measureTests, testsOf } from './measuring.ts';
import { changeOf, diffOf, type Mutant } from './mutant.ts';
import type { Reached } from './reach.ts';
import { type Ended, LANES, runTrial } from './trials.ts';

const USAGE = `Usage: npm run mutate -- [--seed <n>] [--count <n>] [--files <glob>]   tries mutants chosen by the seed
       npm run mutate -- --mutant <id> [--mutant <id>]...             tries these again
       npm run mutate -- --unreached [--files <glob>]                 lists the mutants that no test runs
With --tests <glob> mutants meet these test files only, and --lanes <n> limits how many trials run at a time.`;
/** The part of the mutants that must be found. */
const ENOUGH = 0.95;
/** One trial in so many has no mutant: whatever fails in it would be counted as found without being so. */
const CONTROL_EVERY = 50;
/** Milliseconds; a test that waits for what a mutant prevents takes long to fail. */
const LEAST_LIMIT_MS = 240_000;
/** Beside others on a busy machine tests take several times as long as alone. */
const TIMES_AS_LONG = 4;
const REPORT_EVERY = 25;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '300' },
    files: { type: 'string' },
    mutant: { type: 'string', multiple: true },
    unreached: { type: 'boolean', default: false },
    tests: { type: 'string' },
    lanes: { type: 'string', default: String(LANES) },
  },
});
if (![values.seed, values.count, values.lanes].every((text) => /^\d{1,9}$/.test(text))) {
  console.error(USAGE);
  process.exit(2);
}

interface Result extends Ended {
  mutant: Mutant | undefined;
}

const all = ruleFiles(values.files).flatMap(mutantsOf);
const chosen = values.mutant ? all.filter(({ id }) => values.mutant?.includes(id)) : sample(all);
const onlyTests =
  values.tests === undefined ? undefined : globSync(values.tests).filter((path) => path.endsWith('.test.ts'));
if (!values.unreached) console.log(`${chosen.length} of ${all.length} mutants, seed ${values.seed}`);
const lanes = Number(values.lanes);
const ground = await prepareGround();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => ground.end().finally(() => process.exit(1)));
try {
  const measured = onlyTests ? new Map() : await measureTests(ground, lanes);
  if (values.unreached) listUnreached(measured);
  else process.exitCode = summarize(await tryAll(ground, measured)) ? 0 : 1;
} finally {
  await ground.end();
}

function sample(mutants: Mutant[]): Mutant[] {
  const { below } = seeded(Number(values.seed));
  const left = mutants.filter((mutant) => !judgementOf(mutant));
  const count = Math.min(Number(values.count), left.length);
  return Array.from({ length: count }, () => left.splice(below(left.length), 1)[0] as Mutant);
}

function judgementOf(mutant: Mutant): string | undefined {
  const ofFile = JUDGED.filter(({ file }) => file === mutant.file);
  if (ofFile.length === 0) return undefined;
  const { was, becomes } = changeOf(readFileSync(mutant.file, 'utf8'), mutant);
  return ofFile.find((one) => one.was === was && one.becomes === becomes)?.reason;
}

function listUnreached(measured: Map<string, Reached>): void {
  const found = all.filter((mutant) => !judgementOf(mutant) && testsOf(measured, mutant).files.length === 0);
  for (const mutant of found) console.log(`\n${diffOf(mutant)}`);
  console.log(`\n${found.length} of ${all.length} mutants are run by no test.`);
}

/** Tries the mutants, several at a time. */
async function tryAll(ground: Ground, measured: Map<string, Reached>): Promise<Result[]> {
  const trials = chosen.flatMap((mutant, place) => [
    ...(place % CONTROL_EVERY === CONTROL_EVERY - 1 ? [{ place: mutant, mutant: undefined }] : []),
    { place: mutant, mutant },
  ]);
  const results: Result[] = [];
  const next = trials.values();
  const startedMs = performance.now();
  const work = async (): Promise<void> => {
    for (const { place, mutant } of next) {
      const { files, ms } = onlyTests ? { files: onlyTests, ms: 0 } : testsOf(measured, place);
      const limitMs = Math.max(LEAST_LIMIT_MS, TIMES_AS_LONG * ms);
      const ended = await runTrial(ground, { files, ...(mutant && { mutant }) }, limitMs);
      results.push({ ...ended, mutant });
      if (mutant && ended.outcome === 'passed')
        console.log(`\nsurvived ${files.length} test files:\n${diffOf(mutant)}`);
      if (values.mutant) console.log(`${ended.outcome}: ${mutant?.id}: ${ended.test}`);
      if (results.length % REPORT_EVERY === 0)
        console.log(
          `${results.length} of ${trials.length} in ${Math.round((performance.now() - startedMs) / 1000)} s`,
        );
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return results;
}

/** Prints what came of it; returns whether it is enough. */
function summarize(results: Result[]): boolean {
  const count = (outcome: Ended['outcome'], isMutant = true): number =>
    results.filter((one) => one.outcome === outcome && (one.mutant !== undefined) === isMutant).length;
  const [failed, late, passed] = [count('failed'), count('timeout'), count('passed')];
  // A test that ran into its limit proves nothing on a busy machine: it does not count as a finding.
  const tried = failed + late + passed;
  const part = failed / tried;
  for (const { mutant, outcome } of results)
    if (mutant && outcome === 'timeout') console.log(`\nran into the limit of time:\n${diffOf(mutant)}`);
  for (const { mutant, outcome, test } of results)
    if (!mutant && outcome !== 'passed') console.log(`\nfailed without a mutant: ${test}`);
  const falsely = count('failed', false) + count('timeout', false);
  console.log(
    `\n${failed} killed, ${late} undecided at the limit of time, ${passed} survived: ${(100 * part).toFixed(1)} % found. ` +
      `Of ${results.length - tried} trials without a mutant, ${falsely} failed.`,
  );
  return part >= ENOUGH && falsely === 0;
}
