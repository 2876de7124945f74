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
