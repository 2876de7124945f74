import type { Database } from '../../../kernel/database/database.ts';
import { failure } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { codesOf, type Throttles } from '../throttles/throttles.ts';
import type { UserStore } from '../users/users.store.ts';
import type { FactorRules } from './factors.ts';

export const mfaRequired = failure(401, 'MFA_REQUIRED', 'Send the code of your authenticator app as mfaCode');
export const invalidMfaCode = failure(401, 'INVALID_MFA_CODE', 'The code is wrong, or was used before');

interface Deps {
  database: Database;
  users: Pick<UserStore, 'lock'>;
  factors: Pick<FactorRules, 'isAsked' | 'useCode'>;
  throttle: Throttles;
}

/** The codes required by sign-ins with a password, after the password has been verified. */
export const signInCodes = ({ database, users, factors, throttle }: Deps) => ({
  /**
   * Spends the code if the member has an authenticator; returns whether a code is missing.
   * @param isFromKnownAddress whether the member has signed in from there before
   * @throws invalidMfaCode, 429 after too many wrong ones
   */
  async isMissing(userId: ObjectId, code: string | undefined, isFromKnownAddress: boolean): Promise<boolean> {
    if (!(await factors.isAsked(userId))) return false;
    if (code === undefined) return true;
    await throttle.guard([codesOf(userId, isFromKnownAddress)], async () => {
      const isGood = await database.transaction(async (tx) => {
        await users.lock(tx, userId);
        return factors.useCode(tx, userId, code);
      });
      if (!isGood) throw invalidMfaCode();
    });
    return false;
  },
});

export type SignInCodes = ReturnType<typeof signInCodes>;
