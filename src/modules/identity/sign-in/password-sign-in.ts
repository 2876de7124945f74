import type { Customer, CustomerDirectory } from '../../../external/directory/port.ts';
import { Failure } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { VerificationRules } from '../email-verification/email-verification.ts';
import { mfaRequired, type SignInCodes } from '../factors/sign-in-codes.ts';
import type { ClientPlatform } from '../platforms/platforms.model.ts';
import type { Throttles } from '../throttles/throttles.ts';
import type { User } from '../users/users.model.ts';
import type { UserStore } from '../users/users.store.ts';
import { canonicalEmail, type UserRules } from '../users/users.ts';

/** A sign-in by password. */
interface Credentials {
  email: string;
  password: string;
  platform: ClientPlatform;
  mfaCode: string | undefined;
  /** The network that the request comes from. */
  from: string;
}

interface Deps {
  users: Pick<UserRules, 'admit' | 'accountOf'>;
  store: Pick<UserStore, 'findByEmail'>;
  directory: Pick<CustomerDirectory, 'authenticate'>;
  codes: SignInCodes;
  throttle: Throttles;
  verification: Pick<VerificationRules, 'mustBeVerifiedToSignIn'>;
  /** Returns whether the owner of this e-mail has signed in from this network before. */
  hasSignedInFrom: (email: string, network: string) => Promise<boolean>;
}

/** Signing in by e-mail and password, and by a code where the account has an authenticator. */
export function passwordSignIn(deps: Deps) {
  const { users, store, directory, codes, throttle, verification, hasSignedInFrom } = deps;
  /**
   * Returns the account for an e-mail and password, and a code if it has an authenticator, if it has access to the
   * platform. The factor is looked at only once the password is right. A missing code is no failed attempt.
   * @throws authenticationFailed, accountInactive, mfaRequired, invalidMfaCode, emailNotVerified, noPlatformAccess, in this order; 429
   * after many wrong passwords and codes
   */
  async function signIn({ email: address, password, platform, mfaCode, from }: Credentials): Promise<User> {
    const email = canonicalEmail(address);
    const isFromKnownAddress = await hasSignedInFrom(email, from);
    const subjects = [
      { limit: 'signInFromAddress' as const, name: from },
      { limit: 'accountFromAddress' as const, name: `${email} ${from}` },
      // Unknown networks share one limit, from which networks that the owner has used before are exempt.
      ...(isFromKnownAddress ? [] : [{ limit: 'accountFromStrangers' as const, name: email }]),
    ];
    // The code can be used only once, but the customer may be verified twice.
    let checkedAccountId: ObjectId | undefined;
    let isMissing = false;
    const attempt = async (): Promise<{ customer: Customer; account: User | undefined }> => {
      const customer = await directory.authenticate(email, password);
      const account = await users.accountOf(customer);
      if (account?.isActive && account.id !== checkedAccountId) {
        isMissing = await codes.isMissing(account.id, mfaCode, isFromKnownAddress);
        checkedAccountId = account.id;
      }
      return { customer, account };
    };
    const verify = () =>
      throttle.guard(subjects, attempt).catch(async (error: unknown) => {
        const { status, details } = error instanceof Failure ? error : {};
        const seconds = status === 429 ? details?.retryAfterSeconds : undefined;
        // Also for an address without an account, which a response that came sooner would give away.
        if (seconds !== undefined) await throttle.refusals.note(email, from, seconds);
        throw error;
      });
    const check = async (account: User) => {
      if (isMissing) throw mfaRequired();
      await verification.mustBeVerifiedToSignIn(account);
    };
    return (await users.admit(platform, await store.findByEmail(email), { verify, check })).user;
  }

  return signIn;
}

export type PasswordSignIn = ReturnType<typeof passwordSignIn>;
