import type { Database } from '../../../kernel/database/database.ts';
import { mapPage, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import type { Queries, Transaction } from '../../../kernel/database/queries.ts';
import { notFound } from '../../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../../kernel/ids.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { NewSignIns } from './new-sign-ins.ts';
import { openingRules } from './opening.ts';
import { refreshTokenRules } from './refresh-tokens.ts';
import { type ActiveSession, isElevated, type SessionTarget } from './sessions.model.ts';
import type { SessionStore } from './sessions.store.ts';

export const sessionNotFound = notFound('Session');

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
  const { store, database, clock, newSignIns, publishChange } = deps;
  const refreshTokens = refreshTokenRules(deps);
  const opening = openingRules({ ...deps, refreshTokens });

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
    ...opening,
    endIn,

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
      (await store.successorsOf(sessionId)).length > 0,

    /**
     * Ends a session that its owner does not recognize, with those that have replaced it or were opened from it; otherwise
     * signing in there again, which sends no mail, would keep it alive. The next sign-in from there is mailed.
     * Returns how many sessions ended.
     */
    async disown(sessionId: ObjectId): Promise<number> {
      const userId = (await store.successorsOf(sessionId))[0]?.userId;
      if (userId === undefined) return 0;
      const ended = await database.transaction(async (tx) => {
        await store.lockUser(tx, userId);
        const successors = await store.successorsOf(sessionId, tx);
        if (successors[0]) await newSignIns.forget(tx, userId, successors[0]);
        let count = 0;
        for (const { id } of successors) count += await endIn(tx, userId, { sessionId: id }, 'disowned');
        return count;
      });
      if (ended > 0) await publishChange(userId);
      return ended;
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
