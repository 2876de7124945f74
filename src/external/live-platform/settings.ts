import { optionalUrl } from '../../kernel/address-settings.ts';
import type { Setting } from '../../kernel/settings.ts';

/** Settings of the live platform, which members reach by single sign-on. */
export const livePlatformSettings = {
  url: optionalUrl(
    'LIVE_PLATFORM_URL',
    'The address that single sign-on for livestream redirects to, with ?token=',
    'https://live.example.com/sso',
  ),
} satisfies Record<string, Setting<unknown>>;
