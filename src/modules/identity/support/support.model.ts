/** Whether a member can sign in on a platform, and why not. */
export const REASONS = ['ok', 'no_sku', 'expired', 'inactive', 'throttled', 'unverified'] as const;
export type Reason = (typeof REASONS)[number];
