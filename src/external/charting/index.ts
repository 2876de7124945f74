import type { ChartingPlatform } from './port.ts';
import { tradingView } from './tradingview.ts';

const DEFAULT_URL = 'https://www.tradingview.com';

/** How to reach the charting platform. */
export interface ChartingAddress {
  url: string;
  sessionId: string;
  sessionSign?: string | undefined;
}

interface Given {
  chartingUrl: string | undefined;
  chartingSessionId: string | undefined;
  chartingSessionSign: string | undefined;
}

/** Returns where the charting platform is; undefined until the credentials of an account are set. */
export const chartingAddress = (config: Given): ChartingAddress | undefined =>
  config.chartingSessionId === undefined
    ? undefined
    : {
        url: config.chartingUrl ?? DEFAULT_URL,
        sessionId: config.chartingSessionId,
        sessionSign: config.chartingSessionSign,
      };

export const chartingPlatform = (
  address: ChartingAddress,
  { timeoutMs }: { timeoutMs: number },
): ChartingPlatform => tradingView({ ...address, timeoutMs });
