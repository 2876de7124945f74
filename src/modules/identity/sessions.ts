import type { Database } from '../../kernel/database/database.ts';
import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import { Failure, failure, serviceUnavailable } from '../../kernel/failures.ts';
import { gather } from '../../kernel/gather.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { RequestFacts, UserCaller } from '../../kernel/operations/callers.ts';
import { digestOf, newSecret } from '../../kernel/secrets.ts';
import { type Clock, DAY_MS, SECOND_MS } from '../../kernel/time.ts';
import { type AccessTokens, invalidToken } from './access-tokens.ts';
import type { Platform } from './platforms.ts';
import type { KnownSession, SessionStore, SessionTarget, SessionView, ShownToken } from './sessions.store.ts';
import type { User } from './users.store.ts';
import { accountInactive } from './users.ts';

const REFRESH_LIFETIME_MS = 30 * DAY_MS;

/** Of one user; a client with more devices than this is no person. */
const MOST_SESSIONS = 200;

export const invalidRefreshToken = failure(401, 'INVALID_REFRESH_TOKEN', 'Invalid refresh token');

export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** Where a member signs in from. */
export interface Place {
  platform: Platform;
  device: string;
  deviceId?: string;
}

interface SessionNeeds {
  store: SessionStore;
  tokens: AccessTokens;
  database: Database;
  clock: Clock;
  newId: NewId;
  /** How long the direct parent of the current refresh token may be used once more. */
  reuseLeewaySeconds: number;
}

/** Sessions of (user, platform, device), with access tokens and refresh tokens that are used once. */
export function sessionRules({ store, tokens, database, clock, newId, reuseLeewaySeconds }: SessionNeeds) {
  const findSession = gather<string, KnownSession | undefined>(store.findAll, {
    most: 500,
    lanes: 2,
    waiting: 10_000,
    overflow: serviceUnavailable,
  });

  async function issueRefreshToken(tx: Transaction, sessionId: string, generation: number): Promise<string> {
    const refreshToken = newSecret();
    const nowMs = clock.now();
    await store.insertToken(tx, {
      digest: digestOf(refreshToken),
      sessionId,
      generation,
      at: new Date(nowMs),
      expiresAt: new Date(nowMs + REFRESH_LIFETIME_MS),
    });
    return refreshToken;
  }

  /** A spent token shown again is a copy in other hands, unless it is a retry of the very last refresh. */
  function isRetry({ generation, newestGeneration, usedAt }: ShownToken): boolean {
    const sinceUseMs = clock.now() - (usedAt as Date).getTime();
    return generation === newestGeneration - 1 && sinceUseMs < reuseLeewaySeconds * SECOND_MS;
  }

  /**
   * The member behind an access token, as the database knows them now: an ended session, a deactivated account
   * or a changed permission counts from the next request on, in every process.
   */
  async function authenticateUntil(accessToken: string): Promise<{ caller: UserCaller; expiresAt: Date }> {
    const { sessionId, userId, expiresMs } = await tokens.verify(accessToken);
    const session = await findSession(sessionId);
    if (!session || session.isEnded || session.userId !== userId) throw invalidToken();
    if (!session.isActive) throw accountInactive();
    const { email, permissions } = session;
    return {
      caller: { kind: 'user', userId, email, permissions, sessionId },
      expiresAt: new Date(expiresMs),
    };
  }

  return {
    /** Opens a session within a transaction; one on the same user, platform and device ends. */
    async open(
      tx: Transaction,
      user: User,
      place: Place,
      facts: RequestFacts,
    ): Promise<Tokens & { sessionId: ObjectId }> {
      const sessionId = newId();
      await store.replace(tx, {
        id: sessionId,
        userId: user.id,
        platform: place.platform,
        device: place.device,
        deviceId: place.deviceId ?? null,
        userAgent: facts.userAgent.slice(0, 500),
        address: facts.address,
        createdAt: new Date(clock.now()),
      });
      const refreshToken = await issueRefreshToken(tx, sessionId, 1);
      return { accessToken: await tokens.issue({ userId: user.id, sessionId }), refreshToken, sessionId };
    },

    /** Whose living session both tokens are of, if they are of one; neither is spent. */
    async ownerOf({ accessToken, refreshToken }: Tokens): Promise<ObjectId | undefined> {
      const claims = await tokens.verify(accessToken).catch((error) => {
        if (error instanceof Failure) return undefined; // no good, which is an answer; an outage is not
        throw error;
      });
      const token = await store.findToken(digestOf(refreshToken));
      const isGood =
        claims !== undefined &&
        token?.sessionId === claims.sessionId &&
        !token.isEnded &&
        token.usedAt === null &&
        token.expiresAt.getTime() > clock.now();
      return isGood ? claims.userId : undefined;
    },

    /**
     * Trades a refresh token for a new pair. A spent one ends its session: it or its successor was stolen.
     * @throws invalidRefreshToken, accountInactive
     */
    async refresh(refreshToken: string): Promise<Tokens> {
      const outcome = await database.transaction(async (tx) => {
        const shown = await store.lockShown(tx, digestOf(refreshToken));
        const now = new Date(clock.now());
        if (!shown || shown.isEnded || shown.expiresAt <= now) return invalidRefreshToken();
        if (!shown.isActive) return accountInactive();
        const { sessionId, userId, newestGeneration } = shown;
        if (shown.usedAt && !isRetry(shown)) {
          await store.end(tx, userId, { sessionId }, 'refresh token reused', now);
          return invalidRefreshToken();
        }
        await store.spend(tx, sessionId, newestGeneration, now);
        return {
          userId,
          sessionId,
          refreshToken: await issueRefreshToken(tx, sessionId, newestGeneration + 1),
        };
      });
      // Thrown out here, so that the end of a session stands.
      if (outcome instanceof Error) throw outcome;
      return { accessToken: await tokens.issue(outcome), refreshToken: outcome.refreshToken };
    },

    /** Ends the sessions that are meant, from the next request on; answers how many. */
    end: (
      userId: ObjectId,
      target: SessionTarget,
      because: string,
      queries: Queries = database,
    ): Promise<number> => store.end(queries, userId, target, because, new Date(clock.now())),

    /** The living sessions of a user, newest first. */
    ofUser: (userId: ObjectId): Promise<SessionView[]> => store.ofUser(userId, MOST_SESSIONS),

    authenticate: async (accessToken: string): Promise<UserCaller> =>
      (await authenticateUntil(accessToken)).caller,
    authenticateUntil,
  };
}

export type SessionRules = ReturnType<typeof sessionRules>;
