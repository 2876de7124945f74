import { DAY_MS, MINUTE_MS } from '../../kernel/time/time.ts';

/** Maximum age of an event. */
export const MAX_AGE_MS = 30 * DAY_MS;
/** Timestamps further ahead are replaced by the current time. */
export const MAX_AHEAD_MS = 5 * MINUTE_MS;
/** How long an event's own id is used for deduplication. */
export const SEEN_MS = 7 * DAY_MS;
