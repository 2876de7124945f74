import { SECOND_MS } from '../../kernel/time/time.ts';
import type { ChartingPlatform } from './port.ts';
import type { ChartingSettings } from './settings.ts';
import { tradingView } from './tradingview.ts';

const DEFAULT_URL = 'https://www.tradingview.com';

/**
 * Returns the charting platform, or undefined without the credentials of an account: access is then granted by hand.
 */
export const chartingPlatform = (settings: ChartingSettings): ChartingPlatform | undefined =>
  settings.sessionId === undefined
    ? undefined
    : tradingView({
        url: settings.url ?? DEFAULT_URL,
        sessionId: settings.sessionId,
        sessionSign: settings.sessionSign,
        timeoutMs: settings.timeoutSeconds * SECOND_MS,
      });
