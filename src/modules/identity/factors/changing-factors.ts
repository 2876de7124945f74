import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Events } from '../../../kernel/messaging/events.ts';
import { invalidToken } from '../../../kernel/operations/access.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { factorsChangedMail } from '../requested-mails.schemas.ts';
import type { ElevationRules } from '../sessions/elevation.ts';
import type { SessionStore } from '../sessions/sessions.store.ts';
import type { User } from '../users/users.model.ts';
import type { UserStore } from '../users/users.store.ts';
import type { FactorChange } from './factors.model.ts';
import type { FactorStore } from './factors.store.ts';

interface ChangingDeps {
  store: FactorStore;
  users: Pick<UserStore, 'lock'>;
  sessions: Pick<SessionStore, 'raiseCredentialVersion'>;
  elevation: ElevationRules;
  events: Events;
}

/** The steps that every change of a member's factors has in common. They run while the member is locked. */
export function changingFactors({ store, users, sessions, elevation, events }: ChangingDeps) {
  const tell = ({ id: userId, email, firstName }: User, tx: Transaction, change: FactorChange) =>
    events.publish(tx, factorsChangedMail, { userId, email, firstName, change });

  return {
    tell,
    /**
     * Locks the caller. A caller with a factor must have stepped up with it.
     * @throws stepUpRequired, invalidToken if the session has ended or the account was deleted
     */
    async lock(tx: Transaction, caller: UserCaller): Promise<User> {
      const user = await users.lock(tx, caller.userId);
      if (!user) throw invalidToken();
      await elevation.mustBeElevated(tx, caller);
      return user;
    },
    /**
     * Completes the addition of a factor. After the first one, earlier proofs no longer count: elevations and pending
     * sign-ins end.
     */
    async added(tx: Transaction, user: User, hadFactor: boolean, change: FactorChange): Promise<void> {
      await store.noteFactors(tx, user.id);
      if (!hadFactor) {
        await elevation.end(tx, user.id);
        await sessions.raiseCredentialVersion(tx, user.id);
      }
      await tell(user, tx, change);
    },
    /**
     * Completes the removal of factors: elevations end at once, and recovery codes are removed with the last
     * factor.
     */
    async removed(tx: Transaction, user: User, change: FactorChange): Promise<void> {
      if (!(await store.noteFactors(tx, user.id))) await store.deleteAll(tx, user.id);
      await elevation.end(tx, user.id);
      await tell(user, tx, change);
    },
    /** Returns whether the member has a factor. */
    hasFactor: async (tx: Transaction, userId: ObjectId): Promise<boolean> => {
      const { totp, passkeys } = await store.stateOf(userId, tx);
      return totp || passkeys > 0;
    },
  };
}

export type ChangingFactors = ReturnType<typeof changingFactors>;
