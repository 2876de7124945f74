import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time/time.ts';
import type { Received } from './posting.ts';
import type { Due, Outcome } from './sending.store.ts';

/** The pauses after the first attempt, the second and so on; after the last one a delivery has failed. */
export const PAUSES_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  8 * HOUR_MS,
  16 * HOUR_MS,
  24 * HOUR_MS,
];
const SPREAD = 0.2;
const GONE = 410;

/** Returns the wait that a `Retry-After` asks for, in seconds or as a date; at most a day, 0 without a valid one. */
export function askedMs(text: string | undefined, nowMs: number): number {
  if (text === undefined) return 0;
  const isSeconds = /^\d+$/.test(text.trim());
  const ms = isSeconds ? Number(text) * SECOND_MS : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), DAY_MS);
}

export const isSuccess = ({ status }: Received): boolean => status !== null && status >= 200 && status < 300;
export const isGone = ({ status }: Received): boolean => status === GONE;

const errorOf = ({ status, error }: Received): string =>
  error ??
  (status !== null && status >= 300 && status < 400 ? `redirected by ${status}` : `answered ${status}`);

/** Returns the state of a delivery after an attempt. @param chance from 0 to 1 */
export function outcomeOf(due: Due, received: Received, nowMs: number, chance: number): Outcome {
  const attempts = due.attempts + 1;
  const { status, ms, body } = received;
  const at = new Date(nowMs);
  const answer = status === null ? [] : [{ at: at.toISOString(), status, ms, body }];
  const common = {
    sequence: due.sequence,
    attemptsBefore: due.attempts,
    attempts,
    responseStatus: status,
    responseMs: status === null ? null : ms,
    responses: JSON.stringify(answer),
  };
  if (isSuccess(received))
    return { ...common, status: 'delivered', dueAt: null, lastError: null, deliveredAt: at };
  const pauseMs = PAUSES_MS[attempts - 1];
  const lastError = errorOf(received).slice(0, 200);
  if (pauseMs === undefined)
    return { ...common, status: 'failed', dueAt: null, lastError, deliveredAt: null };
  const spreadMs = pauseMs * (1 - SPREAD + 2 * SPREAD * chance);
  const dueAt = new Date(nowMs + Math.max(spreadMs, askedMs(received.retryAfter, nowMs)));
  return { ...common, status: 'pending', dueAt, lastError, deliveredAt: null };
}

/** A delivery whose event is no longer stored cannot be sent. */
export const expired = ({ sequence, attempts }: Due): Outcome => ({
  sequence,
  attemptsBefore: attempts,
  attempts,
  status: 'failed',
  dueAt: null,
  responseStatus: null,
  responseMs: null,
  lastError: 'the event is older than 30 days',
  responses: '[]',
  deliveredAt: null,
});
