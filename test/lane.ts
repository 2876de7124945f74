// One of the processes of `npm test`: runs test files, one after another, until all are taken.
import { closeSync, openSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

/** A test waits for conditions with ends of its own; this one is for what hangs. */
const TIMEOUT_MS = 1_200_000 + 1_000 * Number(process.env.FUZZ_SECONDS ?? 0);

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

// Some tests wait for what keeps no process alive, such as a connection that is not to hold up the end of a program.
const alive = setInterval(() => undefined, TIMEOUT_MS);
for (const [place, file] of files.entries()) {
  // What a file registers for its end, such as the end of its platform, happens before the next one starts.
  if (take(place))
    await test(
      file.slice(process.cwd().length + 1),
      { timeout: TIMEOUT_MS },
      () => import(pathToFileURL(file).href),
    );
}
clearInterval(alive);
