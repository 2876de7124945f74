import { authenticationFailed } from '../../../external/directory/port.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { mapPage, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import type { Queries, Transaction } from '../../../kernel/database/queries.ts';
import { notFound } from '../../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../../kernel/ids.ts';
import { accountInactive } from '../../../kernel/operations/access.ts';
import type { RequestFacts } from '../../../kernel/operations/callers.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import type { ClientPlatform } from '../platforms/platforms.model.ts';
import type { User } from '../users/users.model.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { NewSignIns } from './new-sign-ins.ts';
import { refreshTokenRules, type Tokens } from './refresh-tokens.ts';
import {
  type ActiveSession,
  isElevated,
  type Session,
  type SessionTarget,
  type SignInMethod,
} from './sessions.model.ts';
import type { SessionStore } from './sessions.store.ts';

export const sessionNotFound = notFound('Session');

export interface OpenedSession extends Tokens {
  sessionId: ObjectId;
}

/** The platform and device of a sign-in. */
export interface Place {
  platform: ClientPlatform;
  device: string;
  deviceId?: string;
}

/** How a session is opened. */
interface Opening {
  place: Place;
  method: SignInMethod;
  facts: RequestFacts;
  /** Whether the account was made with it. */
  isSignUp?: boolean;
  /** Runs while the member is locked, before the session is inserted. */
  also?: (tx: Transaction) => Promise<void>;
}

/** The facts verified by a sign-in, which must still hold when the session is inserted. */
export interface Verified {
  /** Read before the verification, so that the version reveals any later change. */
  user: Pick<User, 'id' | 'credentialVersion'>;
  /** The active session that authenticated the member for single sign-on with the local directory. */
  parentSessionId?: ObjectId;
}

interface SessionDeps {
  store: SessionStore;
  tokens: AccessTokens;
  database: Database;
  clock: Clock;
  newId: NewId;
  newSignIns: NewSignIns;
  /** Seconds for which the direct predecessor of the current refresh token is accepted again. */
  reuseLeewaySeconds: number;
  /** Notifies every process that a member's sessions or permissions have changed; call only after the commit. */
  publishChange: (userId: ObjectId) => Promise<void>;
}

