import type { Transaction } from '../../../kernel/database/queries.ts';
import { validationFailed } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { invalidToken } from '../../../kernel/operations/access.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../../kernel/operations/callers.ts';
import { mustHaveVerifiedEmail } from '../../../kernel/operations/verified-email.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { type RemainingKeys, userNotFound } from '../contract.ts';
import type { VerificationRules } from '../email-verification/email-verification.ts';
import type { Prove } from '../passwords/password-proof.ts';
import type { ElevationRules } from '../sessions/elevation.ts';
import type { User } from '../users/users.model.ts';

interface AccountDeletionDeps {
  accounts: Pick<Accounts, 'remove'>;
  elevation: Pick<ElevationRules, 'mustBeElevated'>;
  prove: Prove;
  verification: Pick<VerificationRules, 'mustStayVerified'>;
}

/** Deletion of accounts by their owners. */
export const accountDeletion = ({ accounts, elevation, prove, verification }: AccountDeletionDeps) => ({
  /**
   * Erases the account of the caller and ends all of their sessions. A session that has stepped up needs no password.
   * @throws emailNotVerified if the Keys are to be paid out, stepUpRequired, wrongPassword, 422 if the password is missing, 429 after too many wrong passwords, lastAdministrator, and the failures of the wallet
   */
  async leave(
    caller: UserCaller,
    { password, remainingKeys }: { password?: string; remainingKeys?: RemainingKeys },
    facts: RequestFacts,
  ): Promise<{ userId: ObjectId }> {
    const { userId } = caller;
    if (remainingKeys === 'withdraw') mustHaveVerifiedEmail(caller);
    if (password === undefined && !caller.isElevated)
      throw validationFailed([{ field: 'password', message: 'is required' }]);
    const proof = password === undefined ? undefined : await prove(caller, facts, password);
    const removal = {
      remainingKeys,
      check: async (tx: Transaction, user: User) => {
        if (remainingKeys === 'withdraw') await verification.mustStayVerified(tx, caller);
        await proof?.mustStillHold(tx, user);
        await elevation.mustBeElevated(tx, caller);
      },
    };
    await accounts.remove(userId, actorOf(caller, facts), removal).catch(asSignedOut);
    return { userId };
  },
});

/** A concurrently deleted account has no valid session. */
function asSignedOut(error: unknown): never {
  throw userNotFound.is(error) ? invalidToken() : error;
}

export type AccountDeletion = ReturnType<typeof accountDeletion>;
