/**
 * Returns a function that resolves at once, or, if it last resolved less than `intervalMs` ago, at the end of that
 * interval together with all other callers. Callers released together share database batches.
 */
export function releaseTogether(intervalMs: number): () => Promise<void> {
  let lastMs = Number.NEGATIVE_INFINITY;
  let next: Promise<void> | undefined;

  return () => {
    if (next) return next;
    const waitMs = lastMs + intervalMs - performance.now();
    if (waitMs <= 0) {
      lastMs = performance.now();
      return Promise.resolve();
    }
    next = new Promise((resolve) => {
      setTimeout(() => {
        lastMs = performance.now();
        next = undefined;
        resolve();
      }, waitMs);
    });
    return next;
  };
}
