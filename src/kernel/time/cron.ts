import { CronExpressionParser } from 'cron-parser';

/**
 * Returns the first time after an instant at which a schedule is due, in UTC, as the queues find it; undefined if there is
 * none.
 */
export function nextRunOf(cron: string, after: Date): Date | undefined {
  try {
    return CronExpressionParser.parse(cron, { currentDate: after, tz: 'UTC' }).next().toDate();
  } catch {
    return undefined;
  }
}
