import { type KeyObject, sign, timingSafeEqual } from 'node:crypto';
import { type JWTPayload, jwtVerify } from 'jose';
import type { FailureMaker } from '../../../kernel/failures.ts';
import { type Clock, SECOND_MS } from '../../../kernel/time/time.ts';
import { SIGNING_ALGORITHM } from './key-ring.ts';
import type { SigningKeys } from './signing-keys.ts';

const ISSUER = 'platform-api';

/** By how much the clocks of two processes may differ. */
const MAX_CLOCK_SKEW_MS = 60 * SECOND_MS;

/** A kind of token; a token of one kind is never accepted as another. */
export interface TokenKind {
  /** The `typ` header. */
  type: string;
  audience: string;
  lifetimeMs: number;
  requiredClaims: string[];
  invalid: FailureMaker;
  expired: FailureMaker;
}

interface Verified {
  payload: JWTPayload;
  kid: string;
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

const signatureOf = (signed: string, key: KeyObject): string =>
  sign(null, Buffer.from(signed), key).toString('base64url');

/**
 * Whether the signature is written as `sign` writes it. The last character of 86 has four bits that decoding ignores, so that
 * each signature has fifteen other spellings: a changed token would be a valid one.
 */
function isPlainlySigned(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/**
 * Signs and verifies JSON Web Tokens of one kind with the current keys (RFC 7519, RFC 8725). They are signed here, because
 * the library takes twice the time to do so.
 */
export function signedTokens(keys: SigningKeys, clock: Clock, kind: TokenKind) {
  const headerOf = (kid: string): string => encoded({ alg: SIGNING_ALGORITHM, typ: kind.type, kid });

  /**
   * Returns what a token says that the current key would have signed to the letter: Ed25519 signs a text always alike (RFC 8032),
   * and signing again takes a fraction of verifying. Undefined for all others, also valid ones: the library decides on
   * those, and says what is wrong with them.
   */
  function ownToken(token: string): Verified | undefined {
    const key = keys.signingNow();
    if (!key) return undefined;
    const header = `${headerOf(key.kid)}.`;
    const end = token.lastIndexOf('.');
    if (!token.startsWith(header) || end < header.length) return undefined;
    const given = Buffer.from(token.slice(end + 1));
    const expected = Buffer.from(signatureOf(token.slice(0, end), key.privateKey));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const payload = JSON.parse(Buffer.from(token.slice(header.length, end), 'base64url').toString());
    return isPlainlyValid(payload) ? { payload, kid: key.kid } : undefined;
  }

  /** Whether the claims are as `sign` makes them, and valid now. */
  const isPlainlyValid = (claims: JWTPayload | null): claims is JWTPayload =>
    claims?.iss === ISSUER &&
    claims.aud === kind.audience &&
    typeof claims.sub === 'string' &&
    typeof claims.iat === 'number' &&
    typeof claims.exp === 'number' &&
    claims.exp > Math.floor(clock.now() / SECOND_MS) &&
    !outlives(claims) &&
    !isEarly(claims) &&
    claims.nbf === undefined &&
    kind.requiredClaims.every((name) => claims[name] !== undefined);

  /** Whether a token has a longer lifetime than ours have. Only somebody who holds a leaked key could have made it. */
  const outlives = ({ iat = 0, exp = 0 }: JWTPayload): boolean => exp - iat > kind.lifetimeMs / SECOND_MS;

  /**
   * Whether a token was signed in the future, so that it would be valid for longer than its lifetime. It counts as expired:
   * after the clock was set back, clients refresh it, instead of signing their member out.
   */
  const isEarly = ({ iat = 0 }: JWTPayload): boolean => iat * SECOND_MS > clock.now() + MAX_CLOCK_SKEW_MS;

  return {
    async sign(subject: string, claims: JWTPayload): Promise<string> {
      const { kid, privateKey } = await keys.signing();
      const nowSeconds = Math.floor(clock.now() / SECOND_MS);
      const payload = {
        ...claims,
        iss: ISSUER,
        aud: kind.audience,
        sub: subject,
        iat: nowSeconds,
        exp: nowSeconds + kind.lifetimeMs / SECOND_MS,
      };
      const signed = `${headerOf(kid)}.${encoded(payload)}`;
      return `${signed}.${signatureOf(signed, privateKey)}`;
    },
    /** @throws the failures of the kind */
    async verify(token: string): Promise<Verified> {
      const own = ownToken(token);
      if (own) return own;
      if (!isPlainlySigned(token)) throw kind.invalid();
      try {
        const { payload, protectedHeader } = await jwtVerify(
          token,
          async ({ kid }) => {
            const key = await keys.verifying(kid);
            if (!key) throw kind.invalid();
            // Clients then refresh it, instead of signing their member out.
            if (key === 'former') throw kind.expired();
            return key;
          },
          {
            algorithms: [SIGNING_ALGORITHM],
            typ: kind.type,
            issuer: ISSUER,
            audience: kind.audience,
            requiredClaims: ['sub', 'exp', 'iat', ...kind.requiredClaims],
            currentDate: new Date(clock.now()),
          },
        );
        if (outlives(payload)) throw kind.invalid();
        if (isEarly(payload)) throw kind.expired();
        return { payload, kid: protectedHeader.kid as string };
      } catch (error) {
        const { code } = error as { code?: string };
        if (code === 'ERR_JWT_EXPIRED') throw kind.expired();
        // Any other defect of the token (ERR_JWT_..., ERR_JWS_..., ERR_JOSE_...); an outage is rethrown.
        throw code?.startsWith('ERR_J') ? kind.invalid() : error;
      }
    },
  };
}
