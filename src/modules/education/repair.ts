import { type Job, job, jobKind } from '../../kernel/jobs.ts';
import type { EnrolmentRules } from './enrolments.ts';

/**
 * Restores, every night and at every start, what should follow from other records: for data that is older than the rule,
 * and for changes by hand.
 */
export const repairJob = ({ enrolments }: { enrolments: Pick<EnrolmentRules, 'unsubscribeLeft'> }): Job =>
  job(jobKind('education.repair'), {
    cron: '17 3 * * *',
    atStart: true,
    concurrency: 1,
    timeoutSeconds: 1800,
    run: () => enrolments.unsubscribeLeft(),
  });