/** Sessions of (user, platform, device), with access tokens and single-use refresh tokens. */
export function sessionRules(deps: SessionDeps) {
  const { store, tokens, database, clock, newId, newSignIns, publishChange } = deps;
  const refreshTokens = refreshTokenRules(deps);
  /**
   * Locks the member, checks that the verified facts still hold, and returns how to reach the member.
   * @throws authenticationFailed, accountInactive
   */
  async function mustStillHold(
    tx: Transaction,
    { user, parentSessionId }: Verified,
  ): Promise<{ email: string; firstName: string }> {
    const locked = await store.lockUser(tx, user.id);
    if (!locked) throw authenticationFailed();
    if (!locked.isActive) throw accountInactive();
    if (locked.credentialVersion !== user.credentialVersion) throw authenticationFailed();
    if (parentSessionId !== undefined && !(await store.isActive(tx, parentSessionId))) {
      throw authenticationFailed();
    }
    return locked;
  }

  /** Opens a session within a transaction and ends the one on the same user, platform and device. */
  async function openIn(
    tx: Transaction,
    verified: Verified,
    { place, method, facts, isSignUp = false, also }: Opening,
  ): Promise<OpenedSession & { hasReplaced: boolean }> {
    const { id: userId } = verified.user;
    const sessionId = newId();
    const session: Session = {
      id: sessionId,
      userId,
      platform: place.platform,
      device: place.device,
      deviceId: place.deviceId ?? null,
      userAgent: facts.userAgent.slice(0, 500),
      address: facts.address,
      method,
      createdAt: clock.date(),
    };
    const { refreshToken, stored } = refreshTokens.newToken(1);
    // Sent at once and executed in this order, so that the member is locked for one round trip. What is written is rolled
    // back if the facts no longer hold.
    const [owner, , hasReplaced, newPlaces, accessToken] = await Promise.all([
      mustStillHold(tx, verified),
      also?.(tx),
      store.open(tx, session, stored),
      newSignIns.note(tx, session),
      tokens.issue({ userId, sessionId }),
    ]);
    if (!isSignUp) await newSignIns.tell(tx, owner, session, newPlaces);
    return { accessToken, refreshToken, sessionId, hasReplaced };
  }

  /**
   * Ends the sessions that the target selects, effective from the next request; returns how many. If it selects all of
   * them, pending sign-ins fail too. The caller must notify other processes after the commit.
   */
  async function endIn(
    tx: Transaction,
    userId: ObjectId,
    target: SessionTarget,
    reason: string,
  ): Promise<number> {
    await store.lockUser(tx, userId);
    if (!isNarrow(target)) {
      await store.raiseCredentialVersion(tx, userId);
    }
    return store.end(tx, userId, target, { reason, at: clock.date() });
  }

  return {
    mustStillHold,
    /** Must be called before the transaction of {@link openIn}. */
    prepare: tokens.prepare,
    openIn,
    endIn,

    /**
     * Opens a session for a verified member.
     * @throws authenticationFailed when the verified facts no longer hold, accountInactive
     */
    async open(verified: Verified, opening: Opening): Promise<OpenedSession> {
      await tokens.prepare();
      const { hasReplaced, ...opened } = await database.transaction((tx) => openIn(tx, verified, opening));
      if (hasReplaced) await publishChange(verified.user.id);
      return opened;
    },

    /**
     * Ends the member's own sessions that the target selects; returns how many.
     * @throws sessionNotFound if the target names a session that is not an active one of theirs
     */
    async signOut(userId: ObjectId, target: SessionTarget): Promise<number> {
      const ended = await database.transaction((tx) => endIn(tx, userId, target, 'signed out'));
      if (ended === 0 && target.sessionId !== undefined) throw sessionNotFound();
      if (ended > 0) await publishChange(userId);
      return ended;
    },

    /** Whether {@link disown} would end a session. */
    canBeDisowned: async (sessionId: ObjectId): Promise<boolean> =>
      (await store.successorOf(sessionId)) !== undefined,

    /**
     * Ends a session that its owner does not know, or the one that has replaced it on its device: signing in there again,
     * which nobody is told, would otherwise keep it alive. The next sign-in from there is told. Returns whether one ended.
     */
    async disown(sessionId: ObjectId): Promise<boolean> {
      const userId = (await store.successorOf(sessionId))?.userId;
      if (userId === undefined) return false;
      const ended = await database.transaction(async (tx) => {
        await store.lockUser(tx, userId);
        const one = await store.successorOf(sessionId, tx);
        if (!one) return 0;
        await newSignIns.forget(tx, userId, one);
        return endIn(tx, userId, { sessionId: one.id }, 'disowned');
      });
      if (ended > 0) await publishChange(userId);
      return ended > 0;
    },

    refresh: refreshTokens.refresh,
    ofTokens: refreshTokens.ofTokens,

    hasEnded: async (sessionId: ObjectId, queries?: Queries): Promise<boolean> =>
      (await store.endedOf([sessionId], queries)).length > 0,

    /** Returns the active sessions of a user, newest first; `elevatedUntil` is null once it has passed. */
    pageOf: async (userId: ObjectId, page: PageRequest): Promise<Page<ActiveSession>> =>
      mapPage(await store.pageOf(userId, page), (session) => ({
        ...session,
        elevatedUntil: isElevated(session, clock.now()) ? session.elevatedUntil : null,
      })),
  };
}

const isNarrow = ({ platform, device, sessionId }: SessionTarget): boolean =>
  [platform, device, sessionId].some((one) => one !== undefined);

export type SessionRules = ReturnType<typeof sessionRules>;
