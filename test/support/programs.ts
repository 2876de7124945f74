import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

interface Program {
  process: ChildProcess;
  /** What its ready line says, by name. */
  said: Record<string, string>;
  /** Everything it wrote to standard error. */
  complaints: () => string;
  /** Sends the signal and waits for the end; answers the exit code, null when the signal killed it. */
  end: (signal: NodeJS.Signals) => Promise<number | null>;
}

const started = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** Starts a program of ours and waits for its ready line; it is killed when the test file ends at the latest. */
export async function startProgram(args: string[], environment: Record<string, string>): Promise<Program> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, LOG_LEVEL: 'error', FFMPEG_INSTALL: 'off', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  let complaints = '';
  child.stderr?.on('data', (chunk) => {
    complaints += chunk;
  });
  const said = await new Promise<Record<string, string>>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if (/\bready\b/.test(line)) {
        resolve(
          Object.fromEntries([...line.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value])),
        );
      }
    });
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}: ${complaints}`)));
  });
  return {
    process: child,
    said,
    complaints: () => complaints,
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exit = once(child, 'exit');
      child.kill(signal);
      return (await exit)[0] as number | null;
    },
  };
}
