import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface Program {
  process: ChildProcess;
  /** The values in its ready line, by name. */
  readyValues: Record<string, string>;
  /** Returns everything that it wrote to standard error. */
  complaints: () => string;
  /** Sends the signal and waits for the end; returns the exit code, null if the signal killed it. */
  end: (signal: NodeJS.Signals) => Promise<number | null>;
}

/**
 * Settings for a busy machine, on which a shutdown takes longer than operators would wait, and a transcoder with low
 * priority would only run after all other tests.
 */
const DEFAULTS = {
  FFMPEG_INSTALL: 'off',
  LOG_LEVEL: 'error',
  STOP_SECONDS: '300',
  TRANSCODE_NICENESS: '0',
};

/** Settings of a small production installation, with an administrator and an API key. */
export const PRODUCTION = {
  PORT: '0',
  DATABASE_CONNECTIONS: '6',
  LOG_LEVEL: 'silent',
  ENVIRONMENT: 'production',
  PUBLIC_URL: 'https://api.example.com',
  TRUSTED_PROXIES: 'none',
  API_KEY: 'an api key of the tests',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'an administrator for tests',
  SECRET_KEY: 'a secret key of the tests, long enough',
  INTERNAL_API_KEY: 'internal key of the tests',
  WEBHOOK_SECRET: 'webhook secret of the tests',
  // Members of the tests read no mail, so they could not verify the address that production requires for money.
  VERIFIED_EMAIL: 'off',
};

const started = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** Starts one of our programs, and waits for its ready line. It is killed at the end of the test file at the latest. */
export const startProgram = (args: string[], environment: Record<string, string>): Promise<Program> =>
  startCommand(process.execPath, args, environment);

/** The same for any command. */
export async function startCommand(
  command: string,
  args: string[],
  environment: Record<string, string>,
): Promise<Program> {
  const child = spawn(command, args, {
    env: { ...process.env, ...DEFAULTS, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  // The program must not keep the test process alive if a test fails before ending it: that process kills it at its
  // end.
  child.unref();
  for (const pipe of [child.stdout, child.stderr]) (pipe as Socket).unref();
  let complaints = '';
  child.stderr?.on('data', (chunk) => {
    complaints += chunk;
  });
  const readyValues = await new Promise<Record<string, string>>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if (/\bready\b/.test(line)) {
        resolve(
          Object.fromEntries([...line.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value])),
        );
      }
    });
    child.once('error', reject);
    child.once('close', (code, signal) =>
      reject(new Error(`${args.join(' ')} ended with ${code ?? signal}: ${complaints}`)),
    );
  });
  return {
    process: child,
    readyValues: readyValues,
    complaints: () => complaints,
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exit = once(child, 'exit');
      child.kill(signal);
      return (await exit)[0] as number | null;
    },
  };
}

/** The result of a program that ran to its end. */
export interface Ended {
  code: number | null;
  output: string;
  complaints: string;
}

interface RunOptions {
  /** The text for its standard input. */
  input?: string;
  command?: string;
  cwd?: string;
}

/** Runs one of our programs to its end. */
export async function runProgram(
  args: string[],
  environment: Record<string, string>,
  { input = '', command = process.execPath, cwd }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...DEFAULTS, ...environment } });
  started.add(child);
  let [output, complaints] = ['', ''];
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  child.stdin.on('error', () => undefined); // it may end without reading
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code: code as number | null, output, complaints };
}
