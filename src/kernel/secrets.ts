import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Returns the SHA-256 by which high-entropy secrets are stored and looked up. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}

/** Compares two secrets in constant time, without revealing their lengths. */
export function sameSecret(left: string, right: string): boolean {
  return timingSafeEqual(digestOf(left), digestOf(right));
}

/** Returns a new secret of 256 bits, safe in URLs and headers (43 characters). */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Encrypts small secrets for storage (AES-256-GCM) with a key derived from the installation's secret key. */
export function sealer(secretKey: string, purpose: string) {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32));
  return {
    seal(plain: string): Buffer {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    /** @throws when the bytes were sealed with another key or have changed */
    open(sealed: Buffer): string {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12));
      decipher.setAuthTag(sealed.subarray(12, 28));
      return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
    },
  };
}

export type Sealer = ReturnType<typeof sealer>;
