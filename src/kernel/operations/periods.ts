import { validationFailed } from '../failures.ts';
import { endOf, instantOf } from '../time/time.ts';

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
