import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { RequestFacts } from '../../../kernel/operations/callers.ts';
import { type PasskeyRules, passkeyRejected } from '../passkeys/passkeys.ts';
import type { OpenedSession, Place, SessionRules } from '../sessions/sessions.ts';
import type { Throttles } from '../throttles/throttles.ts';
import type { User } from '../users/users.model.ts';
import type { UserRules } from '../users/users.ts';

interface Deps {
  passkeys: Pick<PasskeyRules, 'findSigner' | 'verify' | 'use'>;
  users: Pick<UserRules, 'mustBeAdmitted'>;
  sessions: Pick<SessionRules, 'open'>;
  throttle: Throttles;
}

/** Signing in by a passkey, which is possession and a PIN or a finger at once, and so takes no code. */
export const passkeySignIn =
  ({ passkeys, users, sessions, throttle }: Deps) =>
  /**
   * Opens a session for the member whose passkey has signed an unused challenge.
   * @throws passkeyRejected, accountInactive, emailNotVerified, noPlatformAccess, in this order; 429 after many rejections
   */
  async (
    response: AuthenticationResponseJSON,
    place: Place,
    facts: RequestFacts,
  ): Promise<{ user: User; opened: OpenedSession }> => {
    // Read before the signature is judged, so that opening the session detects later changes.
    const signer = await passkeys.findSigner(response.id);
    const subjects = [{ limit: 'signInFromAddress' as const, name: facts.network }];
    const { user, use } = await throttle.guard(subjects, async () => {
      const use = signer && (await passkeys.verify(signer.passkey, response));
      if (!use) throw passkeyRejected();
      return { user: signer.user, use };
    });
    await users.mustBeAdmitted(user, place.platform);
    const opened = await sessions.open(
      { user },
      {
        place,
        method: 'passkey',
        facts,
        also: async (tx) => {
          // Removed, or used by a copy of the authenticator, in the meantime.
          if (!(await passkeys.use(tx, use))) throw passkeyRejected();
        },
      },
    );
    return { user, opened };
  };

export type PasskeySignIn = ReturnType<typeof passkeySignIn>;
