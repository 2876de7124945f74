import { addressGroup } from '../../kernel/net/addresses.ts';
import type { Credential } from '../../kernel/operations/access.ts';
import type { Operation } from '../../kernel/operations/operation.ts';
import type { PageAllowance } from '../../kernel/operations/raw-routes.ts';
import { type Credentials, hasSecretFor } from '../authentication.ts';
import type { RateLimits, RateVerdict } from './rate-limits.ts';
import {
  ANONYMOUS_WINDOWS,
  BACKOFFICE_WINDOWS,
  MEDIA_WINDOWS,
  TIER_WINDOWS,
  WEBHOOK_WINDOWS,
} from './tiers.ts';

type Verdict = RateVerdict | Promise<RateVerdict>;

const ofAddress = (limits: RateLimits, address: string): Verdict =>
  limits.take(`anonymous:${addressGroup(address)}`, ANONYMOUS_WINDOWS);

/** Counts a request for a page outside the API. */
export function takePageAllowance(limits: RateLimits, allowance: PageAllowance, address: string): Verdict {
  if (allowance === 'none') return limits.unlimited();
  if (allowance === 'media') return limits.take(`media:${addressGroup(address)}`, MEDIA_WINDOWS);
  return ofAddress(limits, address);
}

/** Counts a request to an operation, or to an unknown path. */
export const takeAllowance = (
  limits: RateLimits,
  operation: Operation | undefined,
  credentials: Credentials,
  address: string,
): Verdict =>
  (operation && takeWebhookAllowance(limits, operation, credentials, address)) ??
  takeKeyAllowance(limits, credentials, address);

/**
 * Applies the limits of webhooks. Senders without the correct secret count as anonymous, whatever other credentials
 * they send.
 */
function takeWebhookAllowance(
  limits: RateLimits,
  { access }: Operation,
  credentials: Credentials,
  address: string,
): Verdict | undefined {
  const requires = (credential: Credential) => access.credentials.every((set) => set.includes(credential));
  if (requires('webhookSignature')) return limits.take(`webhook:${addressGroup(address)}`, WEBHOOK_WINDOWS);
  if (!requires('webhookSecret')) return undefined;
  return hasSecretFor(access, credentials)
    ? limits.take(`backoffice:${addressGroup(address)}`, BACKOFFICE_WINDOWS)
    : ofAddress(limits, address);
}

/** Applies the limits of a key, per user when one is signed in, otherwise per client address. */
function takeKeyAllowance(
  limits: RateLimits,
  { key, user, isService }: Credentials,
  address: string,
): Verdict {
  if (key === undefined) return isService ? limits.unlimited() : ofAddress(limits, address);
  const windows = TIER_WINDOWS[key.tier];
  return windows
    ? limits.take(`${key.id}:${user?.userId ?? addressGroup(address)}`, windows)
    : limits.unlimited();
}
