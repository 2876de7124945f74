import { jobKind } from '../../kernel/messaging/jobs.ts';

/** Applies wanted changes to the charting platform; enqueued with every change. */
export const applyGrants = jobKind('indicators.carry-out');

/** Retries grants that failed because the charting platform was unavailable. */
export const resumeAfterOutage = jobKind('indicators.resume-after-outage');

/** Compares grants with the charting platform's state, nightly. */
export const compareAccess = jobKind('indicators.compare');
