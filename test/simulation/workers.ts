import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { AT_ONCE, type Ground, PROCESSES } from './ground.ts';
import type { Done, Task } from './working.ts';

const PROGRAM = fileURLToPath(new URL('worker.ts', import.meta.url));
/** Histories allocate much short-lived memory, and would spend most of their time hashing the same few passwords. */
const ARGUMENTS = [
  '--max-semi-space-size=32',
  '--import',
  import.meta.resolve('../support/cheap-passwords.ts'),
];
/** Starts a process for each processor; `planted` names a fault to plant in their source. */
export function startWorkers(
  { world, redises, environment }: Pick<Ground, 'world' | 'redises'> & Partial<Ground>,
  planted?: string,
) {
  const waiting = new Map<string, (done: Done) => void>();
  const died = Promise.withResolvers<never>();
  died.promise.catch(() => undefined); // Whoever plays gets it.
  const workers = Array.from({ length: PROCESSES }, () => {
    const env = { ...process.env, ...environment, ...(planted && { SIMULATION_PLANTED: planted }) };
    const child = fork(PROGRAM, { env, execArgv: ARGUMENTS });
    child.on('message', (done: Done) => waiting.get(nameOf(child, done.seed))?.(done));
    child.on('exit', (code, signal) => {
      died.reject(new Error(`a worker ended with ${code ?? signal}`));
    });
    return child;
  });

  const ask = (child: ChildProcess, task: Omit<Task, 'world'>): Promise<Done> =>
    Promise.race([
      died.promise,
      new Promise<Done>((resolve) => {
        waiting.set(nameOf(child, task.seed), resolve);
        child.send({ world, ...task });
      }),
    ]);

  return {
    /** Plays seeds from `first` on until one fails. Returns the lowest failed one; undefined if all passed. */
    async play(first: number, count: number, report: (done: Done) => void): Promise<Done | undefined> {
      let next = first;
      const failed: Done[] = [];
      const lanes = workers.flatMap((child) => Array.from({ length: AT_ONCE }, () => child));
      await Promise.all(
        lanes.map(async (child, place) => {
          while (failed.length === 0 && next < first + count) {
            const done = await ask(child, { seed: next++, task: 'play', redises: [redises[place]] });
            report(done);
            if (done.fault !== undefined) failed.push(done);
          }
        }),
      );
      return failed.sort((one, other) => one.seed - other.seed)[0];
    },
    /** Shortens the history of a failed seed. */
    shorten: (seed: number): Promise<Done> =>
      ask(workers[0] as ChildProcess, { seed, task: 'shorten', redises }),
    /** Ends the workers at once; whoever waits for one gets an error. */
    kill(): void {
      for (const child of workers) child.kill('SIGKILL');
    },
    async end(): Promise<void> {
      const alive = workers.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
      const ends = alive.map((child) => once(child, 'exit'));
      // Nothing has to be closed: the workers only used copies of the database, which are thrown away.
      this.kill();
      await Promise.all(ends);
    },
  };
}

export type Workers = ReturnType<typeof startWorkers>;

const nameOf = ({ pid }: ChildProcess, seed: number): string => `${pid} ${seed}`;
