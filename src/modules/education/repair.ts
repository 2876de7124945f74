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
 * Restores, every night and at every start, what should follow from other records: for data that is older than the rule,
 * for changes by hand, and for jobs that were given up.
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
