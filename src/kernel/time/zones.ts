import { LRUCache } from 'lru-cache';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './time.ts';

/** Whether the name is a time zone of the IANA database. */
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
/**
 * Creating a format takes fifty times as long as using it. Bounded, because clients may spell zone names in any letter
 * case.
 */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });

function formatOf(zone: string): Intl.DateTimeFormat {
  const remembered = formats.get(zone);
  if (remembered) return remembered;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, ...FIELDS });
  formats.set(zone, format);
  return format;
}

/** Returns the offset of a zone from UTC at an instant, in milliseconds; positive when it is ahead. */
function offsetMs(atMs: number, zone: string): number {
  if (zone === 'UTC') return 0;
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day, hour, minute, second } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000;
}

/**
 * Zones are at most 14 hours ahead of UTC and 12 behind it, so a local midnight is within this distance of the same
 * midnight in UTC.
 */
const FARTHEST_MS = 15 * HOUR_MS;

/** Returns the first instant of a local day, given the day's midnight as if in UTC. */
function firstInstantOf(midnightMs: number, zone: string): number {
  let beforeMs = midnightMs - FARTHEST_MS;
  let afterMs = midnightMs + FARTHEST_MS;
  const midnights = [beforeMs, afterMs]
    .map((atMs) => midnightMs - offsetMs(atMs, zone))
    .filter((atMs) => atMs + offsetMs(atMs, zone) === midnightMs);
  if (midnights.length > 0) return Math.min(...midnights);
  // The clocks go forward at midnight, so the day begins at the transition; find it by bisection.
  while (afterMs - beforeMs > 1) {
    const middleMs = Math.floor((beforeMs + afterMs) / 2);
    if (middleMs + offsetMs(middleMs, zone) < midnightMs) beforeMs = middleMs;
    else afterMs = middleMs;
  }
  return afterMs;
}

/** A part of each day in a time zone, in minutes from midnight: `from` is included, `to` is not, and may be the next day's. */
export interface DailyHours {
  from: number;
  to: number;
  zone: string;
}

/** Returns the end of the hours that contain an instant; undefined if it is outside of them. */
export function endOfHours(at: Date, { from, to, zone }: DailyHours): Date | undefined {
  const localMs = at.getTime() + offsetMs(at.getTime(), zone);
  const midnightMs = Math.floor(localMs / DAY_MS) * DAY_MS;
  const minute = (localMs - midnightMs) / MINUTE_MS;
  const isWithin = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!isWithin) return undefined;
  const daysLater = minute < to ? 0 : 1;
  const endMs = firstInstantOf(midnightMs + daysLater * DAY_MS + to * MINUTE_MS, zone);
  // When clocks go back and repeat an hour, the local time of the end occurs twice.
  return new Date(endMs > at.getTime() ? endMs : at.getTime() + (to - minute) * MINUTE_MS);
}

/** Returns when the day of an instant begins in a zone, or when the day `daysLater` days later begins. */
export function startOfDay(at: Date, zone: string, daysLater = 0): Date {
  const localMs = at.getTime() + offsetMs(at.getTime(), zone);
  const midnightMs = Math.floor(localMs / DAY_MS) * DAY_MS;
  return new Date(firstInstantOf(midnightMs + daysLater * DAY_MS, zone));
}

/**
 * Returns when the week of an instant begins (on Monday) in a zone, or when the week `weeksLater` weeks later begins.
 */
export function startOfWeek(at: Date, zone: string, weeksLater = 0): Date {
  const localDay = new Date(at.getTime() + offsetMs(at.getTime(), zone)).getUTCDay();
  return startOfDay(at, zone, -((localDay + 6) % 7) + 7 * weeksLater);
}

/** Returns the local date of a zone at an instant: `YYYY-MM-DD`. */
export function localDate(at: Date, zone: string): string {
  return new Date(at.getTime() + offsetMs(at.getTime(), zone)).toISOString().slice(0, 10);
}

/** Returns the local time of a zone at an instant: ISO 8601 with the offset. */
export function localText(at: Date, zone: string): string {
  const offset = offsetMs(at.getTime(), zone);
  const sign = offset < 0 ? '-' : '+';
  const minutes = Math.abs(offset) / 60_000;
  const pad = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const localTime = new Date(at.getTime() + offset).toISOString().slice(0, 19);
  return `${localTime}${sign}${pad(minutes / 60)}:${pad(minutes % 60)}`;
}
