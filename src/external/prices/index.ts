import type { OpenPriceFeed } from './port.ts';
import type { PriceSettings } from './settings.ts';
import { streamedPrices } from './streams.ts';

/** Returns the price feed, or undefined when none is configured. */
export const priceFeed = (
  { url, apiKey }: PriceSettings,
  { onError }: { onError: (error: Error) => void },
): OpenPriceFeed | undefined => (url === undefined ? undefined : streamedPrices({ url, apiKey, onError }));
