import type { CustomerDirectory } from '../../../external/directory/port.ts';
import type { Core } from '../../../kernel/core.ts';
import type { Actor } from '../../../kernel/records/audit.ts';
import type { PasswordRules } from '../passwords/password-resets.ts';
import { type PlatformVerdict, platformVerdicts } from '../platforms/sku-access.ts';
import type { ThrottledSignIn } from '../throttles/refusals.ts';
import type { Throttles } from '../throttles/throttles.ts';
import type { User } from '../users/users.model.ts';
import type { Reason } from './support.model.ts';

interface SupportDeps extends Pick<Core, 'clock'> {
  directory: Pick<CustomerDirectory, 'products'>;
  passwords: Pick<PasswordRules, 'request'>;
  throttle: Pick<Throttles, 'isExhausted' | 'refusals'>;
  /** Whether signing in requires a verified address. */
  isVerifiedToSignIn: boolean;
}

/** The means of support for a member who cannot sign in. */
export const supportRules = ({ directory, passwords, throttle, isVerifiedToSignIn, clock }: SupportDeps) => ({
  /** Returns for each platform whether the member can sign in there now, and why not. */
  async accessOf({ email, isActive, emailVerified }: User) {
    const [products, isThrottled] = await Promise.all([
      directory.products(email),
      throttle.isExhausted({ limit: 'accountFromStrangers', name: email }),
    ]);
    const obstacle = obstacleOf({
      isActive,
      isThrottled,
      isUnverified: isVerifiedToSignIn && !emailVerified,
    });
    return platformVerdicts(products, clock.now()).map((verdict) => {
      const reason = obstacle ?? reasonOf(verdict);
      const { platform, sku, until, acceptedSkus } = verdict;
      return { platform, allowed: reason === 'ok', reason, sku, until, acceptedSkus };
    });
  },
  /** Returns from where sign-ins of the member are refused at the moment, and until when. */
  throttledOf: ({ email }: User): Promise<ThrottledSignIn[]> => throttle.refusals.of(email),
  /** Sends the code with which the user sets a new password. @throws 429 as their own request would */
  sendPasswordReset: ({ id, email }: User, actor: Actor): Promise<void> =>
    passwords.request(email, { target: id, actor }),
});

export type SupportRules = ReturnType<typeof supportRules>;

/** Returns the reason why a member can sign in nowhere, if there is one. */
function obstacleOf(member: {
  isActive: boolean;
  isThrottled: boolean;
  isUnverified: boolean;
}): Reason | undefined {
  if (!member.isActive) return 'inactive';
  if (member.isThrottled) return 'throttled';
  return member.isUnverified ? 'unverified' : undefined;
}

function reasonOf({ isOpen, sku }: PlatformVerdict): Reason {
  if (isOpen) return 'ok';
  return sku === null ? 'no_sku' : 'expired';
}
