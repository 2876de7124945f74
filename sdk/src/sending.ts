import { PlatformError } from './errors.ts';
import { abortOf, type Fetch, type HttpResponse, host, type Signal } from './host.ts';
import type { Operation } from './operation.ts';

/** A whole answer of the platform, as it came. */
export interface Answer {
  success: true;
  status: number;
  message: string;
  data: unknown;
  meta: { timestamp: string; version: string; ignored?: string[] };
  pagination?: { page: number; limit: number; total: number; pages: number };
  /** Whether it is the stored answer to an earlier request with the same Idempotency-Key. */
  isReplayed: boolean;
}

/** What goes out at one attempt. */
export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

interface Ways {
  fetch: Fetch;
  timeoutMs: number;
  signal?: Signal | undefined;
}

/**
 * Sends a request once and reads the whole answer. Throws a {@link PlatformError} for whatever is no success, and the
 * signal's reason when it is aborted.
 */
export async function sendOnce(
  operation: Operation,
  { url, ...rest }: Outgoing,
  ways: Ways,
): Promise<Answer> {
  // Taken out of its object, since a browser's `fetch` must not be called as a method of another one.
  const { fetch, signal, timeoutMs } = ways;
  if (signal?.aborted) throw abortOf(signal);
  const controller = new host.AbortController();
  const abort = () => controller.abort();
  let isLate = false;
  const timer = host.setTimeout(() => {
    isLate = true;
    abort();
  }, timeoutMs);
  signal?.addEventListener('abort', abort);
  try {
    const response = await fetch(url, { method: operation.method, ...rest, signal: controller.signal });
    return answerOf(operation, response, await response.text());
  } catch (error) {
    if (error instanceof PlatformError) throw error;
    if (signal?.aborted) throw abortOf(signal);
    const operationId = { operation: operation.id, cause: error };
    throw isLate
      ? new PlatformError(`No answer within ${timeoutMs} ms`, {
          kind: 'timeout',
          code: 'TIMEOUT',
          ...operationId,
        })
      : new PlatformError('No answer', { kind: 'offline', code: 'OFFLINE', ...operationId });
  } finally {
    host.clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function answerOf(operation: Operation, { status, headers }: HttpResponse, text: string): Answer {
  const isReplayed = headers.get('idempotent-replayed') === 'true';
  // Some operations answer a file on request.
  if (status < 300 && headers.get('content-type')?.startsWith('text/csv'))
    return {
      success: true,
      status,
      message: 'OK',
      data: text,
      meta: { timestamp: '', version: '' },
      isReplayed,
    };
  const facts = {
    status,
    operation: operation.id,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: Number(headers.get('retry-after')) || undefined,
  };
  let answer: (Answer & { success: boolean }) | Failure | undefined;
  try {
    answer = JSON.parse(text);
  } catch {}
  if (answer?.success === true) return { ...answer, isReplayed };
  if (typeof (answer as Failure | undefined)?.error !== 'string')
    throw new PlatformError('An answer that is none of the platform', {
      ...facts,
      kind: 'unreadable',
      code: 'UNREADABLE_ANSWER',
    });
  const { message, error, errors = [], errorId, meta } = answer as Failure;
  const retryAfter = meta?.retryAfter ?? facts.retryAfter;
  throw new PlatformError(message, {
    ...facts,
    kind: 'refused',
    code: error,
    fields: errors,
    errorId,
    retryAfter,
  });
}

interface Failure {
  success: false;
  message: string;
  error: string;
  errorId: string;
  errors?: { field: string; message: string }[];
  meta?: { retryAfter?: number };
}
