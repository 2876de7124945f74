import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Ground } from './ground.ts';
import type { Done, Task } from './working.ts';

const PROGRAM = fileURLToPath(new URL('worker.ts', import.meta.url));
/** A history allocates much and keeps little, and the same few passwords are hashed in all. */
const ARGUMENTS = [
  '--max-semi-space-size=32',
  '--import',
  import.meta.resolve('../support/cheap-passwords.ts'),
];
/** Histories that one process plays side by side. */
const AT_ONCE = 4;

/** Processes that play histories, with a fault planted in their source if one is named. */
export function startWorkers({ world, environment }: Ground, planted?: string) {
  const waiting = new Map<string, (done: Done) => void>();
  const workers = Array.from({ length: Math.max(1, availableParallelism()) }, () => {
    const env = { ...process.env, ...environment, ...(planted && { SIMULATION_PLANTED: planted }) };
    const child = fork(PROGRAM, { env, execArgv: ARGUMENTS });
    child.on('message', (done: Done) => waiting.get(nameOf(child, done.seed))?.(done));
    child.on('exit', (code) => {
      if (code) throw new Error(`a worker ended with ${code}`);
    });
    return child;
  });

  const ask = (child: ChildProcess, task: Pick<Task, 'seed' | 'task'>): Promise<Done> =>
    new Promise((resolve) => {
      waiting.set(nameOf(child, task.seed), resolve);
      child.send({ world, ...task });
    });

  return {
    /** Plays seeds one after another, from the first on, until one fails; returns it. */
    async play(first: number, count: number, report: (done: Done) => void): Promise<Done | undefined> {
      let next = first;
      const failed: Done[] = [];
      const lanes = workers.flatMap((child) => Array.from({ length: AT_ONCE }, () => child));
      await Promise.all(
        lanes.map(async (child) => {
          while (failed.length === 0 && next < first + count) {
            const done = await ask(child, { seed: next++, task: 'play' });
            report(done);
            if (done.fault !== undefined) failed.push(done);
          }
        }),
      );
      return failed.sort((one, other) => one.seed - other.seed)[0];
    },
    /** Returns the shortest history of a seed that still fails. */
    shorten: (seed: number): Promise<Done> => ask(workers[0] as ChildProcess, { seed, task: 'shorten' }),
    async end(): Promise<void> {
      const ends = workers.map((child) => once(child, 'exit'));
      // What it keeps open is in the databases' copies, which end with them.
      for (const child of workers) child.kill('SIGKILL');
      await Promise.all(ends);
    },
  };
}

const nameOf = ({ pid }: ChildProcess, seed: number): string => `${pid} ${seed}`;
