import type { Notification } from '../generated/wire.ts';
import type { Incoming } from './connection.ts';

/** Notifications are listed by their time, but one may be stored a moment after a newer one. */
const OVERLAP_MS = 60_000;
/** Maximum number of notifications that are fetched after a reconnect, the newest ones, and of ids that are remembered. */
const MAX_MISSED = 1_000;

export interface Missed {
  /** Called whenever the platform has subscribed the member to notifications, with its answer. */
  subscribed(data: Incoming['data']): void;
  receive(message: Incoming): void;
  clear(): void;
}

/**
 * Delivers every notification once and in order: after a reconnect, first those that were missed, and meanwhile holds
 * back new ones.
 * @param newestFirst lists the member's notifications
 */
export function missedOf(
  newestFirst: () => AsyncIterable<Notification>,
  tell: (message: Incoming) => void,
): Missed {
  /** When the first subscription began; what is older was not missed. In milliseconds of the platform, as all times here. */
  let start = 0;
  /** Until when nothing is missing. */
  let reached = 0;
  let isBehind = false;
  let held: Incoming[] | undefined;
  let round = 0;
  const known = new Set<string>();

  function give(message: Incoming): void {
    const { id } = message.data;
    if (known.has(id)) return;
    known.add(id);
    if (known.size > MAX_MISSED) known.delete(known.values().next().value as string);
    tell(message);
  }

  async function readMissed(): Promise<Incoming[]> {
    const missed: Incoming[] = [];
    for await (const data of newestFirst()) {
      const at = Date.parse(data.createdAt);
      if (at < start || at < reached - OVERLAP_MS || missed.length === MAX_MISSED) break;
      missed.unshift({ type: 'notification:new', data });
    }
    return missed;
  }

  async function catchUp(until: number): Promise<void> {
    const mine = ++round;
    held ??= [];
    const missed = await readMissed().catch(() => undefined);
    // The connection was lost again, and all of it is read once more.
    if (mine !== round) return;
    const later = held;
    held = undefined;
    // Otherwise the next reconnect tries again.
    isBehind = !missed;
    if (missed) reached = until;
    [...(missed ?? []), ...later].forEach(give);
  }

  return {
    subscribed({ timestamp }) {
      const at = Date.parse(timestamp);
      if (start > 0) void catchUp(at);
      else if (at > 0) start = reached = at;
    },
    receive(message) {
      if (held) held.push(message);
      else {
        if (!isBehind) reached = Math.max(reached, Date.parse(message.data.createdAt) || 0);
        give(message);
      }
    },
    clear() {
      round++;
      start = reached = 0;
      isBehind = false;
      held = undefined;
      known.clear();
    },
  };
}
