import { PlatformError } from './errors.ts';
import { type Fetch, type HttpResponse, type Signal, throwIfAborted, within } from './host.ts';
import type { Answer, Operation } from './operation.ts';

/** What goes out at one attempt. */
export interface Outgoing {
  method: string;
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
export function sendOnce(
  readFile: Operation['readFile'],
  { url, ...outgoing }: Outgoing,
  // Each on its own, since a browser's `fetch` must not be called as a method of another object.
  { fetch, timeoutMs, signal }: Ways,
): Promise<Answer> {
  return within(timeoutMs, signal, async (limit) => {
    let response: HttpResponse;
    let text: string;
    try {
      // A redirect would take the key and the token to whom it names, and make a GET of a POST.
      response = await fetch(url, { ...outgoing, redirect: 'error', signal: limit });
      text = await response.text();
    } catch (error) {
      throwIfAborted(signal);
      const kind = limit.aborted ? 'timeout' : 'offline';
      throw new PlatformError('No answer', { kind, code: kind.toUpperCase() }, error);
    }
    return answerOf(response, text, readFile);
  });
}

function answerOf(response: HttpResponse, text: string, readFile: Operation['readFile']): Answer {
  const { status, headers } = response;
  let answer: Partial<Answer | Failure> | undefined;
  try {
    // An empty answer may be a success, too.
    answer =
      status === 204 ? { success: true, data: null } : (readFile?.(response, text) ?? JSON.parse(text));
  } catch {}
  if (answer?.success) return { ...(answer as Answer), isReplayed: !!headers.get('idempotent-replayed') };
  const { error, message, errors, errorId, meta } = (answer ?? {}) as Partial<Failure>;
  throw new PlatformError(message ?? error ?? 'No answer of the platform', {
    kind: error ? 'refused' : 'unreadable',
    code: error ?? 'UNREADABLE_ANSWER',
    status,
    fields: errors ?? [],
    errorId,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: meta?.retryAfter ?? (Number(headers.get('retry-after')) || undefined),
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
