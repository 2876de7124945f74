import { PlatformError } from '../errors.ts';
import { tell } from '../host.ts';

/** Maximum number of events that wait for a slow reader of an iteration; beyond it the iteration fails. */
const MAX_WAITING = 10_000;

/** The listeners of events. */
export interface Listeners<Event> {
  add(listener: (event: Event) => void): () => void;
  /** How many listeners there are. */
  size(): number;
  emit(event: Event): void;
  /** Ends all iterations; given an error, they throw it. */
  end(error?: unknown): void;
  /** Ends all iterations, and forgets all listeners. */
  clear(): void;
  iterate(): AsyncIterableIterator<Event>;
}

interface Iteration {
  end(error?: unknown): void;
}

export function listenersOf<Event>(): Listeners<Event> {
  const listeners = new Set<(event: Event) => void>();
  const iterations = new Set<Iteration>();

  function add(listener: (event: Event) => void): () => void {
    // Each registration gets an object of its own, so that one function may be registered twice.
    const own = (event: Event) => listener(event);
    listeners.add(own);
    return () => listeners.delete(own);
  }

  function iterate(): AsyncIterableIterator<Event> {
    const waiting: Event[] = [];
    let isOver = false;
    let failure: unknown;
    let wake: () => void = () => undefined;
    const stop = add((event) => {
      if (waiting.push(event) > MAX_WAITING)
        iteration.end(
          new PlatformError({
            message: 'Events were not read fast enough',
            kind: 'client',
            code: 'TOO_SLOW',
          }),
        );
      wake();
    });
    const iteration: Iteration = {
      end(error) {
        isOver = true;
        failure ??= error;
        stop();
        iterations.delete(iteration);
        wake();
      },
    };
    iterations.add(iteration);
    async function* events(): AsyncGenerator<Event, undefined> {
      try {
        for (;;)
          if (waiting.length > 0) yield waiting.shift() as Event;
          else if (isOver) break;
          else await new Promise<void>((resolve) => (wake = resolve));
      } finally {
        iteration.end();
      }
      if (failure !== undefined) throw failure;
      return undefined;
    }
    return events();
  }

  function end(error?: unknown): void {
    for (const iteration of [...iterations]) iteration.end(error);
  }

  return {
    add,
    size: () => listeners.size,
    iterate,
    emit: (event) => tell([...listeners], event),
    end,
    clear: () => {
      end();
      listeners.clear();
    },
  };
}
