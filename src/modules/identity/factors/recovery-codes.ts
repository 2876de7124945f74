import { createHmac, randomBytes } from 'node:crypto';
import type { Secrets } from '../../../kernel/secrets.ts';
import { RECOVERY_CODES } from './factors.model.ts';
import { base32 } from './totp.ts';

/** 120 bits, 24 characters: from 112 on a digest is as good as a slow hash (ASVS 6.5.2). Codes made before have 80. */
const BYTES = 15;

/** Returns a code in the form in which it is compared, without spaces and hyphens and in one case. */
export const normalized = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();

/**
 * Codes that can each be used once in place of an authenticator's code. They are stored as digests with a key that
 * is not in the database, so that not even the earlier codes of 80 bits can be found from a stolen table.
 */
export function recoveryCodes(secrets: Pick<Secrets, 'lastingKey'>) {
  const key = secrets.lastingKey('identity.recovery-code');
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
