import type { Core } from '../../kernel/core.ts';
import type { Secrets } from '../../kernel/secrets.ts';
import { verificationStore } from './email-verification/email-verification.store.ts';
import { verificationRules } from './email-verification/email-verification.ts';
import { type IdentitySettings, verifiedEmailOf } from './settings.ts';
import type { UserStore } from './users/users.store.ts';

interface Deps extends Pick<Core, 'database' | 'events' | 'clock'> {
  users: UserStore;
  secrets: Secrets;
  environment: string;
  settings: Pick<IdentitySettings, 'verifiedEmail'>;
}

/** Creates the parts that verify e-mail addresses. */
export function verifiedEmails({ secrets, environment, settings, ...needs }: Deps) {
  const neededFor = verifiedEmailOf(settings, environment);
  const sealer = secrets.sealer('identity.email-verification');
  const verification = verificationRules({
    ...needs,
    store: verificationStore(needs.database),
    signer: secrets.signer(),
    seal: (secret) => sealer.seal(secret).toString('base64url'),
    isForSignIn: neededFor === 'signin',
    isForMoney: neededFor !== 'off',
  });
  return {
    verification,
    needsVerifiedEmail: neededFor !== 'off',
    isVerifiedToSignIn: neededFor === 'signin',
    /** Opens a sealed code or token. */
    openVerification: (sealed: string): string => sealer.open(Buffer.from(sealed, 'base64url')),
  };
}
