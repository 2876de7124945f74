// One of the processes of `npm test`: runs test files, one after another, until all are taken.
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** A test waits for conditions with ends of its own; this one is for what hangs. */
const TIMEOUT_MS = 2_400_000 + 1_000 * Number(process.env.FUZZ_SECONDS ?? 0);

/** How long a process may take to close what its last test has opened. */
const LEFT_OPEN_MS = 60_000;

/**
 * So many processes, the first ones, take a file whenever they have none. The others only fill the time in which those
 * wait: beside so much work that each core has several programs to run, they would not end a minute earlier, and every
 * test would take twice as long, for which a slow machine has no time.
 */
const ALWAYS_RUNNING = availableParallelism() + 1;
const MOST_PROGRAMS_PER_CORE = 2;
const LOOKED_AGAIN_AFTER_MS = 2_000;

const list = process.env.TEST_FILES as string;
const files: string[] = JSON.parse(readFileSync(list, 'utf8'));

/** Takes the file, unless another process has. */
function take(place: number): boolean {
  try {
    closeSync(openSync(`${list}.${place}`, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

const isBusy = (): boolean => (loadavg()[0] ?? 0) > MOST_PROGRAMS_PER_CORE * availableParallelism();
/** Files are taken in their order. */
const areAllTaken = (): boolean => existsSync(`${list}.${files.length - 1}`);

/**
 * Runs the files that no other process has taken.
 * @param lane the number of this process, from 1
 */
export async function runFiles(lane: number): Promise<void> {
  // Some tests wait for what keeps no process alive, such as a connection that is not to hold up the end of a program.
  const alive = setInterval(() => undefined, TIMEOUT_MS);
  for (const [place, file] of files.entries()) {
    while (lane > ALWAYS_RUNNING && isBusy() && !areAllTaken()) await sleep(LOOKED_AGAIN_AFTER_MS);
    // What a file registers for its end, such as the end of its platform, happens before the next one starts.
    if (take(place))
      await test(
        file.slice(process.cwd().length + 1),
        { timeout: TIMEOUT_MS },
        () => import(pathToFileURL(file).href),
      );
  }
  clearInterval(alive);
  // What a failed test has left open, such as a server, must not keep the process, and with it the whole run, for ever.
  setTimeout(() => {
    console.error(`${process.pid} ends although a test has left something open`);
    process.exit();
  }, LEFT_OPEN_MS).unref();
}
