import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from './factors.model.ts';
import { base32 } from './totp.ts';

/** 80 bits, 16 characters. */
const BYTES = 10;

/** Returns a code as it is compared: case, spaces and hyphens do not matter. */
export const normalized = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();

/**
 * Codes that serve once in place of an authenticator's. They are stored as digests with a key that the database does not
 * have, since 80 bits could in the end be guessed from a stolen table.
 */
export function recoveryCodes(secretKey: string) {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'identity.recovery-code', 32));
  return {
    generate: (): string[] =>
      Array.from({ length: RECOVERY_CODES }, () =>
        (base32(randomBytes(BYTES)).match(/.{4}/g) as string[]).join('-'),
      ),
    digest: (userId: string, code: string): Buffer =>
      createHmac('sha256', key)
        .update(`${userId}\0${normalized(code)}`)
        .digest(),
  };
}

export type RecoveryCodes = ReturnType<typeof recoveryCodes>;
