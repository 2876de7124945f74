import { decimal, integer, type Setting, type ValuesOf } from '../../kernel/settings.ts';

/** The settings of access to indicators. */
export const indicatorSettings = {
  graceDays: decimal(
    'INDICATOR_GRACE_DAYS',
    7,
    [0, 365],
    'Days for which an inactive member keeps indicators that depend on activity',
  ),
  callsPerSecond: decimal(
    'CHARTING_RATE',
    3,
    [0.01, 1000],
    'Maximum calls per second to the charting platform, across all processes',
  ),
  concurrency: integer(
    'CHARTING_CONCURRENCY',
    2,
    [1, 64],
    'Maximum concurrent calls of a process to the charting platform',
  ),
  maxAttempts: integer(
    'CHARTING_ATTEMPTS',
    6,
    [1, 100],
    'Attempts at a grant or revocation before it requires manual action',
  ),
  retrySeconds: decimal(
    'CHARTING_RETRY_SECONDS',
    2,
    [0, 600],
    'Seconds to wait after the first failed attempt; doubled after each further one, up to 600',
  ),
} satisfies Record<string, Setting<unknown>>;

export type IndicatorSettings = ValuesOf<typeof indicatorSettings>;
