import type { Product } from '../../../external/directory/port.ts';
import { Failure } from '../../../kernel/failures.ts';
import { DAY_MS, instantOf, isInstant } from '../../../kernel/time/time.ts';
import { type ClientPlatform, PLATFORMS } from './platforms.model.ts';

/** The SKUs, any of which grants access to the platform. Platforms that are not listed require no purchase. */
const PLATFORM_SKUS: Partial<Record<ClientPlatform, readonly string[]>> = {
  livestream: ['DSAS408', 'DSAS404', 'XHM102', 'XHSET101', 'XHSET202', 'XHSET303'],
  app: ['XHSET101', 'XHM102', 'XHSET202', 'XHSET303', 'DSAS408', 'DSAS404'],
  scanners: [],
};

/** Days of access after the last purchase of a SKU. */
const ACCESS_DAYS: Record<string, number> = {
  XHSET303: 365,
  XHDEP303: 365,
  XHSET202: 90,
  XHDEP202: 90,
  DSAS408: 7,
  FREEACCESS: 7,
};
const OTHER_ACCESS_DAYS = 30;

const daysOf = (sku: string): number =>
  Object.hasOwn(ACCESS_DAYS, sku) ? (ACCESS_DAYS[sku] as number) : OTHER_ACCESS_DAYS;

/**
 * Returns the SKUs that grant access to each platform, and for how many days after a purchase; an empty list for a
 * platform that requires no purchase.
 */
export const platformAccess = (): { platform: ClientPlatform; skus: { sku: string; days: number }[] }[] =>
  PLATFORMS.map((platform) => ({
    platform,
    skus: (PLATFORM_SKUS[platform] ?? []).map((sku) => ({ sku, days: daysOf(sku) })),
  }));

/** Returns from when on a purchase of a SKU grants access at this instant, as `isActiveProduct` says of a single one. */
export function currentPurchases(nowMs: number) {
  const before = (days: number) => new Date(nowMs - days * DAY_MS);
  const since = Object.entries(ACCESS_DAYS).map(([sku, days]) => [sku, before(days)] as const);
  return { since: Object.fromEntries(since), othersSince: before(OTHER_ACCESS_DAYS), until: new Date(nowMs) };
}

/** Returns whether a SKU grants access to any platform. */
export const opensPlatform = (sku: string): boolean =>
  Object.values(PLATFORM_SKUS).some((skus) => skus.includes(sku));

/**
 * Returns whether a product grants access at this instant: from its last purchase to the end of its SKU's window, both
 * inclusive. A missing, malformed or future date grants none.
 */
export function isActiveProduct({ sku, last_purchased_date: date }: Product, nowMs: number): boolean {
  if (typeof date !== 'string' || !isInstant(date)) return false;
  const boughtMs = instantOf(date).getTime();
  if (boughtMs > nowMs) return false;
  const days = daysOf(sku);
  return nowMs - boughtMs <= days * DAY_MS;
}

/** The effect of a member's purchases on access to a platform. */
export interface PlatformVerdict {
  platform: ClientPlatform;
  /** The SKU that decides about access; null if none is needed, or none was bought. */
  sku: string | null;
  /** When access ends, or ended; null if it has no end, or never began. */
  until: Date | null;
  isOpen: boolean;
  acceptedSkus: string[];
}

/**
 * Returns the access that these products give to each platform. If several are accepted, the one whose access ends
 * last decides.
 */
export const platformVerdicts = (products: Product[], nowMs: number): PlatformVerdict[] =>
  platformAccess().map(({ platform, skus }) => {
    const accepted = new Map(skus.map(({ sku, days }) => [sku, days]));
    const bought = products.flatMap(({ sku, last_purchased_date: date }) => {
      const days = accepted.get(sku);
      if (days === undefined || typeof date !== 'string' || !isInstant(date)) return [];
      const sinceMs = instantOf(date).getTime();
      return sinceMs > nowMs ? [] : [{ sku, untilMs: sinceMs + days * DAY_MS }];
    });
    const best = bought.sort((a, b) => b.untilMs - a.untilMs)[0];
    return {
      platform,
      sku: best?.sku ?? null,
      until: best ? new Date(best.untilMs) : null,
      isOpen: skus.length === 0 || (best !== undefined && best.untilMs >= nowMs),
      acceptedSkus: skus.map(({ sku }) => sku),
    };
  });

/** Returns whether a platform requires a purchase. */
export const requiresPurchase = (platform: ClientPlatform): boolean =>
  (PLATFORM_SKUS[platform] ?? []).length > 0;

/** Returns whether these products grant access to the platform now. */
export function hasPlatformAccess(platform: ClientPlatform, products: Product[], nowMs: number): boolean {
  const skus = PLATFORM_SKUS[platform] ?? [];
  return (
    !requiresPurchase(platform) ||
    products.some((product) => skus.includes(product.sku) && isActiveProduct(product, nowMs))
  );
}

export const noPlatformAccess = (platform: ClientPlatform): Failure =>
  new Failure(
    403,
    'PLATFORM_ACCESS_DENIED',
    `No access to ${platform}. A valid subscription (SKU) is required`,
    { repeatsStatus: true },
  );
