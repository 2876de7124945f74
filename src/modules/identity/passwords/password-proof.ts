import { authenticationFailed, type CustomerDirectory } from '../../../external/directory/port.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { failure } from '../../../kernel/failures.ts';
import { invalidToken } from '../../../kernel/operations/access.ts';
import type { RequestFacts, UserCaller } from '../../../kernel/operations/callers.ts';
import type { SessionRules } from '../sessions/sessions.ts';
import type { Throttles } from '../throttles/throttles.ts';
import type { User } from '../users/users.model.ts';
import type { UserStore } from '../users/users.store.ts';

export const wrongPassword = failure(400, 'WRONG_PASSWORD', 'The current password is incorrect');

/** The proof that a signed-in member knows their password. */
interface Proof {
  user: User;
  /** @throws wrongPassword, invalidToken when the password or the session is no longer valid */
  mustStillHold(tx: Transaction, locked: User | undefined): Promise<User>;
}

interface ProofDeps {
  users: Pick<UserStore, 'find'>;
  sessions: Pick<SessionRules, 'hasEnded'>;
  directory: Pick<CustomerDirectory, 'authenticate'>;
  throttle: Throttles;
}

/**
 * Checks the password of a signed-in member. The caller must check again in its transaction: `mustStillHold` takes the
 * locked user. Only wrong passwords count as failed attempts: for the account from the address, and for the session
 * from all addresses, because an attacker with a stolen token may use many.
 * @throws wrongPassword, 429 after too many wrong passwords; invalidToken if the account was deleted
 */
export const passwordProof =
  ({ users, sessions, directory, throttle }: ProofDeps) =>
  async (
    { userId, sessionId, email }: UserCaller,
    { network }: RequestFacts,
    password: string,
  ): Promise<Proof> => {
    const user = await users.find(userId);
    if (!user) throw invalidToken();
    const subjects = [
      { limit: 'accountFromAddress' as const, name: `${email} ${network}` },
      { limit: 'session' as const, name: sessionId },
    ];
    const authenticate = () => directory.authenticate(user.email, password);
    await throttle.guard(subjects, authenticate).catch((error) => {
      throw authenticationFailed.is(error) ? wrongPassword() : error;
    });
    return {
      user,
      async mustStillHold(tx, locked) {
        if (!locked || (await sessions.hasEnded(sessionId, tx))) throw invalidToken();
        if (locked.passwordVersion !== user.passwordVersion) throw wrongPassword();
        return locked;
      },
    };
  };

export type Prove = ReturnType<typeof passwordProof>;
