// Authenticators that share no code with the platform: Debian's oathtool, and the passkeys of Chromium.
import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';

/** oathtool's path, as `npm test` found it; tests of it are skipped without it. */
export const oathtoolPath = process.env.TEST_OATHTOOL;

/** Has oathtool compute the code of a secret in base 32 at a time. */
export function oathtoolCode(secret: string, atMs: number): string {
  const now = `--now=${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const printed = execFileSync(oathtoolPath as string, ['--totp', '--base32', now, secret], {
    encoding: 'utf8',
  });
  return printed.trim();
}

/** Gives a page a device of its own that makes passkeys and says yes to whatever asks for them. */
export async function addVirtualAuthenticator(page: Page): Promise<void> {
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
}
