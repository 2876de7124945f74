import { createHash } from 'node:crypto';

/** A statement that is sent this often within a minute is prepared. */
const FREQUENT = 50;
const MINUTE_MS = 60_000;

/** Returns the name under which to prepare a statement that is about to be sent; undefined for one to send as text. */
export type NameOf = (text: string) => string | undefined;

/**
 * Decides which statements of the queue to prepare. Half of the cost of enqueueing a job is parsing and planning its
 * statement; but the queue writes each queue's name into the text, and a prepared plan takes memory in every connection,
 * so only those of busy queues are worth it.
 */
export function frequentStatements(): NameOf {
  const sentOf = new Map<string, { count: number; sinceMs: number }>();
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const nowMs = performance.now();
    const sent = sentOf.get(text);
    if (!sent || nowMs - sent.sinceMs > MINUTE_MS) sentOf.set(text, { count: 1, sinceMs: nowMs });
    else if (++sent.count >= FREQUENT) {
      sentOf.delete(text);
      names.set(text, `queue.${createHash('sha256').update(text).digest('hex').slice(0, 24)}`);
    }
    return names.get(text);
  };
}
