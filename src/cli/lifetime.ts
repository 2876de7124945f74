import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Something that was started, and how it ends. */
interface Started {
  /** Says that the end is near, and goes on. */
  retire?: () => void;
  end: () => Promise<void>;
  /** Ends at once, when there is no time left for `end`. */
  abandon?: () => void;
}

interface LifetimeOptions {
  log: Pick<Logger, 'info' | 'warn' | 'error' | 'fatal'>;
  /** How long to go on serving after a signal. */
  drainMs: number;
  /** When everything has ended after a signal, at the latest. */
  stopMs: number;
}

/** What is left of the time to stop for cutting off what has not ended by itself. */
const CUT_OFF_MS = 500;
/** After a fault that nobody caught, what is in flight may end within so long. */
const CRASH_MS = 5_000;
/** Ctrl-C reaches us from the terminal and once more from npm: that is one signal, not two. */
const SAME_SIGNAL_MS = 1_000;

/** Thrown by a start that a signal has overtaken. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * The life of a server process. Whatever is started is ended in the reverse order: on SIGTERM and SIGINT after a drain,
 * with code 0; after a fault that nobody caught at once, with code 1. A second signal, or an end that takes too long,
 * abandons everything, with code 1.
 *
 * After a fault nothing new is taken, since the state of the process is not known any more. What is in flight may
 * finish: it changes only the database, in transactions that commit as a whole or not at all.
 */
export function lifetime({ log, drainMs, stopMs }: LifetimeOptions) {
  const started: Started[] = [];
  let starting: Promise<unknown> = Promise.resolve();
  let endingSinceMs: number | undefined;
  let code = 0;

  function abandon(why: string): never {
    log.error(why);
    for (const { abandon } of started.toReversed()) abandon?.();
    process.exit(1);
  }

  async function unwind(): Promise<void> {
    for (let last = started.pop(); last; last = started.pop()) {
      try {
        await last.end();
      } catch (error) {
        code = 1;
        log.error(error, 'a part did not end well');
        last.abandon?.();
      }
    }
  }

  async function end(servingForMs: number, limitMs: number): Promise<void> {
    endingSinceMs = performance.now();
    setTimeout(() => abandon('the end takes too long; abandoning what is left'), limitMs);
    await starting.catch(() => undefined);
    for (const { retire } of started) retire?.();
    await sleep(started.length > 0 ? servingForMs : 0);
    await unwind();
    process.exit(code);
  }

  function onSignal(signal: string): void {
    if (endingSinceMs === undefined) {
      log.info({ signal, drainMs }, 'stopping');
      void end(drainMs, stopMs - CUT_OFF_MS);
    } else if (performance.now() - endingSinceMs > SAME_SIGNAL_MS) {
      abandon(`a second ${signal}; ending at once`);
    }
  }

  function onCrash(error: unknown): void {
    code = 1;
    log.fatal(error, 'a fault nobody caught');
    if (endingSinceMs === undefined) void end(0, CRASH_MS);
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  process.on('uncaughtException', onCrash);
  process.on('unhandledRejection', onCrash);

  return {
    /** Runs the start; what it has started so far is ended when it fails, or when a signal overtakes it. */
    async begin(start: () => Promise<void>): Promise<void> {
      starting = start();
      try {
        await starting;
      } catch (error) {
        if (endingSinceMs !== undefined) return;
        await unwind();
        throw error;
      }
    },
    /**
     * Keeps what has just been started.
     * @throws Interrupted when the process is ending already
     */
    keep(part: Started): void {
      started.push(part);
      if (endingSinceMs !== undefined) throw new Interrupted('a signal came during the start');
    },
  };
}

export type Lifetime = ReturnType<typeof lifetime>;
