import { recentlyUsed } from '../../../kernel/concurrency/recently-used.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { expiredToken, invalidToken } from '../../../kernel/operations/access.ts';
import { type Clock, SECOND_MS } from '../../../kernel/time/time.ts';
import { signedTokens } from '../keys/signed-tokens.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import { ACCESS_TOKEN_MS } from './sessions.model.ts';

const MAX_REMEMBERED = 20_000;
const TOKEN_MAX_LENGTH = 2_048;

export interface Claims {
  userId: ObjectId;
  sessionId: ObjectId;
}

interface Verified extends Claims {
  expiresMs: number;
  /** The id of the key that signed the token. */
  kid: string;
}

interface AccessTokenDeps {
  keys: SigningKeys;
  clock: Clock;
  environment: string;
}

/** Access tokens: short-lived JWTs for one environment, carrying only a user and a session. */
export function accessTokens({ keys, clock, environment }: AccessTokenDeps) {
  const signed = signedTokens(keys, clock, {
    type: 'at+jwt',
    audience: environment,
    lifetimeMs: ACCESS_TOKEN_MS,
    requiredClaims: ['sid'],
    invalid: invalidToken,
    expired: expiredToken,
  });
  // The signature is verified once per token; expiry and key are checked on each request.
  const remembered = recentlyUsed<string, Verified>(MAX_REMEMBERED);

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
    /** Must be called before a transaction that issues a token. */
    prepare: keys.prepare,
    /**
     * The same before a transaction that replaces a token, which another process may have refused because its key has leaked:
     * reads the keys, so that the newest signs.
     */
    prepareRenewal: () => keys.prepare(0),
    endedKeys: keys.ended,
    issue: ({ userId, sessionId }: Claims): Promise<string> => signed.sign(userId, { sid: sessionId }),
    /**
     * Returns the claims of a token that this platform signed and that has not expired. Does not check that its session
     * is active.
     * @throws invalidToken, expiredToken
     */
    async verify(token: string): Promise<Verified> {
      if (token.length > TOKEN_MAX_LENGTH) throw invalidToken();
      let verified = remembered.get(token);
      const key = verified && (await keys.verifying(verified.kid));
      if (!verified || !key || key === 'former') {
        verified = await check(token);
        remembered.set(token, verified);
      }
      if (verified.expiresMs <= clock.now()) throw expiredToken();
      return verified;
    },
  };
}

export type AccessTokens = ReturnType<typeof accessTokens>;
