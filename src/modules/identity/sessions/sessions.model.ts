import { DAY_MS, MINUTE_MS } from '../../../kernel/time/time.ts';

export const ACCESS_TOKEN_MS = 15 * MINUTE_MS;
export const REFRESH_TOKEN_MS = 30 * DAY_MS;
