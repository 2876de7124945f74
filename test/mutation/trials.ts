import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Ground } from './ground.ts';
import type { Trial } from './trial.ts';

/** The outcome of a trial, and the first failed test. */
export interface Ended {
  outcome: 'passed' | 'failed' | 'timeout';
  test: string;
}

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const LOADED = ['../support/cheap-promises.ts', '../support/cheap-passwords.ts'];
const PROGRAM = [
  ...LOADED.flatMap((file) => ['--import', here(file)]),
  `--test-reporter=${here('stopping.ts')}`,
  here('trial.ts'),
];

/** How many trials run at a time: about half of them are waiting at any moment. */
export const LANES = availableParallelism() + 2;

let started = 0;

/** Runs a trial in a process of its own until its first failure, and then removes its databases and files. */
export async function runTrial(ground: Ground, trial: Trial, limitMs: number): Promise<Ended> {
  const name = `trial${++started}`;
  const folder = join(ground.folder, name);
  mkdirSync(folder);
  const child = spawn(process.execPath, PROGRAM, {
    env: {
      ...process.env,
      ...ground.environment,
      TMPDIR: folder,
      TEST_DATABASES: name,
      MUTATION_TRIAL: JSON.stringify(trial),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
    // A process group of its own, so that the programs it started can be ended with it.
    detached: true,
  });
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    killGroup(child.pid);
  }, limitMs);
  const [code, printed] = await Promise.all([
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
    text(child.stdout),
  ]);
  clearTimeout(limit);
  killGroup(child.pid);
  await ground.dropDatabases(name);
  rmSync(folder, { recursive: true, force: true });
  const outcome = isLate ? 'timeout' : code === 0 ? 'passed' : 'failed';
  return { outcome, test: printed.split('\n', 1)[0] || 'the process' };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
