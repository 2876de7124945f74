import type { ServerResponse } from 'node:http';
import { serviceUnavailable } from '../../kernel/failures.ts';

/** Large bodies processed at the same time. */
const MAX_AT_ONCE = 2;
/** Maximum number of waiting bodies, each held in memory; further ones are refused at once. */
const MAX_WAITING = 20;
const MAX_WAIT_MS = 5_000;

/**
 * Returns a function that reads a large body in its turn; the turn lasts until the response has been sent. After each
 * read the next one waits for as long as it took, so that reading takes at most half of the process's time and other
 * requests are served in the other half.
 * `refuse` receives a 503 when too many wait, or the turn does not come in time.
 */
export function turnsOfLargeBodies() {
  const waiting: (() => void)[] = [];
  let working = 0;
  let isResting = false;

  function begin(response: ServerResponse, read: () => void): void {
    working++;
    response.once('close', () => {
      working--;
      next();
    });
    isResting = true;
    const startedMs = performance.now();
    try {
      read();
    } finally {
      setTimeout(() => {
        isResting = false;
        next();
      }, performance.now() - startedMs);
    }
  }

  function next(): void {
    if (!isResting && working < MAX_AT_ONCE) waiting.shift()?.();
  }

  return (response: ServerResponse, read: () => void, refuse: (failure: Error) => void): void => {
    if (waiting.length >= MAX_WAITING || response.closed) {
      refuse(serviceUnavailable());
      return;
    }
    const leave = (): void => {
      clearTimeout(timer);
      waiting.splice(waiting.indexOf(enter), 1);
    };
    const timer = setTimeout(() => {
      leave();
      response.off('close', leave);
      refuse(serviceUnavailable());
    }, MAX_WAIT_MS);
    const enter = (): void => {
      clearTimeout(timer);
      response.off('close', leave);
      begin(response, read);
    };
    response.once('close', leave);
    waiting.push(enter);
    next();
  };
}
