// Authenticators that share no code with the platform: Debian's oathtool, and the passkeys of Chromium.
import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';

/** The path of oathtool that `npm test` found; without it, tests that need it are skipped. */
export const oathtoolPath = process.env.TEST_OATHTOOL;

/** Computes the code of a base 32 secret at a time, by oathtool. */
export function oathtoolCode(secret: string, atMs: number): string {
  const now = `--now=${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const printed = execFileSync(oathtoolPath as string, ['--totp', '--base32', now, secret], {
    encoding: 'utf8',
  });
  return printed.trim();
}

/** Adds a virtual authenticator to a page, which creates passkeys and confirms every prompt. */
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
