import { SECOND_MS } from '../../kernel/time/time.ts';
import type { Connection } from './connection.ts';

/** Sustained rate of messages per connection and second. */
const RATE_PER_SECOND = 20;
/** Burst size: covers a client that reconnects with 128 subscriptions and resends a minute's hundred messages. */
const MAX_BURST = 256;

/** Counts a message of a connection; returns whether it is within the limit. */
export function takesToken(connection: Connection, elapsedMs: number): boolean {
  const refill = ((elapsedMs - connection.refilledAtMs) * RATE_PER_SECOND) / SECOND_MS;
  connection.tokens = Math.min(MAX_BURST, connection.tokens + refill);
  connection.refilledAtMs = elapsedMs;
  if (connection.tokens < 1) return false;
  connection.tokens--;
  return true;
}
