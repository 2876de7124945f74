import { PlatformError } from './errors.ts';
import { type HttpResponse, type Signal, within } from './host.ts';
import type { Answer, Operation } from './operation.ts';

/**
 * Sends a request once and returns the whole answer, or the failure for whatever is no success. Throws the signal's
 * reason when it is aborted.
 */
export const sendOnce = (
  ask: (limit: Signal) => Promise<HttpResponse>,
  { pages, read }: Operation,
  timeoutMs: number,
  signal: Signal | undefined,
): Promise<Answer | PlatformError> =>
  within(timeoutMs, signal, async (limit) => {
    let response: HttpResponse;
    let text: string;
    try {
      response = await ask(limit);
      text = await response.text();
    } catch (cause) {
      const kind = limit.aborted ? 'timeout' : 'offline';
      return new PlatformError({ message: 'No answer', kind, code: kind.toUpperCase(), cause });
    }
    const { headers, status } = response;
    const table = read?.(text, response);
    if (table) return table;
    let answer: Partial<Answer & Failure> = {};
    try {
      answer = Object.assign(JSON.parse(text), { isReplayed: !!headers.get('idempotent-replayed') });
    } catch {}
    const { success, error, message = error ?? 'No answer', errors: fields = [], errorId, meta } = answer;
    // A list that does not say how it goes on is no answer either.
    if (success && (!pages || answer.pagination)) return answer as Answer;
    return new PlatformError({
      message,
      kind: error ? 'refused' : 'unreadable',
      code: error ?? 'UNREADABLE_ANSWER',
      status,
      fields,
      errorId,
      requestId: headers.get('x-request-id') || undefined,
      retryAfter: meta?.retryAfter || Number(headers.get('retry-after')) || undefined,
    });
  });

interface Failure {
  error: string;
  errorId: string;
  errors: { field: string; message: string }[];
  meta: { retryAfter?: number };
}
