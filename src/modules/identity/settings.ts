import { optionalDomain, origins } from '../../kernel/address-settings.ts';
import { choice, integer, list, type Setting, type ValuesOf } from '../../kernel/settings.ts';

/** The settings of accounts and sessions. */
export const identitySettings = {
  reuseLeewaySeconds: integer(
    'REFRESH_REUSE_LEEWAY',
    0,
    [0, 300],
    'Seconds during which the direct predecessor of the current refresh token may be used once more',
  ),
  passwordBlocklist: choice(
    'PASSWORD_BLOCKLIST',
    ['auto', 'on', 'off'],
    'auto',
    'Whether passwords that are common, or made of names of their owner or the platform, are rejected; auto is on in production',
  ),
  passwordWords: list(
    'PASSWORD_WORDS',
    'Names of your company, products and projects, separated by commas: a password must have 8 characters besides them',
    'acme,bull run',
  ),
  verifiedEmail: choice(
    'VERIFIED_EMAIL',
    ['auto', 'off', 'money', 'signin'],
    'auto',
    'What a verified e-mail address is needed for: nothing, withdrawals and purchases, or also to sign in; auto is money in production, else off',
  ),
  stepUpKeys: integer(
    'STEP_UP_KEYS',
    1_000,
    [0, 9_007_199_254_740_991],
    'Keys that a session of a member with a second factor may send within an hour without confirming with it',
  ),
  passkeyRpId: optionalDomain(
    'PASSKEY_RP_ID',
    'The domain that passkeys are bound to; by default localhost in development, and no passkeys in production',
    'example.com',
  ),
  passkeyOrigins: origins(
    'PASSKEY_ORIGINS',
    'Origins of the pages that may use passkeys, separated by commas; by default https:// and PASSKEY_RP_ID, in development all on localhost',
    'https://app.example.com',
  ),
} satisfies Record<string, Setting<unknown>>;

export type IdentitySettings = ValuesOf<typeof identitySettings>;

/** Returns the domain that passkeys are bound to; undefined if there are none. */
export const passkeyDomainOf = (
  { passkeyRpId }: Pick<IdentitySettings, 'passkeyRpId'>,
  environment: string,
): string | undefined => passkeyRpId ?? (environment === 'production' ? undefined : 'localhost');

/** Returns which actions require a verified e-mail address in this environment. */
export function verifiedEmailOf(
  { verifiedEmail }: Pick<IdentitySettings, 'verifiedEmail'>,
  environment: string,
): 'off' | 'money' | 'signin' {
  if (verifiedEmail !== 'auto') return verifiedEmail;
  return environment === 'production' ? 'money' : 'off';
}
