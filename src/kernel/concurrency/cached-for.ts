/** Caches the result of `read` for `forMs` milliseconds and shares one call among concurrent callers. */
export function cachedFor<T>(ttlMs: number, read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (reading === undefined || performance.now() - readAtMs >= ttlMs) {
      readAtMs = Number.POSITIVE_INFINITY; // while it is being read
      reading = read().finally(() => {
        readAtMs = performance.now();
      });
    }
    return reading;
  };
}
