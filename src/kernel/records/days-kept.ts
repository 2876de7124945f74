import { integer, type Setting } from '../settings.ts';

/** How long rows are kept: a number of days, or for ever. */
export type DaysKept = number | 'keep';

/** A number of days after which rows are deleted, or `keep`. */
export const daysKept = (
  variable: string,
  fallback: DaysKept,
  range: [number, number],
  about: string,
): Setting<DaysKept> => ({
  variable,
  about: `${about}; keep for ever with keep`,
  example: String(fallback),
  read: (given = String(fallback)) =>
    given === 'keep' ? given : integer(variable, 0, range, about).read(given),
});
