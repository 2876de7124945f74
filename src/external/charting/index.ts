import { SECOND_MS } from '../../kernel/time/time.ts';
import type { ChartingPlatform } from './port.ts';
import type { ChartingSettings } from './settings.ts';
import { tradingView } from './tradingview.ts';

const DEFAULT_URL = 'https://www.tradingview.com';

/** Returns the charting platform, or undefined without credentials of an account: grants are then made by hand. */
export const chartingPlatform = (settings: ChartingSettings): ChartingPlatform | undefined =>
  settings.chartingSessionId === undefined
    ? undefined
    : tradingView({
        url: settings.chartingUrl ?? DEFAULT_URL,
        sessionId: settings.chartingSessionId,
        sessionSign: settings.chartingSessionSign,
        timeoutMs: settings.chartingTimeoutSeconds * SECOND_MS,
      });
