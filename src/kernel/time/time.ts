/** The program's source of time, which tests can set. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Returns the current instant as a date. */
  date(): Date;
  /**
   * Milliseconds since some instant, for what lasts a while within this process: unlike the time of day, which NTP or an
   * operator may set forward or back by hours, they only ever grow as time passes.
   */
  elapsedMs(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  date: () => new Date(),
  elapsedMs: () => performance.now(),
};

/** Returns a clock that changes only when it is set or advanced; for tests. */
export function manualClock(startMs = Date.now()): Omit<TravellingClock, 'offsetMs'> {
  let nowMs = startMs;
  let steppedMs = 0;
  return {
    now: () => nowMs,
    date: () => new Date(nowMs),
    elapsedMs: () => nowMs - steppedMs,
    advance: (ms) => {
      nowMs += ms;
    },
    set: (ms) => {
      nowMs = ms;
    },
    step: (ms) => {
      nowMs += ms;
      steppedMs += ms;
    },
  };
}

/** A clock that runs, and that can be moved on. */
export interface TravellingClock extends Clock {
  /** Milliseconds by which it is ahead of the clock below it. */
  offsetMs(): number;
  advance(ms: number): void;
  /** Moves it to an instant, from which it runs on. */
  set(ms: number): void;
  /** Sets the time of day forward or back, while no time passes, as NTP or an operator does. */
  step(ms: number): void;
}

/** Returns a clock that runs like another one, from an offset on; for development and tests. */
export function travellingClock(offsetMs = 0, base = systemClock): TravellingClock {
  let steppedMs = 0;
  return {
    now: () => base.now() + offsetMs,
    date: () => new Date(base.now() + offsetMs),
    elapsedMs: () => base.elapsedMs() + offsetMs - steppedMs,
    offsetMs: () => offsetMs,
    advance: (ms) => {
      offsetMs += ms;
    },
    set: (ms) => {
      offsetMs = ms - base.now();
    },
    step: (ms) => {
      offsetMs += ms;
      steppedMs += ms;
    },
  };
}

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(:(\d{2})(\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})?$/;

/** The syntax that {@link isInstant} accepts; the pattern cannot check the calendar. */
export const INSTANT_PATTERN =
  '^\\d{4}-\\d{2}-\\d{2}([Tt ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?([Zz]|[+-]\\d{2}:?\\d{2})?)?$';

/** Whether the text is an ISO 8601 date or datetime that exists in the calendar. */
export function isInstant(text: string): boolean {
  const day = DATE_ONLY.test(text) ? text : DATE_TIME.exec(text)?.[1];
  if (day === undefined) return false;
  const midnight = new Date(`${day}T00:00:00Z`);
  // JavaScript rolls 2025-02-30 over into March; here it is invalid input.
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return false;
  return day === text || !Number.isNaN(instantOf(text).getTime());
}

/**
 * The bounds of instants that are read. Clients send the first or last day of the calendar to mean "ever"; a day or a year
 * before or after these is still one that PostgreSQL and ISO 8601 write with four digits.
 */
const EARLIEST_MS = Date.UTC(1000, 0, 1);
const LATEST_MS = Date.UTC(9998, 11, 31);

/** Returns the first instant of a date or datetime, in UTC unless it names a zone, in the years 1000 to 9998. */
export function instantOf(text: string): Date {
  const zoned = /([Zz]|[+-]\d{2}:?\d{2})$/.test(text.slice(10)) ? text : `${text}Z`;
  const given = DATE_ONLY.test(text) ? `${text}T00:00:00.000Z` : zoned.replace(' ', 'T').toUpperCase();
  const ms = Date.parse(given);
  return new Date(Math.min(LATEST_MS, Math.max(EARLIEST_MS, ms)));
}

/** Returns the last instant of a date or datetime: for a date without a time, the end of that UTC day. */
export function endOf(text: string): Date {
  const start = instantOf(text);
  return DATE_ONLY.test(text) ? new Date(start.getTime() + DAY_MS - 1) : start;
}
