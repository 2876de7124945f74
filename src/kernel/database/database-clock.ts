import { type Clock, MINUTE_MS, systemClock } from '../time/time.ts';
import type { Database } from './database.ts';

/** Smaller differences are those of the network and of clocks in step; to follow them would make time jump about. */
const MIN_DIFFERENCE_MS = 500;

export interface DatabaseClock extends Clock {
  /** Milliseconds by which the database is ahead of this process. */
  offsetMs(): number;
  /** Compares the clocks now; keeps the known difference while the database cannot be reached. */
  compare(): Promise<void>;
  stop(): void;
}

/**
 * Returns a clock that shows the time of the database, so that processes whose own clocks differ agree about what is due,
 * leased or expired. The clocks are compared at first and then once a minute.
 * @param onDifference is called with the difference whenever the clock begins to follow another one
 */
export async function databaseClock(
  database: Pick<Database, 'first'>,
  onDifference: (offsetMs: number) => void,
  own: Clock = systemClock,
): Promise<DatabaseClock> {
  let offsetMs = 0;

  /** Returns the difference, and by how much it may be wrong: by half of the time that the answer took. */
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
    offsetMs: () => offsetMs,
    compare,
    stop: () => clearInterval(comparing),
  };
}

/** Returns a clock that follows no database, such as one that tests set. */
export const independentClock = (clock: Clock): DatabaseClock => ({
  now: () => clock.now(),
  date: () => clock.date(),
  offsetMs: () => 0,
  compare: async () => undefined,
  stop: () => undefined,
});
