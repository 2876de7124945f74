import { optionalUrl } from '../../kernel/address-settings.ts';
import { decimal, headerSecret, type Setting, type ValuesOf } from '../../kernel/settings.ts';

/** The settings of the charting platform. */
export const chartingSettings = {
  url: optionalUrl(
    'CHARTING_URL',
    'Base URL of the charting platform; regional accounts have another host. In development the sandbox replaces it until CHARTING_SESSION_ID is set',
    'https://www.tradingview.com',
  ),
  sessionId: headerSecret(
    'CHARTING_SESSION_ID',
    1,
    'The cookie sessionid of the account that owns the scripts; the account owner decides whether its page may be automated',
  ),
  sessionSign: headerSecret(
    'CHARTING_SESSION_SIGN',
    1,
    'The cookie sessionid_sign of that account, if it has one',
  ),
  timeoutSeconds: decimal(
    'CHARTING_TIMEOUT_SECONDS',
    10,
    [0.1, 60],
    'Timeout of a call in seconds. After a timeout, its grant is not retried for three times as long',
  ),
} satisfies Record<string, Setting<unknown>>;

export type ChartingSettings = ValuesOf<typeof chartingSettings>;
