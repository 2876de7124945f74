import { SECOND_MS } from '../../kernel/time.ts';
import type { Connection } from './connection.ts';

/** Messages of one connection a second, in the long run. */
const RATE_PER_SECOND = 20;
/** At once: what a client sends that comes back to 128 subscriptions and repeats a minute's hundred messages, and more. */
const MAX_BURST = 256;

/** Counts one more message of a connection. Returns whether it is within what a connection may send. */
export function takesToken(connection: Connection, nowMs: number): boolean {
  const refill = ((nowMs - connection.refilledAtMs) * RATE_PER_SECOND) / SECOND_MS;
  connection.tokens = Math.min(MAX_BURST, connection.tokens + refill);
  connection.refilledAtMs = nowMs;
  if (connection.tokens < 1) return false;
  connection.tokens--;
  return true;
}
