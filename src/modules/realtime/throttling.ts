import { recentlyUsed } from '../../kernel/concurrency/recently-used.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Command } from '../../kernel/live/live-commands.ts';
import { type Clock, SECOND_MS } from '../../kernel/time/time.ts';

/** Members and keys that are remembered; whoever is forgotten has been silent for longer than all others. */
const MAX_REMEMBERED = 20_000;

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/**
 * Returns a function that says whether a member sends a command too soon after the previous one with the same key, or too
 * often altogether. It counts by member, since a member has many connections.
 */
export function throttling(clock: Clock) {
  const untilOf = recentlyUsed<string, number>(MAX_REMEMBERED);
  const bucketOf = recentlyUsed<string, Bucket>(MAX_REMEMBERED);

  function takesToken(name: string, perSecond: number, nowMs: number): boolean {
    const { tokens, filledAtMs } = bucketOf.get(name) ?? { tokens: perSecond, filledAtMs: nowMs };
    const filled = Math.min(perSecond, tokens + ((nowMs - filledAtMs) * perSecond) / SECOND_MS);
    bucketOf.set(name, { tokens: filled < 1 ? filled : filled - 1, filledAtMs: nowMs });
    return filled >= 1;
  }

  return (userId: ObjectId | undefined, { type, throttle }: Command, fields: object): boolean => {
    if (!throttle || userId === undefined) return false;
    const nowMs = clock.elapsedMs();
    const name = `${type} ${userId}`;
    const key = `${name} ${throttle.keyOf(fields)}`;
    if (nowMs < (untilOf.get(key) ?? Number.NEGATIVE_INFINITY)) return true;
    if (!takesToken(name, throttle.perSecond, nowMs)) return true;
    untilOf.set(key, nowMs + throttle.everyMs);
    return false;
  };
}
