import { DAY_MS, MINUTE_MS } from './time.ts';

/** Far enough for the 29th of February on a given day of the week, which recurs within 40 years. */
const MOST_DAYS = 41 * 366;

/** Returns the values that a field of a cron expression selects: numbers, ranges, steps, or a list of these. */
function valuesOf(field: string, [least, most]: readonly [number, number]): Set<number> {
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const [range = '', step = '1'] = part.split('/');
    const [from = least, to = part.includes('/') ? most : from] =
      range === '*' ? [least, most] : range.split('-').map(Number);
    for (let value = from; value <= to; value += Number(step)) values.add(value);
  }
  return values;
}

/**
 * Returns the first time after an instant at which a schedule of five cron fields with numbers is due, in UTC; undefined
 * if there is none.
 */
export function nextRunOf(cron: string, after: Date): Date | undefined {
  const [minute = '*', hour = '*', dayOfMonth = '*', month = '*', dayOfWeek = '*'] = cron.trim().split(/\s+/);
  const [minutes, hours] = [valuesOf(minute, [0, 59]), valuesOf(hour, [0, 23])];
  const [days, months] = [valuesOf(dayOfMonth, [1, 31]), valuesOf(month, [1, 12])];
  // Sunday is 0 and 7.
  const weekdays = new Set([...valuesOf(dayOfWeek, [0, 7])].map((day) => day % 7));
  const isDue = (day: Date): boolean => {
    const [inMonth, inWeek] = [days.has(day.getUTCDate()), weekdays.has(day.getUTCDay())];
    // If both are given, either is enough.
    const fits = dayOfMonth !== '*' && dayOfWeek !== '*' ? inMonth || inWeek : inMonth && inWeek;
    return fits && months.has(day.getUTCMonth() + 1);
  };
  const first = Math.floor(after.getTime() / DAY_MS) * DAY_MS;
  for (let day = 0; day < MOST_DAYS; day++) {
    const midnight = first + day * DAY_MS;
    if (!isDue(new Date(midnight))) continue;
    const inDay = [...hours].flatMap((at) =>
      [...minutes].map((past) => midnight + (at * 60 + past) * MINUTE_MS),
    );
    const next = Math.min(...inDay.filter((at) => at > after.getTime()));
    if (next !== Number.POSITIVE_INFINITY) return new Date(next);
  }
  return undefined;
}
