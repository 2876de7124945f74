import { jobKind } from '../../kernel/jobs.ts';

/** Makes the charting platform as it should be; ordered with every change. */
export const carryOut = jobKind('indicators.carry-out');

/** Takes up again what failed because the charting platform was away. */
export const resumeAfterOutage = jobKind('indicators.resume-after-outage');

/** Compares with what the charting platform holds, each night. */
export const compareAccess = jobKind('indicators.compare');

/** Forgets what was answered to webhooks long ago. */
export const forgetWebhooks = jobKind('indicators.forget-webhooks');
