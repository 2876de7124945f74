import type { Core } from '../../kernel/core.ts';
import type { Job } from '../../kernel/messaging/jobs.ts';
import { months } from '../../kernel/records/months.ts';
import type { NotificationSettings } from './settings.ts';

/**
 * Days for which it is remembered of which events a member was told. Events are delivered again within 30 days, and once
 * more if an administrator retries a dead job on its last day.
 */
const TOLD_DAYS = 62;

interface TurningDeps extends Pick<Core, 'database' | 'clock'> {
  settings: NotificationSettings;
}

/** Returns the job that adds and drops the months of notifications and of their deliveries. */
export const turningMonths = ({ settings, ...deps }: TurningDeps): Job =>
  months(deps, {
    name: 'notifications.turn-months',
    cron: '35 3 * * *',
    tables: [
      // Counts go with what they count, so that members see the number of what is left.
      {
        table: 'notifications.notification',
        together: ['notifications.tally'],
        days: settings.retentionDays,
      },
      { table: 'notifications.delivery', days: settings.deliveryRetentionDays },
      { table: 'notifications.told', days: TOLD_DAYS },
    ],
  });
