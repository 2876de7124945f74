import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';

interface Run {
  command: string[];
  folder: string;
  /** Maximum run time of the process. */
  wallMs: number;
  /** The limit of CPU time that the command sets, if it does. */
  cpuSeconds?: number;
  /** Maximum time without progress; undefined for programs that report none. */
  stallMs?: number;
  signal: AbortSignal;
  /** Receives each line of standard output; returns whether it shows progress. */
  onLine: (line: string) => boolean;
}

interface Outcome {
  /** Null when a signal ended it. */
  code: number | null;
  /** How it ended, for the log: `ended with 1` or `was killed by SIGKILL`. */
  ending: string;
  /** The end of its error output. */
  errorOutput: string;
  endedBy: 'itself' | 'wall limit' | 'stall limit' | 'CPU limit' | 'too much output';
}

/** The exit codes of ffmpeg after a signal has asked it to end, once or often. */
export const INTERRUPTED = [255, 123];
const MAX_ERROR_OUTPUT = 4_096;
const MAX_OUTPUT_BYTES = 1024 * 1024;

/**
 * Runs a program to its end, and kills it when the signal aborts or a limit passes. The program inherits no variable
 * but PATH.
 * @throws the signal's reason
 */
export async function runProgram(run: Run): Promise<Outcome> {
  const { command, folder, wallMs, cpuSeconds, stallMs, signal, onLine } = run;
  signal.throwIfAborted();
  const startedMs = performance.now();
  const [program = '', ...programArguments] = command;
  const child = spawn(program, programArguments, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let endedBy: Outcome['endedBy'] = 'itself';
  const stop = () => {
    child.kill('SIGKILL');
    // Children of the program may keep its output open; do not wait for them.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const kill = (reason: Outcome['endedBy']) => {
    if (endedBy !== 'itself') return;
    endedBy = reason;
    stop();
  };
  const onAbort = () => stop();
  signal.addEventListener('abort', onAbort, { once: true });
  const wall = setTimeout(() => kill('wall limit'), wallMs);
  const stall = stallMs === undefined ? undefined : setTimeout(() => kill('stall limit'), stallMs);

  let errorOutput = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-MAX_ERROR_OUTPUT);
  });
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (stallMs === undefined && bytes > MAX_OUTPUT_BYTES) kill('too much output');
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (onLine(line)) stall?.refresh();
  });
  try {
    const { code, killedBy } = await new Promise<{ code: number | null; killedBy: string | null }>(
      (resolve, reject) => {
        child.once('error', reject);
        child.once('close', (code, killedBy) => resolve({ code, killedBy }));
      },
    );
    signal.throwIfAborted();
    // Ctrl-C or the end of a service interrupts ffmpeg, too, but hardly when it can have used all of its time.
    const mostCpuSeconds = ((performance.now() - startedMs) / 1000) * availableParallelism();
    const wasInterrupted = killedBy === 'SIGXCPU' || (code !== null && INTERRUPTED.includes(code));
    if (endedBy === 'itself' && wasInterrupted && cpuSeconds !== undefined && mostCpuSeconds >= cpuSeconds)
      endedBy = 'CPU limit';
    const ending = killedBy ? `was killed by ${killedBy}` : `ended with ${code}`;
    return { code, ending, errorOutput, endedBy };
  } finally {
    clearTimeout(wall);
    clearTimeout(stall);
    signal.removeEventListener('abort', onAbort);
  }
}
