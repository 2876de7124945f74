import type { Metric } from '../../../kernel/metric.ts';
import { SECOND_MS } from '../../../kernel/time/time.ts';
import type { Backup } from './backups.store.ts';

/** When the newest backup was made, as it was reported; 0 if none ever was. */
export const backupMetric = (last: () => Promise<Backup | undefined>): Metric => ({
  name: 'backup_last_timestamp_seconds',
  help: 'When the newest backup of the installation was made, in seconds since 1970; 0 before one is reported by PUT /v1/admin/backups/last',
  scope: 'installation',
  group: 'Processes',
  read: async () => ((await last())?.at.getTime() ?? 0) / SECOND_MS,
  alerts: [
    {
      name: 'BackupOld',
      query: 'time() - max(backup_last_timestamp_seconds)',
      condition: '> 26 * 3600',
      minutes: 60,
      severity: 'ticket',
      means:
        'No backup was reported for more than a day: after a loss of the database more than a day would be missing.',
      steps: [
        'Does the job that takes backups run, and does it report the newest one (`PUT /v1/admin/backups/last`)?',
        'Take one by hand meanwhile; see "Backup" in operations.md.',
      ],
    },
  ],
});
