import { clientDisconnected, type LaneQueries } from '../../kernel/database/lanes.ts';
import type { Queries } from '../../kernel/database/queries.ts';

interface Waiting {
  answer: Promise<unknown>;
  callers: number;
  controller: AbortController;
}

/** Requests a result; the signal aborts when no caller waits for it any longer. */
type Work<T> = (queries: Queries, signal: AbortSignal) => Promise<T>;

/**
 * Shares answers among concurrent callers: a caller whose query is already queued waits for the same answer. A query
 * that is already running is not shared, because its snapshot may be older than the caller's last write. A query is
 * aborted when all of its callers have disconnected.
 */
export function sharedQueries({ run }: Pick<LaneQueries, 'run'>) {
  const waiting = new Map<string, Waiting>();

  function begin(key: string, work: Work<unknown>): Waiting {
    const controller = new AbortController();
    const forget = (): void => {
      if (waiting.get(key) === question) waiting.delete(key);
    };
    const answer = run((queries) => {
      forget();
      return work(queries, controller.signal);
    }, controller.signal).finally(forget);
    const question: Waiting = { answer, callers: 0, controller };
    answer.catch(() => undefined); // callers receive the rejection, if any are left
    waiting.set(key, question);
    return question;
  }

  return async <T>(key: string, work: Work<T>, disconnected: AbortSignal): Promise<T> => {
    const question = waiting.get(key) ?? begin(key, work);
    question.callers++;
    const leaving = Promise.withResolvers<never>();
    const leave = (): void => {
      question.callers--;
      if (question.callers === 0) {
        if (waiting.get(key) === question) waiting.delete(key);
        question.controller.abort();
      }
      leaving.reject(clientDisconnected());
    };
    disconnected.addEventListener('abort', leave, { once: true });
    if (disconnected.aborted) leave();
    try {
      return (await Promise.race([question.answer, leaving.promise])) as T;
    } finally {
      disconnected.removeEventListener('abort', leave);
    }
  };
}

export type RunQuery = ReturnType<typeof sharedQueries>;
