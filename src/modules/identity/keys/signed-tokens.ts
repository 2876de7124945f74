import { sign } from 'node:crypto';
import { type JWTPayload, jwtVerify } from 'jose';
import type { FailureMaker } from '../../../kernel/failures.ts';
import { type Clock, SECOND_MS } from '../../../kernel/time/time.ts';
import { SIGNING_ALGORITHM, type SigningKeys } from './signing-keys.ts';

const ISSUER = 'platform-api';

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

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/**
 * Signs and verifies JSON Web Tokens of one kind with the current keys (RFC 7519, RFC 8725). They are signed here, because
 * the library takes twice the time to do so.
 */
export function signedTokens(keys: SigningKeys, clock: Clock, kind: TokenKind) {
  return {
    async sign(subject: string, claims: JWTPayload): Promise<string> {
      const { kid, privateKey } = await keys.signing();
      const nowSeconds = Math.floor(clock.now() / SECOND_MS);
      const header = { alg: SIGNING_ALGORITHM, typ: kind.type, kid };
      const payload = {
        ...claims,
        iss: ISSUER,
        aud: kind.audience,
        sub: subject,
        iat: nowSeconds,
        exp: nowSeconds + kind.lifetimeMs / SECOND_MS,
      };
      const signed = `${encoded(header)}.${encoded(payload)}`;
      return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
    },
    /** @throws the failures of the kind */
    async verify(token: string): Promise<{ payload: JWTPayload; kid: string }> {
      try {
        const { payload, protectedHeader } = await jwtVerify(
          token,
          async ({ kid }) => {
            const key = await keys.verifying(kid);
            if (!key) throw kind.invalid();
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
