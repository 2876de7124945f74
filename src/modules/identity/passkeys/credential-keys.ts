import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { WebAuthnLibrary } from './web-authn-library.ts';

/** The algorithms of COSE, of which every authenticator supports at least one. */
const ES256 = -7;
const EDDSA = -8;
const RS256 = -257;
export const ALGORITHMS = [ES256, EDDSA, RS256];

/**
 * RSA keys must have 2,048 to 4,096 bits and a short exponent, so that no member can register a key that is slow to
 * verify with.
 */
const RSA_BYTES = { least: 256, most: 512 };
const MAX_EXPONENT_BYTES = 4;

/** The key that verifies the signatures of a credential. */
export interface CredentialKey {
  key: KeyObject;
  /** Null for EdDSA, which hashes by itself. */
  digest: 'sha256' | null;
}

type Helpers = Pick<WebAuthnLibrary, 'cose' | 'decodeCredentialPublicKey'>;

/**
 * Returns the key of a credential from its COSE form; undefined if it is not a whole key of one of {@link ALGORITHMS}.
 * @throws if it is malformed
 */
export function credentialKeyOf(publicKey: Uint8Array, helpers: Helpers): CredentialKey | undefined {
  const jwk = jwkOf(publicKey, helpers);
  return (
    jwk && { key: createPublicKey({ key: jwk, format: 'jwk' }), digest: jwk.kty === 'OKP' ? null : 'sha256' }
  );
}

function jwkOf(publicKey: Uint8Array, { cose, decodeCredentialPublicKey }: Helpers): JsonWebKey | undefined {
  const key = decodeCredentialPublicKey(new Uint8Array(publicKey));
  const { COSEKEYS, COSECRV } = cose;
  const algorithm = key.get(COSEKEYS.alg);
  if (cose.isCOSEPublicKeyEC2(key)) {
    const [x, y] = [key.get(COSEKEYS.x), key.get(COSEKEYS.y)];
    const isWhole = hasBytes(x, 32) && hasBytes(y, 32);
    if (algorithm !== ES256 || key.get(COSEKEYS.crv) !== COSECRV.P256 || !isWhole) return undefined;
    return { kty: 'EC', crv: 'P-256', x: base64(x), y: base64(y) };
  }
  if (cose.isCOSEPublicKeyOKP(key)) {
    const x = key.get(COSEKEYS.x);
    if (algorithm !== EDDSA || key.get(COSEKEYS.crv) !== COSECRV.ED25519 || !hasBytes(x, 32))
      return undefined;
    return { kty: 'OKP', crv: 'Ed25519', x: base64(x) };
  }
  if (!cose.isCOSEPublicKeyRSA(key) || algorithm !== RS256) return undefined;
  const [n, e] = [key.get(COSEKEYS.n), key.get(COSEKEYS.e)];
  const isWhole = hasBytes(n, RSA_BYTES.least, RSA_BYTES.most) && hasBytes(e, 1, MAX_EXPONENT_BYTES);
  return isWhole ? { kty: 'RSA', n: base64(n), e: base64(e) } : undefined;
}

const hasBytes = (bytes: unknown, least: number, most = least): bytes is Uint8Array =>
  bytes instanceof Uint8Array && bytes.length >= least && bytes.length <= most;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
