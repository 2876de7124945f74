import { platformName } from '../text.ts';

/** Explains in a sentence why a member can or cannot open a platform; `ended` says when the purchase expired. */
export function accessInWords(
  {
    allowed,
    reason,
    sku,
    acceptedSkus,
  }: { allowed: boolean; reason: string; sku: string | null; acceptedSkus: string[] },
  ended: string,
): string {
  const others = acceptedSkus.length;
  if (allowed) return sku ? `By ${sku}.` : 'Open to every active member.';
  if (reason === 'expired')
    return `${sku} ended ${ended}. ${others > 1 ? `Any of ${others} purchases would open it.` : ''}`;
  if (reason === 'no_sku')
    return others > 0 ? 'Never bought a purchase that opens it.' : 'Lacks the permission.';
  const REASONS: Record<string, string> = {
    inactive: 'The account is deactivated.',
    throttled: 'Too many wrong passwords in the last minutes.',
    unverified: 'The e-mail address is not verified.',
  };
  return REASONS[reason] ?? reason;
}

/** The names of the platforms that a member had access to and has lost. */
export const lostPlatforms = (access: { platform: string; allowed: boolean; reason: string }[]): string =>
  access
    .filter(({ allowed, reason }) => !allowed && reason !== 'no_sku')
    .map(({ platform }) => platformName(platform))
    .join(', ');
