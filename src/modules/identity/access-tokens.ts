import { LRUCache } from 'lru-cache';
import type { ObjectId } from '../../kernel/ids.ts';
import { expiredToken, invalidToken } from '../../kernel/operations/access.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/time.ts';
import { signedTokens } from './signed-tokens.ts';
import type { SigningKeys } from './signing-keys.ts';

const MAX_REMEMBERED = 20_000;
const TOKEN_MAX_LENGTH = 2_048;

export interface Claims {
  userId: ObjectId;
  sessionId: ObjectId;
}

interface Verified extends Claims {
  expiresMs: number;
  kid: string;
}

interface AccessTokenDeps {
  keys: SigningKeys;
  clock: Clock;
  environment: string;
}

/** Access tokens: JWTs of 15 minutes for one environment, naming a user and a session and nothing more. */
export function accessTokens({ keys, clock, environment }: AccessTokenDeps) {
  const signed = signedTokens(keys, clock, {
    type: 'at+jwt',
    audience: environment,
    lifetimeMs: 15 * MINUTE_MS,
    requiredClaims: ['sid'],
    invalid: invalidToken,
    expired: expiredToken,
  });
  // A signature is checked once for each token; its expiry and its key at each request.
  const remembered = new LRUCache<string, Verified>({ max: MAX_REMEMBERED });

  async function check(token: string): Promise<Verified> {
    const { payload, kid } = await signed.verify(token);
    return {
      userId: payload.sub as string,
      sessionId: payload.sid as string,
      expiresMs: (payload.exp as number) * SECOND_MS,
      kid,
    };
  }

  return {
    issue: ({ userId, sessionId }: Claims): Promise<string> => signed.sign(userId, { sid: sessionId }),
    /**
     * What a token says, if it is ours and has not expired. Whether its session lives is another question.
     * @throws invalidToken, expiredToken
     */
    async verify(token: string): Promise<Claims & { expiresMs: number }> {
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
