import { type FieldFault, validationFailed } from '../failures.ts';
import { endOf, instantOf, isInstant } from '../time/time.ts';

/** The names of two parameters of a query, or fields of a body, between which a period lies. */
type Period = readonly [from: string, to: string];

const PERIODS: Period[] = [
  ['startDate', 'endDate'],
  ['from', 'to'],
  ['createdFrom', 'createdTo'],
];

/** Returns the periods of which the beginning and the end are among these names of parameters or fields. */
export const periodsAmong = (names: Set<string>): Period[] =>
  PERIODS.filter((period) => period.every((name) => names.has(name)));

/** Returns the fault of a period that ends before it begins; values that are no dates are left to their shapes. */
export function periodFaults(input: Record<string, unknown>, [from, to]: Period): FieldFault[] {
  const [start, end] = [input[from], input[to]];
  if (!isDate(start) || !isDate(end) || instantOf(start) <= endOf(end)) return [];
  return [{ field: from, message: `must not be after ${to}` }];
}

const isDate = (value: unknown): value is string => typeof value === 'string' && isInstant(value);

/**
 * Returns the period from `startDate` to `endDate`, both inclusive; a date-only end includes that whole day.
 * @throws 422 when the end precedes the start
 */
export function periodOf({ startDate, endDate }: { startDate?: string; endDate?: string }): {
  from?: Date;
  to?: Date;
} {
  const from = startDate === undefined ? undefined : instantOf(startDate);
  const to = endDate === undefined ? undefined : endOf(endDate);
  if (from && to && from > to) {
    throw validationFailed([{ field: 'startDate', message: 'must not be after endDate' }]);
  }
  return { from, to };
}

/**
 * Returns the period between `from` and `to`, both inclusive; a date-only end includes that whole day.
 * @throws 422 when the end precedes the start
 */
export function boundsOf({ from, to }: { from?: string | undefined; to?: string | undefined }): {
  from?: Date;
  to?: Date;
} {
  const bounds = {
    from: from === undefined ? undefined : instantOf(from),
    to: to === undefined ? undefined : endOf(to),
  };
  if (bounds.from && bounds.to && bounds.from > bounds.to)
    throw validationFailed([{ field: 'from', message: 'must not be after to' }]);
  return bounds;
}
