import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { batching } from '../../../kernel/concurrency/batching.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { isRolledBack } from '../../../kernel/database/rolled-back.ts';
import { serviceUnavailable } from '../../../kernel/failures.ts';
import type { RequestFacts } from '../../../kernel/operations/callers.ts';
import { type JudgedSignature, type PasskeyRules, passkeyRejected } from '../passkeys/passkeys.ts';
import type { OpenedSession, Opening, Place } from '../sessions/opening.ts';
import type { SessionRules } from '../sessions/sessions.ts';
import type { Throttles } from '../throttles/throttles.ts';
import type { User } from '../users/users.model.ts';
import type { UserRules } from '../users/users.ts';
import { type Opened, type PasskeyOpening, passkeyOpeningStore } from './passkey-openings.store.ts';

interface Deps {
  database: Database;
  passkeys: Pick<PasskeyRules, 'judge' | 'use'>;
  users: Pick<UserRules, 'mustBeAdmitted'>;
  sessions: Pick<SessionRules, 'prepare' | 'draft' | 'openDrafted' | 'open'>;
  throttle: Throttles;
}

/** Signing in by a passkey. A passkey combines possession with a PIN or a fingerprint, so no code is required. */
export function passkeySignIn({ database, passkeys, users, sessions, throttle }: Deps) {
  const store = passkeyOpeningStore(database);
  /**
   * Opens the sessions of sign-ins that arrive together by one statement. A sign-in that the statement leaves out
   * gets undefined, and then a transaction of its own, which finds the reason. Each batch contains a member once.
   */
  const openTogether = batching<PasskeyOpening, Opened | undefined>(
    async (openings) => {
      const ofMember = new Map(openings.toReversed().map((one) => [one.session.userId, one]));
      try {
        const opened = new Map((await store.open([...ofMember.values()])).map((one) => [one.id, one]));
        return openings.map(({ session }) => opened.get(session.id));
      } catch (error) {
        if (!isRolledBack(error)) throw error;
        return openings.map(() => undefined);
      }
    },
    { maxSize: 100, concurrency: 2, maxQueued: 5_000, onOverflow: serviceUnavailable },
  );

  async function open({ user, use }: JudgedSignature, opening: Opening): Promise<OpenedSession> {
    await sessions.prepare();
    const { stored: token, ...drafted } = sessions.draft(user.id, opening);
    const { credentialVersion } = user;
    const opened = await sessions.openDrafted(drafted, () =>
      openTogether({ session: drafted.session, token, use, credentialVersion }),
    );
    return (
      opened ??
      sessions.open(
        { user },
        {
          ...opening,
          also: async (tx) => {
            // The passkey was meanwhile removed, or used by a copy of the authenticator.
            if (!(await passkeys.use(tx, use))) throw passkeyRejected();
          },
        },
      )
    );
  }

  /**
   * Opens a session for the member whose passkey has signed an unused challenge.
   * @throws passkeyRejected, accountInactive, emailNotVerified, noPlatformAccess, in this order; 429 after many rejections
   */
  return async (
    response: AuthenticationResponseJSON,
    place: Place,
    facts: RequestFacts,
  ): Promise<{ user: User; opened: OpenedSession }> => {
    const subjects = [{ limit: 'signInFromAddress' as const, name: facts.network }];
    const judged = await throttle.guard(subjects, async () => {
      const judged = await passkeys.judge(response);
      if (!judged) throw passkeyRejected();
      return judged;
    });
    await users.mustBeAdmitted(judged.user, place.platform);
    const opened = await open(judged, { place, method: 'passkey', facts });
    return { user: judged.user, opened };
  };
}

export type PasskeySignIn = ReturnType<typeof passkeySignIn>;
