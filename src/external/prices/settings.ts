import { optionalUrl, type Setting, secret, type ValuesOf } from '../../kernel/settings.ts';

/** Settings of the price feed. */
export const priceSettings = {
  priceFeedUrl: optionalUrl(
    'PRICE_FEED_URL',
    'Server-sent prices, by `?symbols=A,B`; in development the sandbox ticks',
    'https://prices.example.com/stream',
  ),
  priceFeedApiKey: secret('PRICE_FEED_API_KEY', 8, 'What we show the price feed as a bearer token'),
} satisfies Record<string, Setting<unknown>>;

export type PriceSettings = ValuesOf<typeof priceSettings>;
