import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** A started part of the process, and how to end it. */
interface Started {
  /** Announces the shutdown while the part is still running, for so many milliseconds. */
  retire?: (forMs: number) => void;
  end: () => Promise<void>;
  /** Ends immediately, when there is no time left for `end`. */
  abandon?: () => void;
}

interface LifetimeOptions {
  log: Pick<Logger, 'error' | 'fatal'>;
  /** Prints for the operator that the process is ending, and that it has ended. */
  tell: (sentence: string) => void;
  /** How long to continue serving after a signal. */
  drainMs: number;
  /** Maximum time from a signal until everything has ended. */
  stopMs: number;
}

/** Part of the stop time reserved for aborting parts that have not ended by themselves. */
const CUT_OFF_MS = 500;
/** Time that work in flight has to finish after an uncaught error. */
const CRASH_MS = 5_000;
/** Ctrl-C arrives both from the terminal and from npm; within this time they count as one signal. */
const SAME_SIGNAL_MS = 1_000;

/** Thrown when a signal interrupts the start. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * Manages the lifetime of a server process. Ends started parts in reverse order: on SIGTERM and SIGINT after a drain,
 * with code 0; after an uncaught error at once, with code 1. A second signal, or exceeding the stop time, aborts
 * everything with code 1.
 *
 * After an uncaught error no new work is accepted, because the state of the process is unknown. Work in flight may
 * finish: it changes only the database, in atomic transactions.
 */
export function lifetime({ log, tell, drainMs, stopMs }: LifetimeOptions) {
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
        log.error(error, 'a component failed to stop');
        last.abandon?.();
      }
    }
  }

  async function end(servingForMs: number, limitMs: number): Promise<void> {
    endingSinceMs = performance.now();
    setTimeout(() => abandon('the stop time is exceeded; aborting the remaining work'), limitMs);
    await starting.catch(() => undefined);
    for (const { retire } of started) retire?.(servingForMs);
    await sleep(started.length > 0 ? servingForMs : 0);
    await unwind();
    if (code === 0) tell('Stopped.');
    process.exit(code);
  }

  function onSignal(signal: string): void {
    if (endingSinceMs === undefined) {
      tell(
        `Stopping${drainMs > 0 ? `, after ${drainMs / 1000} s in which requests are still served` : ''} ...`,
      );
      void end(drainMs, stopMs - CUT_OFF_MS);
    } else if (performance.now() - endingSinceMs > SAME_SIGNAL_MS) {
      abandon(`second ${signal}; aborting`);
    }
  }

  function onCrash(error: unknown): void {
    code = 1;
    log.fatal(error, 'uncaught exception');
    if (endingSinceMs === undefined) void end(0, CRASH_MS);
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  process.on('uncaughtException', onCrash);
  process.on('unhandledRejection', onCrash);

  return {
    /** Runs the start; ends the parts started so far when it fails or a signal interrupts it. */
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
     * Registers a part that was just started.
     * @throws Interrupted when the process is already ending
     */
    register(part: Started): void {
      started.push(part);
      this.throwIfEnding();
    },
    /**
     * Called while the start waits for something.
     * @throws Interrupted when the process is already ending
     */
    throwIfEnding(): void {
      if (endingSinceMs !== undefined) throw new Interrupted('a signal came during the start');
    },
  };
}

export type Lifetime = ReturnType<typeof lifetime>;
