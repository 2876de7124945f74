import { failure } from '../../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../../kernel/ids.ts';
import type { Secrets } from '../../../kernel/secrets.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../../kernel/time/time.ts';
import { signedTokens } from '../keys/signed-tokens.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import type { SpentTokenStore } from '../keys/spent-tokens.store.ts';
import type { Tokens } from '../sessions/refresh-tokens.ts';

export const invalidSsoToken = failure(
  401,
  'INVALID_SSO_TOKEN',
  'Invalid, used or expired single sign-on token',
);

/** The user data that the live platform receives. */
interface SsoUser {
  id: ObjectId;
  email: string;
  firstName: string;
  lastName: string;
}

export interface SsoPass {
  user: SsoUser;
  sessionId: ObjectId;
  tokens: Tokens;
}

export const SSO_TOKEN_MS = 5 * MINUTE_MS;

interface SsoTokenDeps {
  keys: SigningKeys;
  spentTokens: SpentTokenStore;
  clock: Clock;
  newId: NewId;
  secrets: Secrets;
}

/**
 * Signed single-use tokens, valid for five minutes, that carry a member to the live platform.
 * They contain the member's tokens sealed, because URLs are widely exposed; only redeeming opens them.
 */
export function ssoTokens({ keys, spentTokens, clock, newId, secrets }: SsoTokenDeps) {
  const seal = secrets.sealer('identity.sso-token');
  const signed = signedTokens(keys, clock, {
    type: 'sso+jwt',
    audience: 'live-platform',
    lifetimeMs: SSO_TOKEN_MS,
    requiredClaims: ['jti'],
    invalid: invalidSsoToken,
    expired: invalidSsoToken,
  });
  return {
    issue: ({ user, sessionId, tokens }: SsoPass): Promise<string> =>
      signed.sign(user.id, {
        jti: newId(),
        userId: user.id,
        sessionId,
        user: { ...user },
        tokens: seal.seal(JSON.stringify(tokens)).toString('base64url'),
      }),
    /** Opens a token and spends it. @throws invalidSsoToken */
    async redeem(token: string): Promise<SsoPass> {
      const { payload } = await signed.verify(token);
      const expiresAt = new Date((payload.exp as number) * SECOND_MS);
      if (!(await spentTokens.spend(payload.jti as string, expiresAt))) throw invalidSsoToken();
      return {
        user: payload.user as SsoUser,
        sessionId: payload.sessionId as ObjectId,
        tokens: JSON.parse(seal.open(Buffer.from(payload.tokens as string, 'base64url'))) as Tokens,
      };
    },
  };
}

export type SsoTokens = ReturnType<typeof ssoTokens>;
