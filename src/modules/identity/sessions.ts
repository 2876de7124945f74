import { authenticationFailed } from '../../external/directory/port.ts';
import { batching } from '../../kernel/batching.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import { serviceUnavailable } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import { invalidToken } from '../../kernel/operations/access.ts';
import type { RequestFacts, UserCaller } from '../../kernel/operations/callers.ts';
import type { Page, PageRequest } from '../../kernel/pagination.ts';
import type { Clock } from '../../kernel/time.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { ClientPlatform } from './platforms.ts';
import { refreshTokenRules, type Tokens } from './refresh-tokens.ts';
import type { KnownSession, SessionStore, SessionTarget, SessionView } from './sessions.store.ts';
import type { User } from './users.store.ts';
import { accountInactive } from './users.ts';

export interface OpenedSession extends Tokens {
  sessionId: ObjectId;
}

/** Where a member signs in from. */
export interface Place {
  platform: ClientPlatform;
  device: string;
  deviceId?: string;
}

/** What a sign-in has verified; it must still hold when the session is written. */
export interface Verified {
  /** As read before anything was verified, so that any change since shows in the version. */
  user: Pick<User, 'id' | 'credentialVersion'>;
  /** The living session that vouched for the member, at single sign-on within our own directory. */
  parentSessionId?: ObjectId;
}

interface SessionDeps {
  store: SessionStore;
  tokens: AccessTokens;
  database: Database;
  clock: Clock;
  newId: NewId;
  /** How long the direct parent of the current refresh token may be used once more. */
  reuseLeewaySeconds: number;
  /** Tells every process that sessions or permissions of a member have changed; only after the commit. */
  tellChanged: (userId: ObjectId) => Promise<void>;
}

/** Sessions of (user, platform, device), with access tokens and refresh tokens that are used once. */
export function sessionRules(deps: SessionDeps) {
  const { store, tokens, database, clock, newId, tellChanged } = deps;
  const refreshTokens = refreshTokenRules(deps);
  const findSession = batching<string, KnownSession | undefined>(store.findAll, {
    maxSize: 500,
    concurrency: 2,
    maxQueued: 10_000,
    onOverflow: serviceUnavailable,
  });

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

  /**
   * Locks the member and checks that what was verified still holds.
   * @throws authenticationFailed, accountInactive
   */
  async function mustStillHold(tx: Transaction, { user, parentSessionId }: Verified): Promise<void> {
    const locked = await store.lockUser(tx, user.id);
    if (!locked) throw authenticationFailed();
    if (!locked.isActive) throw accountInactive();
    if (locked.credentialVersion !== user.credentialVersion) throw authenticationFailed();
    if (parentSessionId !== undefined && !(await store.isLiving(tx, parentSessionId))) {
      throw authenticationFailed();
    }
  }

  /** Opens a session within a transaction; one on the same user, platform and device ends. */
  async function openIn(
    tx: Transaction,
    verified: Verified,
    place: Place,
    facts: RequestFacts,
  ): Promise<OpenedSession & { hasReplaced: boolean }> {
    await mustStillHold(tx, verified);
    const { id: userId } = verified.user;
    const sessionId = newId();
    const hasReplaced = await store.replace(tx, {
      id: sessionId,
      userId,
      platform: place.platform,
      device: place.device,
      deviceId: place.deviceId ?? null,
      userAgent: facts.userAgent.slice(0, 500),
      address: facts.address,
      createdAt: new Date(clock.now()),
    });
    const refreshToken = await refreshTokens.issue(tx, sessionId, 1);
    const accessToken = await tokens.issue({ userId, sessionId });
    return { accessToken, refreshToken, sessionId, hasReplaced };
  }

  /**
   * Ends the sessions that are meant, from the next request on; answers how many. Where all of them are meant, sign-ins
   * under way open none either. The caller tells of it after the commit.
   */
  async function endIn(
    tx: Transaction,
    userId: ObjectId,
    target: SessionTarget,
    because: string,
  ): Promise<number> {
    await store.lockUser(tx, userId);
    if (!isNarrow(target)) {
      await store.raiseCredentialVersion(tx, userId);
    }
    return store.end(tx, userId, target, because, new Date(clock.now()));
  }

  return {
    mustStillHold,
    openIn,
    endIn,

    /**
     * Opens a session for a member who was verified.
     * @throws authenticationFailed when what was verified does not hold any more, accountInactive
     */
    async open(verified: Verified, place: Place, facts: RequestFacts): Promise<OpenedSession> {
      const { hasReplaced, ...opened } = await database.transaction((tx) =>
        openIn(tx, verified, place, facts),
      );
      if (hasReplaced) await tellChanged(verified.user.id);
      return opened;
    },

    /** Ends the member's own sessions that are meant; answers how many. */
    async signOut(userId: ObjectId, target: SessionTarget): Promise<number> {
      const ended = await database.transaction((tx) => endIn(tx, userId, target, 'signed out'));
      if (ended > 0) await tellChanged(userId);
      return ended;
    },

    refresh: refreshTokens.refresh,
    ofTokens: refreshTokens.ofTokens,

    hasEnded: async (sessionId: ObjectId, queries?: Queries): Promise<boolean> =>
      (await store.endedOf([sessionId], queries)).length > 0,

    /** The living sessions of a user, newest first. */
    pageOf: (userId: ObjectId, page: PageRequest): Promise<Page<SessionView>> => store.pageOf(userId, page),

    authenticate: async (accessToken: string): Promise<UserCaller> =>
      (await authenticateUntil(accessToken)).caller,
    authenticateUntil,
  };
}

const isNarrow = ({ platform, device, sessionId }: SessionTarget): boolean =>
  [platform, device, sessionId].some((one) => one !== undefined);

export type SessionRules = ReturnType<typeof sessionRules>;
