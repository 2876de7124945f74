import { DAY_MS } from './time.ts';

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

/** How far the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
function offsetMs(atMs: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    },
  } as const);
  const parts = Object.fromEntries(
    format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day, hour, minute, second } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000;
}

/** The instant when the clocks of a zone show this, given as if it were UTC. */
function instantOfLocal(localMs: number, zone: string): number {
  const first = localMs - offsetMs(localMs, zone);
  // Near a change of the clocks the first guess is off by it.
  return localMs - offsetMs(first, zone);
}

/** When the day of an instant begins in a zone, or one so many days later. */
export function startOfDay(at: Date, zone: string, daysLater = 0): Date {
  const localMs = at.getTime() + offsetMs(at.getTime(), zone);
  const midnight = Math.floor(localMs / DAY_MS) * DAY_MS;
  return new Date(instantOfLocal(midnight + daysLater * DAY_MS, zone));
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
