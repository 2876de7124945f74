import { type Facts, type FailureMeta, PlatformError } from './errors.ts';
import { type HttpResponse, type Signal, within } from './host.ts';
import type { Answer, Operation } from './operation.ts';

/**
 * Sends a request once and returns the whole response; anything but a success is returned as a failure. Throws the
 * signal's reason when it is aborted.
 */
export async function sendOnce(
  ask: (limit: Signal) => Promise<HttpResponse>,
  operation: Operation,
  timeoutMs: number,
  signal: Signal | undefined,
): Promise<Answer | PlatformError> {
  let table: Answer | undefined;
  let answer: Partial<Omit<Answer, 'meta'> & Failure> = {};
  let status = 0;
  let kind: Facts['kind'] = 'timeout';
  let cause: unknown;
  let headers: HttpResponse['headers'] | undefined;
  await within(timeoutMs, signal, async (limit) => {
    try {
      const response = await ask(limit);
      const text = await response.text();
      ({ headers, status } = response);
      table = operation.read?.(text, response);
      answer = { ...JSON.parse(text), isReplayed: !!headers.get('idempotent-replayed') };
    } catch (thrown) {
      cause = thrown;
      if (!limit.aborted) kind = 'offline';
    }
  });
  // A proxy may also answer with JSON, but without all parts of the envelope.
  if (
    answer.success &&
    answer.meta &&
    answer.data !== undefined &&
    (!operation.pages || (answer.pagination && Array.isArray(answer.data)))
  )
    return answer as Answer;
  const error = answer.meta && answer.error;
  if (error) kind = 'refused';
  else if (status) kind = 'unreadable';
  return (
    table ??
    new PlatformError({
      message: answer.message ?? 'No answer',
      kind,
      code: error ?? (status ? 'UNREADABLE_ANSWER' : kind.toUpperCase()),
      cause,
      status,
      fields: answer.errors ?? [],
      meta: answer.meta,
      errorId: answer.errorId,
      requestId: headers?.get('x-request-id') || undefined,
      retryAfter: Number(headers?.get('retry-after')) || undefined,
    })
  );
}

interface Failure {
  error: string;
  errorId: string;
  meta: FailureMeta;
  errors: { field: string; message: string }[];
}
