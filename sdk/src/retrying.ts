import type { Facts } from './errors.ts';
import type { Operation } from './operation.ts';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 8_000;
/** Who has to wait longer is told at once. */
const MAX_RETRY_AFTER_SECONDS = 60;

interface Failure extends Pick<Facts, 'kind' | 'code'> {
  status: number;
  retryAfter: number | undefined;
}

/**
 * Whether there may be an answer that did not arrive: the request may have taken effect. A page of somebody between us
 * and the platform counts, too. Without an answer, the status is 0.
 */
export const isLost = ({ kind, status }: Failure): boolean =>
  status >= 500 || status === 408 || (kind !== 'refused' && status < 300);

/** Whether it has not taken effect: there were too many requests, or the first one with its key still runs. */
const isPostponed = ({ status, code }: Failure): boolean => status === 429 || code === 'REQUEST_IN_PROGRESS';

/** Whether a refusal is the answer to this request for good: repeating it would bring the same one. */
export const isFinal = (error: Failure): boolean =>
  error.kind === 'refused' &&
  error.status !== 401 &&
  error.code !== 'IDEMPOTENCY_KEY_REUSED' &&
  !isLost(error) &&
  !isPostponed(error);

/**
 * Returns how long to wait before another attempt after so many; undefined if there should be none. `isSafe` tells that
 * the request takes effect once however often it is sent.
 */
export function pauseBefore(
  error: Failure,
  { method }: Operation,
  { attempts, isSafe }: { attempts: number; isSafe: boolean },
): number | undefined {
  const { retryAfter = 0 } = error;
  const isRepeatable =
    isPostponed(error) || (isLost(error) && (isSafe || ['GET', 'PUT', 'DELETE'].includes(method)));
  if (!isRepeatable || retryAfter > MAX_RETRY_AFTER_SECONDS) return undefined;
  return retryAfter * 1_000 + Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempts);
}
