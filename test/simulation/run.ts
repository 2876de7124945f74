// `npm run simulate`: plays random histories of several people, with faults injected, and compares with a model.
import { type Ground, prepareGround } from './ground.ts';
import { readOptions, USAGE } from './options.ts';
import { startWorkers, type Workers } from './workers.ts';
import type { Done } from './working.ts';

const REPORT_EVERY = 50;

const options = readOptions(process.argv.slice(2));
if (typeof options === 'string') {
  console.error(`${options}\n\n${USAGE}`);
  process.exit(2);
}
const { from, count, planted } = options;

let workers: Workers | undefined;
let isInterrupted = false;
// What was started for the histories, such as PostgreSQL, is stopped once the workers have ended.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isInterrupted = true;
    workers?.kill();
  });
const ground = await prepareGround();
try {
  if (!isInterrupted) process.exitCode = (await (planted ? findPlanted(ground) : playSeeds(ground))) ? 0 : 1;
} catch (error) {
  if (!isInterrupted) throw error;
} finally {
  await ground.end();
}
if (isInterrupted) process.exitCode = 130;

/** Plays seeds until one fails, and prints the shortest history of it that still fails. */
async function playSeeds(ground: Ground): Promise<boolean> {
  workers = startWorkers(ground);
  const startedMs = performance.now();
  let played = 0;
  const failed = await workers.play(from, count, () => {
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
  for (const name of planted ?? []) {
    if (isInterrupted) return false;
    workers = startWorkers(ground, name);
    const found = await workers.play(from, count, () => undefined);
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
