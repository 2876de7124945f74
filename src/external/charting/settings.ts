import { decimal, integer, optionalUrl, type Setting, secret, type ValuesOf } from '../../kernel/settings.ts';

/** The settings of the charting platform. */
export const chartingSettings = {
  chartingUrl: optionalUrl(
    'CHARTING_URL',
    'Base URL of the charting platform; regional accounts have another host. In development the sandbox replaces it until CHARTING_SESSION_ID is set',
    'https://www.tradingview.com',
  ),
  chartingSessionId: secret(
    'CHARTING_SESSION_ID',
    1,
    'The cookie sessionid of the account that owns the scripts; the account owner decides whether its page may be automated',
  ),
  chartingSessionSign: secret(
    'CHARTING_SESSION_SIGN',
    1,
    'The cookie sessionid_sign of that account, if it has one',
  ),
  chartingRate: decimal(
    'CHARTING_RATE',
    3,
    [0.01, 1000],
    'Maximum calls per second to the charting platform, across all processes',
  ),
  chartingConcurrency: integer(
    'CHARTING_CONCURRENCY',
    2,
    [1, 64],
    'Maximum concurrent calls of a process to the charting platform',
  ),
  chartingTimeoutSeconds: decimal(
    'CHARTING_TIMEOUT_SECONDS',
    10,
    [0.1, 60],
    'Timeout of a call in seconds. After a timeout, its grant is not retried for three times as long',
  ),
  chartingAttempts: integer(
    'CHARTING_ATTEMPTS',
    6,
    [1, 100],
    'Attempts at a grant or revocation before it requires manual action',
  ),
  chartingRetrySeconds: decimal(
    'CHARTING_RETRY_SECONDS',
    2,
    [0, 600],
    'Seconds to wait after the first failed attempt; doubled after each further one, up to 600',
  ),
} satisfies Record<string, Setting<unknown>>;

export type ChartingSettings = ValuesOf<typeof chartingSettings>;
