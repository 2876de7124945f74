import { periodOf } from '../../kernel/operations/periods.ts';
import type { Span } from './spans.model.ts';

/** An instant later than that of any event. */
export const NEVER = new Date('2200-01-01T00:00:00Z');

/** Returns the span of a query's dates, both of which are inclusive, at millisecond precision. */
export const spanOf = (dates: { startDate?: string; endDate?: string }): Span => {
  const { from = new Date(0), to } = periodOf(dates);
  return { from, to: to ? new Date(to.getTime() + 1) : NEVER };
};
