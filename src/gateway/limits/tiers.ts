import type { RateWindow } from '../../kernel/distributed/rate-limiter.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/time/time.ts';
import type { Tier } from './tiers.model.ts';

const windows = (perMinute: number, perHour: number, perDay: number): RateWindow[] => [
  { name: 'minute', lengthMs: MINUTE_MS, limit: perMinute },
  { name: 'hour', lengthMs: HOUR_MS, limit: perHour },
  { name: 'day', lengthMs: DAY_MS, limit: perDay },
];

/** The limits of each tier (docs/api.md). The Admin tier is unlimited. */
export const TIER_WINDOWS: Record<Tier, RateWindow[] | undefined> = {
  mobile: windows(60, 1_000, 20_000),
  live_platform: windows(120, 5_000, 100_000),
  crm: windows(300, 15_000, 300_000),
  third_party: windows(60, 2_000, 40_000),
  admin: undefined,
};

/** For signed webhooks: their senders use few addresses and authenticate by signature. */
export const WEBHOOK_WINDOWS = windows(6_000, 120_000, 2_000_000);

/** For senders with the webhook secret: a backoffice reports ten thousand changes at the end of a month. */
export const BACKOFFICE_WINDOWS = windows(60_000, 600_000, 5_000_000);

/** For addresses without a valid key: enough for mistakes, too little for guessing or flooding. */
export const ANONYMOUS_WINDOWS = windows(600, 6_000, 60_000);

/**
 * For segments, playlists and pictures. A player sends about one request in two seconds, a page of pictures a hundred
 * at once: this serves four hundred viewers behind one address, such as that of a school or a mobile operator.
 */
export const MEDIA_WINDOWS = windows(12_000, 500_000, 6_000_000);
