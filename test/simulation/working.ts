import type { Command } from './area.ts';
import { historyOf } from './histories.ts';
import { type Ending, play } from './playing.ts';
import type { RedisServer } from './redis.ts';
import { shortest } from './shrinking.ts';
import type { World } from './world.ts';

/** A task for a worker: to play a seed, or to shorten the history of a failed one. */
export interface Task {
  world: World;
  seed: number;
  task: 'play' | 'shorten';
  /** What the histories may use, one each: one to play, several to shorten. */
  redises: (RedisServer | undefined)[];
}

export interface Done extends Ending {
  seed: number;
  /** The history, or what is left of it after shortening. */
  history: Command[];
}

const SHORTENING_MS = 120_000;
/** How often a shortened history is played before it counts as not failing. */
const PLAYS = 2;

/** Handles the tasks of the parent process. */
export function work(): void {
  process.on('message', (task: Task) => {
    const doing = task.task === 'play' ? playSeed(task) : shortened(task);
    void doing.then((done) => process.send?.(done));
  });
  process.on('disconnect', () => process.exit());
}

async function playSeed({ world, seed, redises }: Task): Promise<Done> {
  const history = historyOf(seed);
  return { seed, history, ...(await play(history, world, redises[0])) };
}

async function shortened({ world, seed, redises }: Task): Promise<Done> {
  let last: Done | undefined;
  const fails = async (history: Command[]): Promise<boolean> => {
    const endings = await Promise.all(
      Array.from({ length: PLAYS }, (_, place) => play(history, world, redises[place])),
    );
    const failed = endings.find(({ fault }) => fault !== undefined);
    if (failed) last = { seed, history, ...failed };
    return failed !== undefined;
  };
  const history = await shortest(historyOf(seed), fails, performance.now() + SHORTENING_MS);
  return last ?? { seed, history, fault: undefined, story: [] };
}
