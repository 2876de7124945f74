import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { RequestFacts } from '../../../kernel/operations/callers.ts';
import { type PasskeyRules, passkeyRejected } from '../passkeys/passkeys.ts';
import type { OpenedSession, Place, SessionRules } from '../sessions/sessions.ts';
import type { Throttles } from '../throttles/throttles.ts';
import type { User } from '../users/users.model.ts';
import type { UserStore } from '../users/users.store.ts';
import type { UserRules } from '../users/users.ts';

interface Deps {
  passkeys: Pick<PasskeyRules, 'findByCredential' | 'verify' | 'use'>;
  users: Pick<UserRules, 'mustBeAdmitted'>;
  store: Pick<UserStore, 'find'>;
  sessions: Pick<SessionRules, 'open'>;
  throttle: Throttles;
}

/** Signing in by a passkey, which is possession and a PIN or a finger at once, and so takes no code. */
export const passkeySignIn =
  ({ passkeys, users, store, sessions, throttle }: Deps) =>
  /**
   * Opens a session for the member whose passkey has signed an unused challenge.
   * @throws passkeyRejected, accountInactive, emailNotVerified, noPlatformAccess, in this order; 429 after many rejections
   */
  async (
    response: AuthenticationResponseJSON,
    place: Place,
    facts: RequestFacts,
  ): Promise<{ user: User; opened: OpenedSession }> => {
    const known = await passkeys.findByCredential(response.id);
    // Read before the signature is judged, so that opening the session detects later changes.
    const user = known && (await store.find(known.userId));
    const subjects = [{ limit: 'signInFromAddress' as const, name: facts.network }];
    const passkey = await throttle.guard(subjects, async () => {
      const verified = known && user && (await passkeys.verify(known, response));
      if (!verified) throw passkeyRejected();
      return verified;
    });
    await users.mustBeAdmitted(user as User, place.platform);
    const opened = await sessions.open(
      { user: user as User },
      {
        place,
        method: 'passkey',
        facts,
        also: async (tx) => {
          // Removed, or used by a copy of the authenticator, in the meantime.
          if (!(await passkeys.use(tx, passkey))) throw passkeyRejected();
        },
      },
    );
    return { user: user as User, opened };
  };

export type PasskeySignIn = ReturnType<typeof passkeySignIn>;
