import { validationFailed } from '../failures.ts';
import { endOf, instantOf } from '../time.ts';

/**
 * The stretch of time that `startDate` and `endDate` name, both ends included; a date-only end is that whole day.
 * @throws 422 when it ends before it starts
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
