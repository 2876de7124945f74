// Several versions of the platform, each with a PostgreSQL of its own, of which one runs at a time.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Fixture, startFixture } from './fixture.ts';
import type { Variant, Variants } from './paired.ts';
import { CHATTING_MEMBERS } from './scene.ts';

export interface Versions {
  /** Runs `work` for each version while its server runs; in between all servers are stopped. */
  each<T>(work: (fixture: Fixture) => Promise<T>): Promise<T[]>;
  /** Returns a variant for each version, by its name; `run` performs one turn of it. */
  variants(run: (fixture: Fixture, place: number) => ReturnType<Variant['run']>): Variants;
  stop(): Promise<void>;
}

/**
 * Starts the versions: the folder of a worktree, or `NAME=value,NAME=value` for this worktree with these settings. Each
 * gets members with Keys.
 */
export async function startVersions(names: string[]): Promise<Versions> {
  const fixtures: Fixture[] = [];
  for (const name of names) {
    console.error(`${name} starts`);
    const fixture = await startFixture(CHATTING_MEMBERS, optionsOf(name));
    fixtures.push(fixture);
    process.kill(fixture.pid, 'SIGSTOP');
  }
  const running = async <T>(fixture: Fixture, work: () => Promise<T>): Promise<T> => {
    process.kill(fixture.pid, 'SIGCONT');
    try {
      return await work();
    } finally {
      process.kill(fixture.pid, 'SIGSTOP');
    }
  };
  return {
    each: async (work) => {
      const results = [];
      for (const fixture of fixtures) results.push(await running(fixture, () => work(fixture)));
      return results;
    },
    variants: (run) =>
      Object.fromEntries(
        fixtures.map((fixture, place) => [
          names[place],
          {
            run: () => running(fixture, () => run(fixture, place)),
            serverPid: fixture.pid,
            postmasterPid: fixture.postmasterPid,
          },
        ]),
      ),
    stop: async () => {
      for (const fixture of fixtures) {
        process.kill(fixture.pid, 'SIGCONT');
        await fixture.stop();
      }
    },
  };
}

function optionsOf(name: string): { program?: string; environment?: Record<string, string> } {
  if (!name.includes('=')) return { program: programOf(name) };
  return { environment: Object.fromEntries(name.split(',').map((pair) => pair.split('='))) };
}

/** Returns the entry point of a worktree, which had another name until version 0.1. */
function programOf(folder: string): string {
  const [now, before] = ['src/main.js', 'src/main.ts'].map((file) => resolve(folder, file)) as [
    string,
    string,
  ];
  return existsSync(now) ? now : before;
}
