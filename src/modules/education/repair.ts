import { type Job, job, jobKind } from '../../kernel/messaging/jobs.ts';
import type { CourseDeletion } from './courses/course-deletion.ts';
import type { OwnerRules } from './courses/owners.ts';
import type { EnrolmentRules } from './enrolments/enrolments.ts';

interface RepairDeps {
  enrolments: Pick<EnrolmentRules, 'unsubscribeLeft'>;
  deletion: Pick<CourseDeletion, 'finish'>;
  owners: Pick<OwnerRules, 'repair'>;
}

/**
 * Restores derived records, every night and at every start: for data older than the rule that derives them, for manual
 * changes, and for jobs that failed for good.
 */
export const repairJob = ({ enrolments, deletion, owners }: RepairDeps): Job =>
  job(jobKind('education.repair'), {
    cron: '17 3 * * *',
    atStart: true,
    concurrency: 1,
    timeoutSeconds: 1800,
    run: async () => {
      await owners.repair();
      await enrolments.unsubscribeLeft();
      await deletion.finish();
    },
  });
