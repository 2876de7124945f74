import { batching } from '../../../kernel/concurrency/batching.ts';
import { serviceUnavailable } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { accountInactive, invalidToken } from '../../../kernel/operations/access.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import type { Authenticated } from '../contract.ts';
import type { AccessTokens } from './access-tokens.ts';
import { isElevated, type KnownSession } from './sessions.model.ts';
import type { SessionStore } from './sessions.store.ts';

/** A session, and when reading it began, by `performance.now()`. */
interface FoundSession {
  session: KnownSession | undefined;
  asOfMs: number;
}

interface AuthenticatingDeps {
  store: Pick<SessionStore, 'findAll'>;
  tokens: Pick<AccessTokens, 'verify' | 'endedKeys'>;
  clock: Clock;
  /** Whether members need a verified e-mail address to move money. */
  needsVerifiedEmail: boolean;
}

/** The caller of a request, as stored in the database at that moment. */
export function authenticating({ store, tokens, clock, needsVerifiedEmail }: AuthenticatingDeps) {
  const findSession = batching<string, FoundSession>(
    async (sessionIds) => {
      const asOfMs = performance.now();
      return (await store.findAll(sessionIds)).map((session) => ({ session, asOfMs }));
    },
    { maxSize: 500, concurrency: 1, maxQueued: 10_000, onOverflow: serviceUnavailable },
  );

  const callerOf = (session: KnownSession): UserCaller => {
    const { userId, email, permissions, sessionId, hasFactor } = session;
    return {
      kind: 'user',
      userId,
      email,
      permissions,
      sessionId,
      hasFactor,
      isElevated: isElevated(session, clock.now()),
      lacksVerifiedEmail: needsVerifiedEmail && !session.isEmailVerified,
    };
  };

  /**
   * Returns the owner of an access token with their current data: an ended session, a deactivated account or a changed
   * permission takes effect on the next request, in every process.
   */
  async function authenticateUntil(accessToken: string): Promise<Authenticated> {
    const { sessionId, userId, expiresMs, kid } = await tokens.verify(accessToken);
    const { session, asOfMs } = await findSession(sessionId);
    if (!session || session.userId !== userId) throw invalidToken();
    // Before the session, which ends with the account: signing in again would not help.
    if (!session.isActive) throw accountInactive();
    if (session.isEnded) throw invalidToken();
    return {
      caller: callerOf(session),
      expiresAt: new Date(expiresMs),
      keyId: kid,
      asOfMs,
    };
  }

  return {
    authenticateUntil,
    checkToken: async (accessToken: string): Promise<void> => void (await tokens.verify(accessToken)),
    endedKeys: tokens.endedKeys,
    authenticate: async (accessToken: string): Promise<UserCaller> =>
      (await authenticateUntil(accessToken)).caller,

    /** Returns the current data of the members whose sessions, among those given, are active. */
    callersOf: async (sessionIds: ObjectId[]): Promise<UserCaller[]> =>
      (await store.findAll(sessionIds)).flatMap((one) =>
        one && !one.isEnded && one.isActive ? [callerOf(one)] : [],
      ),
  };
}
