import type { Database } from '../../../kernel/database/database.ts';
import { Failure, failure } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { accountInactive } from '../../../kernel/operations/access.ts';
import { digestOf, newSecret } from '../../../kernel/secrets.ts';
import { type Clock, SECOND_MS } from '../../../kernel/time/time.ts';
import type { AccessTokens, Claims } from './access-tokens.ts';
import { type PresentedToken, REFRESH_TOKEN_MS, type RefreshToken } from './sessions.model.ts';
import type { SessionStore } from './sessions.store.ts';

export const invalidRefreshToken = failure(401, 'INVALID_REFRESH_TOKEN', 'Invalid refresh token');

export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

interface RefreshTokenDeps {
  store: SessionStore;
  tokens: AccessTokens;
  database: Database;
  clock: Clock;
  reuseLeewaySeconds: number;
  publishChange: (userId: ObjectId) => Promise<void>;
}

/** Refresh tokens: opaque and single-use; each is a generation of its session. */
export function refreshTokenRules(deps: RefreshTokenDeps) {
  const { store, tokens, database, clock, reuseLeewaySeconds, publishChange } = deps;

  /** Returns a new token, and the form in which it is stored. */
  function newToken(generation: number): { refreshToken: string; stored: RefreshToken } {
    const refreshToken = newSecret();
    const at = clock.date();
    const expiresAt = new Date(at.getTime() + REFRESH_TOKEN_MS);
    return { refreshToken, stored: { digest: digestOf(refreshToken), generation, at, expiresAt } };
  }

  /** Returns whether a reused token is a retry of the latest refresh; any other reuse means that a token was copied. */
  function isRetry({ generation, newestGeneration, usedAt }: PresentedToken): boolean {
    const sinceUseMs = clock.now() - (usedAt as Date).getTime();
    return generation === newestGeneration - 1 && sinceUseMs < reuseLeewaySeconds * SECOND_MS;
  }

  return {
    newToken,

    /** Returns the active session to which both tokens belong, without spending them; undefined if there is none. */
    async ofTokens({ accessToken, refreshToken }: Tokens): Promise<Claims | undefined> {
      const claims = await tokens.verify(accessToken).catch((error) => {
        if (error instanceof Failure) return undefined; // an invalid token is an answer, an outage is not
        throw error;
      });
      const token = await store.findToken(digestOf(refreshToken));
      const isGood =
        claims !== undefined &&
        token?.sessionId === claims.sessionId &&
        !token.isEnded &&
        token.usedAt === null &&
        token.expiresAt.getTime() > clock.now();
      return isGood ? claims : undefined;
    },

    /**
     * Exchanges a refresh token for a new pair. Reuse of a spent token ends its session, because the token or its
     * successor was stolen, and what the session has passed on.
     * @throws invalidRefreshToken, accountInactive
     */
    async refresh(refreshToken: string): Promise<Tokens> {
      // Before the token is spent: if the keys cannot be read, it can be exchanged again.
      await tokens.prepareRenewal();
      const outcome = await database.transaction(async (tx) => {
        const token = await store.lockPresented(tx, digestOf(refreshToken));
        const now = new Date(clock.now());
        if (!token || token.expiresAt <= now) return invalidRefreshToken();
        if (!token.isActive) return accountInactive();
        if (token.isEnded) return invalidRefreshToken();
        const { sessionId, userId, newestGeneration } = token;
        if (token.usedAt && !isRetry(token)) {
          const end = { reason: 'refresh token reused', at: now };
          await store.end(tx, userId, { sessionId }, end);
          await store.endPassedOn(tx, { userId, sessionId }, end);
          return { userId, hasEnded: true as const };
        }
        await store.spend(tx, sessionId, newestGeneration, now);
        const next = newToken(newestGeneration + 1);
        await store.insertToken(tx, sessionId, next.stored);
        return { userId, sessionId, refreshToken: next.refreshToken };
      });
      // Thrown outside the transaction, so that the end of the session is committed.
      if (outcome instanceof Error) throw outcome;
      if ('hasEnded' in outcome) {
        await publishChange(outcome.userId);
        throw invalidRefreshToken();
      }
      return { accessToken: await tokens.issue(outcome), refreshToken: outcome.refreshToken };
    },
  };
}

export type RefreshTokenRules = ReturnType<typeof refreshTokenRules>;
