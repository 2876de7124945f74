import { serviceUnavailable } from '../failures.ts';

/** Acquires the semaphore; resolves to a function that releases it. */
export type Acquire = (signal?: AbortSignal) => Promise<() => void>;

/**
 * Returns a semaphore of `count` permits with a bounded queue in order of arrival. A caller is rejected with 503 if the
 * queue is full, and with `whenAborted` if its signal aborts while it waits.
 */
export function semaphore(count: number, maxWaiting: number, whenAborted: () => Error): Acquire {
  let taken = 0;
  const waiting: (() => void)[] = [];
  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else taken--;
  };
  return (signal) => {
    if (signal?.aborted) return Promise.reject(whenAborted());
    if (taken < count) {
      taken++;
      return Promise.resolve(release);
    }
    if (waiting.length >= maxWaiting) return Promise.reject(serviceUnavailable());
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve(release);
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(whenAborted());
      };
      waiting.push(begin);
      signal?.addEventListener('abort', leave, { once: true });
    });
  };
}
