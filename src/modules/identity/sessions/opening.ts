import { authenticationFailed } from '../../../external/directory/port.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { NewId, ObjectId } from '../../../kernel/ids.ts';
import { accountInactive } from '../../../kernel/operations/access.ts';
import type { RequestFacts } from '../../../kernel/operations/callers.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import type { ClientPlatform } from '../platforms/platforms.model.ts';
import type { User } from '../users/users.model.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { NewSignIns } from './new-sign-ins.ts';
import type { RefreshTokenRules, Tokens } from './refresh-tokens.ts';
import type { RefreshToken, Session, SignInMethod } from './sessions.model.ts';
import type { SessionStore } from './sessions.store.ts';

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
export interface Opening {
  place: Place;
  method: SignInMethod;
  facts: RequestFacts;
  /** Whether the account was created by this sign-in. */
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

interface OpeningDeps {
  store: Pick<SessionStore, 'lockUser' | 'isActive' | 'open'>;
  tokens: Pick<AccessTokens, 'prepare' | 'issue'>;
  refreshTokens: Pick<RefreshTokenRules, 'newToken'>;
  database: Database;
  clock: Clock;
  newId: NewId;
  newSignIns: NewSignIns;
  publishChange: (userId: ObjectId) => Promise<void>;
}

/** Opens sessions. */
export function openingRules(deps: OpeningDeps) {
  const { store, tokens, refreshTokens, database, clock, newId, newSignIns, publishChange } = deps;

  /** Returns a session that is not yet stored, and its first refresh token. */
  function draft(
    userId: ObjectId,
    { place, method, facts }: Pick<Opening, 'place' | 'method' | 'facts'>,
  ): { session: Session; refreshToken: string; stored: RefreshToken } {
    const session: Session = {
      id: newId(),
      userId,
      platform: place.platform,
      device: place.device,
      deviceId: place.deviceId ?? null,
      userAgent: facts.userAgent.slice(0, 500),
      address: facts.address,
      method,
      createdAt: clock.date(),
    };
    return { session, ...refreshTokens.newToken(1) };
  }

  /**
   * Locks the member, checks that the verified facts still hold, and returns the contact of the member.
   * @throws authenticationFailed, accountInactive
   */
  async function mustStillHold(
    tx: Transaction,
    { user, parentSessionId }: Verified,
  ): Promise<{ email: string; firstName: string }> {
    // Both are sent before the statement that may end the parent, because the new session replaces it on its device.
    const [locked, isParentActive] = await Promise.all([
      store.lockUser(tx, user.id),
      parentSessionId === undefined || store.isActive(tx, parentSessionId),
    ]);
    if (!locked) throw authenticationFailed();
    if (!locked.isActive) throw accountInactive();
    if (locked.credentialVersion !== user.credentialVersion) throw authenticationFailed();
    if (!isParentActive) throw authenticationFailed();
    return locked;
  }

  /** Opens a session within a transaction and ends the one on the same user, platform and device. */
  async function openIn(
    tx: Transaction,
    verified: Verified,
    { isSignUp = false, also, ...opening }: Opening,
  ): Promise<OpenedSession & { hasReplaced: boolean }> {
    const { id: userId } = verified.user;
    const { session, refreshToken, stored } = draft(userId, opening);
    // The statements are sent at once and executed in this order, so that the member is locked for one round trip.
    // They are rolled back if the facts no longer hold.
    const [owner, , hasReplaced, newPlaces, accessToken] = await Promise.all([
      mustStillHold(tx, verified),
      also?.(tx),
      store.open(tx, session, stored, verified.parentSessionId),
      newSignIns.note(tx, session),
      tokens.issue({ userId, sessionId: session.id }),
    ]);
    if (!isSignUp) await newSignIns.tell(tx, owner, session, newPlaces);
    return { accessToken, refreshToken, sessionId: session.id, hasReplaced };
  }

  return {
    draft,
    /** Must be called before the transaction of {@link openIn}. */
    prepare: tokens.prepare,
    openIn,

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
     * Opens the session of a draft by the single statement for ordinary sign-ins; returns undefined if that did not
     * store it.
     */
    async openDrafted(
      { session, refreshToken }: Pick<ReturnType<typeof draft>, 'session' | 'refreshToken'>,
      store: () => Promise<{ hasReplaced: boolean } | undefined>,
    ): Promise<OpenedSession | undefined> {
      const { id: sessionId, userId } = session;
      const accessToken = await tokens.issue({ userId, sessionId });
      const stored = await store();
      if (stored?.hasReplaced) await publishChange(userId);
      return stored && { accessToken, refreshToken, sessionId };
    },
  };
}
