import { LRUCache } from 'lru-cache';
import { DAY_MS, HOUR_MS } from './time.ts';

/** Whether this names a time zone of the IANA database. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const FIELDS = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const;
/** Making one takes fifty times as long as using it. Clients name zones in any letter case, hence the bound. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, ...FIELDS });
  formats.set(zone, format);
  return format;
}

/** How far the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
function offsetMs(atMs: number, zone: string): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day, hour, minute, second } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000;
}

/** Clocks are at most 14 hours ahead of UTC and 12 behind it: within this around a local midnight, as if it were UTC. */
const FARTHEST_MS = 15 * HOUR_MS;

/** The first instant of a local day, given by its midnight as if that were UTC. */
function firstInstantOf(midnightMs: number, zone: string): number {
  let beforeMs = midnightMs - FARTHEST_MS;
  let afterMs = midnightMs + FARTHEST_MS;
  const midnights = [beforeMs, afterMs]
    .map((atMs) => midnightMs - offsetMs(atMs, zone))
    .filter((atMs) => atMs + offsetMs(atMs, zone) === midnightMs);
  if (midnights.length > 0) return Math.min(...midnights);
  // The clocks go forward over midnight: the day begins when they do.
  while (afterMs - beforeMs > 1) {
    const middleMs = Math.floor((beforeMs + afterMs) / 2);
    if (middleMs + offsetMs(middleMs, zone) < midnightMs) beforeMs = middleMs;
    else afterMs = middleMs;
  }
  return afterMs;
}

/** When the day of an instant begins in a zone, or one so many days later. */
export function startOfDay(at: Date, zone: string, daysLater = 0): Date {
  const localMs = at.getTime() + offsetMs(at.getTime(), zone);
  const midnightMs = Math.floor(localMs / DAY_MS) * DAY_MS;
  return new Date(firstInstantOf(midnightMs + daysLater * DAY_MS, zone));
}

/** When the week of an instant, from Monday on, begins in a zone, or the next one. */
export function startOfWeek(at: Date, zone: string, weeksLater = 0): Date {
  const localDay = new Date(at.getTime() + offsetMs(at.getTime(), zone)).getUTCDay();
  return startOfDay(at, zone, -((localDay + 6) % 7) + 7 * weeksLater);
}

/** What the clocks of a zone show at an instant: ISO 8601 with their offset. */
export function localText(at: Date, zone: string): string {
  const offset = offsetMs(at.getTime(), zone);
  const sign = offset < 0 ? '-' : '+';
  const minutes = Math.abs(offset) / 60_000;
  const pad = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const shown = new Date(at.getTime() + offset).toISOString().slice(0, 19);
  return `${shown}${sign}${pad(minutes / 60)}:${pad(minutes % 60)}`;
}
