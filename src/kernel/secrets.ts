import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { Logger } from 'pino';
import { OperatorFault } from './operator-fault.ts';

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

/** The SECRET_KEY of the installation, followed by those of SECRET_KEY_FALLBACKS, which are still accepted. */
export type SecretKeys = readonly [current: string, ...fallbacks: string[]];

/** Something in the database was sealed with another SECRET_KEY than those that this process has. */
export class ForeignSecret extends OperatorFault {
  override readonly name = 'ForeignSecret';

  constructor(cause?: unknown) {
    super(
      'SECRET_KEY cannot decrypt the keys of this database; they were encrypted with another one. Start with that one, ' +
        'or name it in SECRET_KEY_FALLBACKS; in development it is in development.json of DATA_DIR, which may be mistyped. If it is lost, "delete from identity.signing_key; delete from ' +
        'kernel.lasting_key" lets new keys be created: every access token, recovery code, authenticator app, webhook secret and ' +
        'browser subscription then becomes invalid; see "Secrets" in docs/operations.md.',
      { cause },
    );
  }
}

/**
 * Returns what opens sealed texts, and returns undefined for one that was sealed with none of our keys. That is logged once in
 * each process, since every attempt of everybody concerned fails for the same reason.
 * @param what the secrets that are opened, in the plural
 */
export function opener(sealer: Pick<Sealer, 'open'>, log: Pick<Logger, 'error'>, what: string) {
  let isTold = false;
  return (sealed: Buffer): string | undefined => {
    try {
      return sealer.open(sealed);
    } catch {
      if (!isTold) log.error({ code: 'SECRET_UNREADABLE', what }, UNREADABLE);
      isTold = true;
      return undefined;
    }
  };
}

/** docs/operations.md says what to do. */
const UNREADABLE =
  'a stored secret was sealed with a key that is neither SECRET_KEY nor one of SECRET_KEY_FALLBACKS; further ones are not logged';

const derived = (secretKey: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32));

/** Encrypts small secrets for storage (AES-256-GCM) with keys derived from those of the installation. */
export interface Sealer {
  /** Seals with the current key. */
  seal(plain: string): Buffer;
  /** Opens with whichever key it was sealed with. @throws when that was none of ours, or the bytes have changed */
  open(sealed: Buffer): string;
  /** Whether it was sealed with the current key. */
  isCurrent(sealed: Buffer): boolean;
}

/** Signs texts (HMAC-SHA-256) with keys derived from those of the installation. */
export interface Signer {
  /** Signs with the current key. */
  sign(text: string | Buffer): Buffer;
  /** Returns the signatures by all keys, the current one first, to compare a stored digest with. */
  all(text: string | Buffer): Buffer[];
  /** Whether a signature, in base64url, is that of one of the keys. */
  isSigned(text: string | Buffer, signature: string): boolean;
}

export interface Secrets {
  sealer(purpose: string): Sealer;
  /** @param purpose without one the keys themselves sign, as they did before keys were derived from them */
  signer(purpose?: string): Signer;
  /** Returns a key that remains the same when SECRET_KEY is replaced, for what can neither be resealed nor expires. */
  lastingKey(purpose: string): Buffer;
}

/** @param lasting the SECRET_KEY that the database was set up with, from which lasting keys are derived */
export const secretsOf = (secretKeys: SecretKeys, lasting: string = secretKeys[0]): Secrets => ({
  sealer: (purpose) => sealerOf(secretKeys.map((key) => derived(key, purpose))),
  signer: (purpose) =>
    signerOf(secretKeys.map((key) => (purpose === undefined ? Buffer.from(key) : derived(key, purpose)))),
  lastingKey: (purpose) => derived(lasting, purpose),
});

function sealerOf(keys: Buffer[]): Sealer {
  const [current] = keys as [Buffer];
  return {
    seal(plain) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', current, nonce);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    // The current key throws what is wrong with bytes that none of them opens.
    open: (sealed) => openWith(keys.find((key) => opens(key, sealed)) ?? current, sealed),
    isCurrent: (sealed) => opens(current, sealed),
  };
}

function openWith(key: Buffer, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12));
  decipher.setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
}

function opens(key: Buffer, sealed: Buffer): boolean {
  try {
    openWith(key, sealed);
    return true;
  } catch {
    return false;
  }
}

function signerOf(keys: Buffer[]): Signer {
  const macOf = (key: Buffer, text: string | Buffer): Buffer =>
    createHmac('sha256', key).update(text).digest();
  const all = (text: string | Buffer): Buffer[] => keys.map((key) => macOf(key, text));
  return {
    sign: (text) => macOf(keys[0] as Buffer, text),
    all,
    isSigned: (text, signature) => all(text).some((mac) => sameSecret(signature, mac.toString('base64url'))),
  };
}
