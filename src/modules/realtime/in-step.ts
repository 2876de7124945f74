/**
 * Returns a function that resolves at once, or, when it last resolved less than `intervalMs` ago, together with all that
 * were called meanwhile. Callers that go on in step share the batches of what they ask the database for.
 */
export function inStep(intervalMs: number): () => Promise<void> {
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
