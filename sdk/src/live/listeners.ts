import { PlatformError } from '../errors.ts';
import { tell } from '../host.ts';

/** Events that wait for a slow reader of an iteration; beyond that the iteration ends. */
const MAX_WAITING = 10_000;

/** Who wants to hear of events. */
export interface Listeners<Event> {
  add(listener: (event: Event) => void): () => void;
  emit(event: Event): void;
  /** Ends all iterations: without an error they are over, with one they throw it. */
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
    // A listener of its own each time, so that one function may listen twice.
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
          new PlatformError('Events were not read fast enough', { kind: 'client', code: 'TOO_SLOW' }),
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
    return {
      async next() {
        while (waiting.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve));
        if (waiting.length > 0) return { done: false, value: waiting.shift() as Event };
        if (failure === undefined) return { done: true, value: undefined };
        const error = failure;
        failure = undefined;
        throw error;
      },
      async return() {
        iteration.end();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  function end(error?: unknown): void {
    for (const iteration of [...iterations]) iteration.end(error);
  }

  return {
    add,
    iterate,
    emit: (event) => {
      for (const listener of [...listeners]) tell(listener, event);
    },
    end,
    clear: () => {
      end();
      listeners.clear();
    },
  };
}
