import { decimal, integer, optionalUrl, type Setting, secret, type ValuesOf } from '../../kernel/settings.ts';

/** The settings of the charting platform. */
export const chartingSettings = {
  chartingUrl: optionalUrl(
    'CHARTING_URL',
    'Where the charting platform is; regional accounts have another host. In development the sandbox stands in until CHARTING_SESSION_ID is set',
    'https://www.tradingview.com',
  ),
  chartingSessionId: secret(
    'CHARTING_SESSION_ID',
    1,
    'The cookie sessionid of the account that owns the scripts; whether its page may be automated is its owner to decide',
  ),
  chartingSessionSign: secret('CHARTING_SESSION_SIGN', 1, 'Its cookie sessionid_sign, where it has one'),
  chartingRate: decimal(
    'CHARTING_RATE',
    3,
    [0.01, 1000],
    'Calls a second to the charting platform, of all processes together',
  ),
  chartingConcurrency: integer(
    'CHARTING_CONCURRENCY',
    2,
    [1, 64],
    'Calls to the charting platform that a process makes at once',
  ),
  chartingTimeoutSeconds: decimal(
    'CHARTING_TIMEOUT_SECONDS',
    10,
    [0.1, 60],
    'How long a call may take. After one without an answer its grant is left alone for three times as long',
  ),
  chartingAttempts: integer(
    'CHARTING_ATTEMPTS',
    6,
    [1, 100],
    'Attempts at a grant or a revocation before a person has to look into it',
  ),
  chartingRetrySeconds: decimal(
    'CHARTING_RETRY_SECONDS',
    2,
    [0, 600],
    'The pause after the first failed attempt; it doubles up to 600',
  ),
} satisfies Record<string, Setting<unknown>>;

export type ChartingSettings = ValuesOf<typeof chartingSettings>;
