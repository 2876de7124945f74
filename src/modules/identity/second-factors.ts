import type { Core } from '../../kernel/core.ts';
import type { Secrets } from '../../kernel/secrets.ts';
import { changingFactors } from './factors/changing-factors.ts';
import { factorStore } from './factors/factors.store.ts';
import { factorRules } from './factors/factors.ts';
import { recoveryCodes } from './factors/recovery-codes.ts';
import { signInCodes } from './factors/sign-in-codes.ts';
import type { SpentTokenStore } from './keys/spent-tokens.store.ts';
import { passkeyChallenges } from './passkeys/challenges.ts';
import { passkeyStore } from './passkeys/passkeys.store.ts';
import { passkeyRules } from './passkeys/passkeys.ts';
import { webAuthn } from './passkeys/web-authn.ts';
import { sealers } from './sealed-columns.ts';
import type { ElevationRules } from './sessions/elevation.ts';
import type { SessionStore } from './sessions/sessions.store.ts';
import { type IdentitySettings, passkeyDomainOf } from './settings.ts';
import type { Throttles } from './throttles/throttles.ts';
import type { UserStore } from './users/users.store.ts';

interface Deps extends Pick<Core, 'database' | 'events' | 'audit' | 'clock' | 'newId' | 'log'> {
  users: UserStore;
  sessions: SessionStore;
  elevation: ElevationRules;
  throttle: Throttles;
  spentTokens: SpentTokenStore;
  secrets: Secrets;
  environment: string;
  settings: Pick<IdentitySettings, 'passkeyRpId' | 'passkeyOrigins'>;
}

/** Creates the parts of second factors: authenticator apps, recovery codes and passkeys. */
export function secondFactors({ secrets, environment, settings, ...needs }: Deps) {
  const { database } = needs;
  const store = factorStore(database);
  const changing = changingFactors({ ...needs, store });
  const factors = factorRules({
    ...needs,
    store,
    changing,
    codes: recoveryCodes(secrets),
    sealer: sealers(secrets).authenticators,
  });
  const rpId = passkeyDomainOf(settings, environment);
  const passkeys = passkeyRules({
    ...needs,
    store: passkeyStore(database),
    changing,
    web: webAuthn({
      challenges: passkeyChallenges({ ...needs, secrets }),
      rpId,
      origins: settings.passkeyOrigins ?? (environment === 'production' ? [`https://${rpId}`] : undefined),
    }),
  });
  return {
    store,
    factors,
    passkeys,
    codes: signInCodes({ ...needs, factors }),
    /** In production, loads in advance the library that the first passkey would otherwise wait for. */
    prepare: async () => {
      if (environment === 'production') await passkeys.prepare();
    },
  };
}
