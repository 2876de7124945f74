import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { failure } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/time.ts';
import { SIGNING_ALGORITHM, type SigningKeys } from './signing-keys.ts';

const LIFETIME_MS = 15 * MINUTE_MS;
const ISSUER = 'platform-api';
const TYPE = 'at+jwt';
const MOST_REMEMBERED = 20_000;
const TOKEN_MAX_LENGTH = 2_048;

/** One message for all: part 1 gives it for any call without a valid token; the code tells the client what to do. */
const MESSAGE = 'User authentication required';
export const invalidToken = failure(401, 'INVALID_TOKEN', MESSAGE);
const expiredToken = failure(401, 'TOKEN_EXPIRED', MESSAGE);

export interface Claims {
  userId: ObjectId;
  sessionId: ObjectId;
}

interface Verified extends Claims {
  expiresMs: number;
  kid: string;
}

interface AccessTokenNeeds {
  keys: SigningKeys;
  clock: Clock;
  environment: string;
}

/** Access tokens: JWTs of 15 minutes for one environment, naming a user and a session and nothing more. */
export function accessTokens({ keys, clock, environment }: AccessTokenNeeds) {
  // A signature is checked once for each token; its expiry and its key at each request.
  const remembered = new LRUCache<string, Verified>({ max: MOST_REMEMBERED });

  async function check(token: string): Promise<Verified> {
    try {
      const { payload, protectedHeader } = await jwtVerify(
        token,
        async ({ kid }) => {
          const key = await keys.verifying(kid);
          if (!key) throw invalidToken();
          return key;
        },
        {
          algorithms: [SIGNING_ALGORITHM],
          typ: TYPE,
          issuer: ISSUER,
          audience: environment,
          requiredClaims: ['sub', 'sid', 'exp', 'iat'],
          currentDate: new Date(clock.now()),
        },
      );
      return {
        userId: payload.sub as string,
        sessionId: payload.sid as string,
        expiresMs: (payload.exp as number) * SECOND_MS,
        kid: protectedHeader.kid as string,
      };
    } catch (error) {
      if ((error as { code?: string }).code === 'ERR_JWT_EXPIRED') throw expiredToken();
      if ((error as { code?: string }).code?.startsWith('ERR_J')) throw invalidToken();
      throw error;
    }
  }

  return {
    async issue({ userId, sessionId }: Claims): Promise<string> {
      const { kid, privateKey } = await keys.signing();
      const nowSeconds = Math.floor(clock.now() / SECOND_MS);
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TYPE, kid })
        .setIssuer(ISSUER)
        .setAudience(environment)
        .setSubject(userId)
        .setIssuedAt(nowSeconds)
        .setExpirationTime(nowSeconds + LIFETIME_MS / SECOND_MS)
        .sign(privateKey);
    },
    /**
     * What a token says, if it is ours and has not expired. Whether its session lives is another question.
     * @throws invalidToken, expiredToken
     */
    async verify(token: string): Promise<Claims> {
      if (token.length > TOKEN_MAX_LENGTH) throw invalidToken();
      let verified = remembered.get(token);
      if (!verified || !(await keys.verifying(verified.kid))) {
        verified = await check(token);
        remembered.set(token, verified);
      }
      if (verified.expiresMs <= clock.now()) throw expiredToken();
      return verified;
    },
  };
}

export type AccessTokens = ReturnType<typeof accessTokens>;
