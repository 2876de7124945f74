import { type Clock, MINUTE_MS, systemClock } from '../time/time.ts';
import type { Database } from './database.ts';

/** Smaller differences are within network latency and the accuracy of NTP; following them would make time jitter. */
const MIN_DIFFERENCE_MS = 500;

export interface DatabaseClock extends Clock {
  /** Milliseconds by which the database is ahead of this process. */
  offsetMs(): number;
  /** Measures the offset now; keeps the last one while the database cannot be reached. */
  compare(): Promise<void>;
  stop(): void;
}

/**
 * Returns a clock that follows the time of the database, so that processes with different system clocks agree about
 * what is due, leased or expired. The offset is measured at the start and then once a minute.
 * @param onDifference called with the offset whenever the clock changes it
 */
export async function databaseClock(
  database: Pick<Database, 'first'>,
  onDifference: (offsetMs: number) => void,
  own: Clock = systemClock,
): Promise<DatabaseClock> {
  let offsetMs = 0;

  /** Returns the offset and its maximum error, which is half of the round trip. */
  async function measure(): Promise<{ measuredMs: number; errorMs: number }> {
    const sentMs = own.now();
    const row = await database.first<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    );
    const errorMs = (own.now() - sentMs) / 2;
    return { measuredMs: Math.round((row?.ms ?? sentMs) - sentMs - errorMs), errorMs };
  }

  function follow({ measuredMs, errorMs }: Awaited<ReturnType<typeof measure>>): void {
    if (Math.abs(measuredMs - offsetMs) < MIN_DIFFERENCE_MS + errorMs) return;
    offsetMs = measuredMs;
    onDifference(offsetMs);
  }

  const compare = (): Promise<void> => measure().then(follow, () => undefined);
  follow(await measure());
  const comparing = setInterval(() => void compare(), MINUTE_MS).unref();
  return {
    now: () => own.now() + offsetMs,
    date: () => new Date(own.now() + offsetMs),
    elapsedMs: () => own.elapsedMs(),
    offsetMs: () => offsetMs,
    compare,
    stop: () => clearInterval(comparing),
  };
}

/** Returns the clock moved on by so many milliseconds, for development; it still follows its database. */
export const movedOn = (clock: DatabaseClock, byMs: () => number): DatabaseClock => ({
  ...clock,
  now: () => clock.now() + byMs(),
  date: () => new Date(clock.now() + byMs()),
  elapsedMs: () => clock.elapsedMs() + byMs(),
});

/** Returns a clock that follows no database, such as a manual clock in tests. */
export const independentClock = (clock: Clock): DatabaseClock => ({
  now: () => clock.now(),
  date: () => clock.date(),
  elapsedMs: () => clock.elapsedMs(),
  offsetMs: () => 0,
  compare: async () => undefined,
  stop: () => undefined,
});
