import { setImmediate } from 'node:timers/promises';

/**
 * Settles as the work does, or rejects after so many milliseconds. The work itself goes on. What had arrived by then counts
 * even if this process was too busy to look at it.
 */
export async function withinTime<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(async () => {
      await setImmediate();
      reject(new Error(`no answer within ${ms} ms`));
    }, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
