import { optionalUrl } from '../../kernel/address-settings.ts';
import { headerSecret, type Setting, type ValuesOf } from '../../kernel/settings.ts';

/** Settings of the price feed. */
export const priceSettings = {
  url: optionalUrl(
    'PRICE_FEED_URL',
    'URL of a server-sent event stream of prices, called with `?symbols=A,B`; in development, the sandbox by default',
    'https://prices.example.com/stream',
  ),
  apiKey: headerSecret('PRICE_FEED_API_KEY', 8, 'The bearer token for the price feed'),
} satisfies Record<string, Setting<unknown>>;

export type PriceSettings = ValuesOf<typeof priceSettings>;
