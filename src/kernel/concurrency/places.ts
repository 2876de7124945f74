import { serviceUnavailable } from '../failures.ts';

/** Takes a place; resolves to a function that frees it again. */
export type TakePlace = (signal?: AbortSignal) => Promise<() => void>;

/**
 * Admits a bounded number of callers at once, and has a bounded number of others wait, in their order. A caller is
 * rejected with a 503 if too many wait, and with `whenAborted` if its signal ends its waiting.
 */
export function places(count: number, maxWaiting: number, whenAborted: () => Error): TakePlace {
  let taken = 0;
  const waiting: (() => void)[] = [];
  const free = (): void => {
    const next = waiting.shift();
    if (next) next();
    else taken--;
  };
  return (signal) => {
    if (signal?.aborted) return Promise.reject(whenAborted());
    if (taken < count) {
      taken++;
      return Promise.resolve(free);
    }
    if (waiting.length >= maxWaiting) return Promise.reject(serviceUnavailable());
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve(free);
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
