import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';

export interface Child {
  process: ChildProcess;
  /** The values of its ready line, by name. */
  readyValues: Record<string, string>;
  stop(): Promise<void>;
}

/** Bundles the server, as an installation does, if this is its entry point. */
function bundleFor(program: string): void {
  const bundler = resolve(dirname(program), '../deploy/bundle.ts');
  if (basename(program) === 'main.js' && existsSync(bundler)) execFileSync(process.execPath, [bundler]);
}

/** Starts a program of the platform and waits for its ready line, `... ready name=value name=value`. */
export async function startChild(args: string[], environment: Record<string, string>): Promise<Child> {
  bundleFor(args[0] as string);
  const child = spawn(process.execPath, [...(process.env.NODE_ARGS?.split(' ') ?? []), ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A benchmark that fails leaves nothing running.
  process.once('exit', () => child.kill('SIGKILL'));
  const readyValues = await new Promise<Record<string, string>>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if (!/\bready\b/.test(line)) return;
      resolve(Object.fromEntries([...line.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value])));
    });
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)));
  });
  return {
    process: child,
    readyValues,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
