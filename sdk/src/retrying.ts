import type { PlatformError } from './errors.ts';
import type { Operation } from './operation.ts';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 8_000;
/** Who has to wait longer is told at once. */
const MAX_RETRY_AFTER_SECONDS = 60;

/**
 * Whether there may be an answer that did not arrive: the request may have taken effect. A page of somebody between us
 * and the platform counts, too.
 */
export const isLost = ({ kind, status }: PlatformError): boolean =>
  kind === 'offline' ||
  kind === 'timeout' ||
  status >= 500 ||
  status === 408 ||
  (kind === 'unreadable' && status < 300);

/** Whether a refusal is the answer to this request for good: repeating it would bring the same one. */
export const isFinal = ({ kind, status, code }: PlatformError): boolean =>
  kind === 'refused' &&
  status < 500 &&
  ![401, 408, 429].includes(status) &&
  code !== 'REQUEST_IN_PROGRESS' &&
  code !== 'IDEMPOTENCY_KEY_REUSED';

/** Returns how long to wait before the next attempt; undefined if there should be none. */
export function pauseBefore(
  error: PlatformError,
  { method }: Operation,
  attempt: { number: number; hasKey: boolean },
): number | undefined {
  const { status, code, retryAfter = 0 } = error;
  // What was refused for its number or because the first is still running has not taken effect.
  const isRefused = status === 429 || code === 'REQUEST_IN_PROGRESS';
  const isRepeatable = attempt.hasKey || method === 'GET' || method === 'PUT' || method === 'DELETE';
  if (!isRefused && !(isLost(error) && isRepeatable)) return undefined;
  if (retryAfter > MAX_RETRY_AFTER_SECONDS) return undefined;
  const jitterMs = Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt.number);
  return retryAfter * 1_000 + jitterMs;
}
