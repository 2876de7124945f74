import type { BreachedPasswords } from '../../external/breaches/port.ts';
import type { CustomerDirectory } from '../../external/directory/port.ts';
import type { Core } from '../../kernel/core.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Secrets } from '../../kernel/secrets.ts';
import type { FactorRules } from './factors/factors.ts';
import { passwordPolicy } from './passwords/password-policy.ts';
import { passwordProof } from './passwords/password-proof.ts';
import { passwordRules } from './passwords/password-resets.ts';
import type { ElevationRules } from './sessions/elevation.ts';
import type { SessionRules } from './sessions/sessions.ts';
import type { IdentitySettings } from './settings.ts';
import type { Throttles } from './throttles/throttles.ts';
import type { UserStore } from './users/users.store.ts';

interface Deps extends Pick<Core, 'database' | 'events' | 'jobs' | 'audit' | 'clock' | 'log'> {
  users: UserStore;
  sessions: SessionRules;
  elevation: ElevationRules;
  factors: Pick<FactorRules, 'removeUnproven'>;
  directory: CustomerDirectory;
  throttle: Throttles;
  breached: BreachedPasswords | undefined;
  publicUrl: () => string;
  publishChange: (userId: ObjectId) => Promise<void>;
  secrets: Secrets;
  environment: string;
  settings: Pick<IdentitySettings, 'passwordBlocklist' | 'passwordWords'>;
}

/** Puts together what passwords consist of: what they must not be, the proof that a member knows theirs, and resets. */
export function memberPasswords({ secrets, ...needs }: Deps) {
  const codes = secrets.sealer('identity.reset-code');
  const policy = passwordPolicy(needs);
  const prove = passwordProof(needs);
  return {
    policy,
    prove,
    passwords: passwordRules({
      ...needs,
      policy,
      prove,
      signer: secrets.signer(),
      sealCode: (code) => codes.seal(code).toString('base64url'),
    }),
    openResetCode: (sealed: string): string => codes.open(Buffer.from(sealed, 'base64url')),
  };
}
