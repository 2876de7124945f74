export interface Watching {
  /** Subscribes to the prices of symbols; the returned function ends that. */
  watch(symbols: string[]): () => void;
  /** Subscribes to everything again, after a reconnect. */
  renew(): void;
  clear(): void;
}

/**
 * The symbols whose prices the program watches. Every call of `watch` is renewed on its own, because the platform refuses
 * a subscription as a whole: one with a wrong symbol must not end the others.
 */
export function watchingOf(
  subscribe: (symbols: string[]) => void,
  send: (message: object) => void,
): Watching {
  /** In the order of the calls, so that the platform accepts the same ones again. */
  const watches = new Set<string[]>();

  return {
    watch(symbols) {
      // As the platform calls them.
      const mine = symbols.map((name) => name.toUpperCase());
      watches.add(mine);
      subscribe(mine);
      return () => {
        if (!watches.delete(mine)) return;
        const others = [...watches].flat();
        const ended = mine.filter((name) => !others.includes(name));
        if (ended.length > 0) send({ type: 'unsubscribe', channel: 'market', symbols: ended });
      };
    },
    renew() {
      // A program may have watched the same symbols many times.
      const texts = new Set([...watches].map((symbols) => JSON.stringify(symbols)));
      for (const text of texts) subscribe(JSON.parse(text));
    },
    clear: () => watches.clear(),
  };
}
