// `npm run simulate`: plays random histories of several people, with faults injected, and compares with a model.
import { parseArgs } from 'node:util';
import { type Ground, prepareGround } from './ground.ts';
import { PLANTED } from './planted.ts';
import { startWorkers } from './workers.ts';
import type { Done } from './working.ts';

const USAGE = `Usage: npm run simulate -- [--seeds <count>] [--from <seed>]   plays that many seeds, 20 by default
       npm run simulate -- --seed <seed>                       plays one again, and shortens it if it fails
       npm run simulate -- --planted [<part of a name>] [--from <seed>] [--seeds <count>]
                                                               plants known faults, and tells at which seed each is found`;
const DEFAULT_SEEDS = 20;
/** Seeds within which each planted fault must be found. */
const MAX_SEEDS = 200;
const REPORT_EVERY = 50;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    planted: { type: 'boolean' },
  },
});
const seeds = values.seeds ?? String(values.planted ? MAX_SEEDS : DEFAULT_SEEDS);
const [from, count] = values.seed === undefined ? [values.from, seeds] : [values.seed, '1'];
if (![from, count].every((text) => /^\d{1,9}$/.test(text))) {
  console.error(USAGE);
  process.exit(2);
}

const ground = await prepareGround();
try {
  const isSound = values.planted ? await findPlanted(ground) : await playSeeds(ground);
  process.exitCode = isSound ? 0 : 1;
} finally {
  await ground.end();
}

/** Plays seeds until one fails, and prints the shortest history of it that still fails. */
async function playSeeds(ground: Ground): Promise<boolean> {
  const workers = startWorkers(ground);
  const startedMs = performance.now();
  let played = 0;
  const failed = await workers.play(Number(from), Number(count), () => {
    played++;
    if (played % REPORT_EVERY === 0) console.log(`${played} seeds in ${secondsSince(startedMs)} s`);
  });
  if (failed) {
    print(failed);
    console.log('Its history is being shortened.');
    const short = await workers.shorten(failed.seed);
    if (short.fault !== undefined) print(short);
    else console.log('It did not fail again: the failure depends on the order of concurrent requests.');
    console.log(`Replay it with: npm run simulate -- --seed ${failed.seed}`);
  } else console.log(`${played} seeds in ${secondsSince(startedMs)} s: no fault was found.`);
  await workers.end();
  return failed === undefined;
}

/** Plants one fault after another, and reports the seed that finds it. */
async function findPlanted(ground: Ground): Promise<boolean> {
  let isSound = true;
  for (const { name } of PLANTED.filter((one) => one.name.includes(positionals[0] ?? ''))) {
    const workers = startWorkers(ground, name);
    const found = await workers.play(Number(from), Number(count), () => undefined);
    console.log(
      found ? `seed ${found.seed}: ${name} (${firstLine(found)})` : `NOT FOUND in ${count} seeds: ${name}`,
    );
    isSound &&= found !== undefined;
    await workers.end();
  }
  return isSound;
}

function print({ seed, history, story, fault }: Done): void {
  console.log(`\nSeed ${seed}, ${history.length} commands:`);
  for (const line of story) console.log(`  ${line}`);
  console.log(`\n${fault}\n`);
}

function firstLine({ fault = '' }: Done): string {
  return fault.split('\n', 1)[0] as string;
}
function secondsSince(startedMs: number): number {
  return Math.round((performance.now() - startedMs) / 1000);
}
