import type { PlatformError } from '../errors.ts';

export interface Watching {
  /** Subscribes to the prices of symbols; the returned function ends that. */
  watch(symbols: string[]): () => void;
  /** Subscribes to everything again, after a reconnect. */
  renew(): void;
  clear(): void;
}

/** Refusals of the symbols themselves: the platform ends the channel of a client that repeats them often. */
const FINAL = ['VALIDATION_FAILED', 'TOO_MANY_SYMBOLS'];

/**
 * The symbols whose prices the program watches. Every call of `watch` is renewed on its own, because the platform
 * refuses a subscription as a whole: one with a wrong symbol must not end the others.
 */
export function watchingOf(
  subscribe: (symbols: string[], refused: (error: PlatformError) => void) => void,
  send: (message: object) => void,
): Watching {
  const watches = new Set<string[]>();

  function ask(symbols: string[]): void {
    subscribe(symbols, ({ code }) => {
      if (FINAL.includes(code)) watches.delete(symbols);
    });
  }

  return {
    watch(symbols) {
      // As the platform calls them.
      const mine = symbols.map((name) => name.toUpperCase());
      watches.add(mine);
      ask(mine);
      return () => {
        if (!watches.delete(mine)) return;
        const others = [...watches].flat();
        const ended = mine.filter((name) => !others.includes(name));
        if (ended.length > 0) send({ type: 'unsubscribe', channel: 'market', symbols: ended });
      };
    },
    renew() {
      // A program may have watched the same symbols many times.
      new Map([...watches].map((symbols) => [String(symbols), symbols])).forEach(ask);
    },
    clear: () => watches.clear(),
  };
}
