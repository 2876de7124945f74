import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { failure, validationFailed } from '../../../kernel/failures.ts';
import { invalidToken } from '../../../kernel/operations/access.ts';
import type { RequestFacts, UserCaller } from '../../../kernel/operations/callers.ts';
import { type FactorRules, wrongMfaCode } from '../factors/factors.ts';
import { type PasskeyRules, passkeyRefused } from '../passkeys/passkeys.ts';
import type { Prove } from '../passwords/password-proof.ts';
import type { ElevationRules } from '../sessions/elevation.ts';
import { codesOf, type Throttles } from '../throttles/throttles.ts';
import type { User } from '../users/users.model.ts';
import type { UserStore } from '../users/users.store.ts';

export const wrongFactor = failure(
  400,
  'WRONG_FACTOR',
  'Confirm with a factor that you have: a second factor if there is one, else the password',
);

/** The proof with which a member steps up: exactly one of these. */
export interface Proof {
  password?: string;
  mfaCode?: string;
  passkey?: AuthenticationResponseJSON;
}

interface StepUpDeps extends Pick<Core, 'database'> {
  users: Pick<UserStore, 'lock'>;
  factors: FactorRules;
  passkeys: Pick<PasskeyRules, 'verifyOf' | 'use'>;
  elevation: ElevationRules;
  prove: Prove;
  throttle: Throttles;
  hasSignedInFrom: (email: string, network: string) => Promise<boolean>;
}

/** Step-up: a member confirms who they are, so that their session may move money or change rights for a while. */
export function stepUpRules(deps: StepUpDeps) {
  const { database, users, factors, passkeys, elevation, prove, throttle, hasSignedInFrom } = deps;

  async function lock(tx: Transaction, { userId }: UserCaller): Promise<User> {
    const user = await users.lock(tx, userId);
    if (!user) throw invalidToken();
    return user;
  }

  /** Steps up by password, which suffices only for members without a second factor. */
  async function byPassword(caller: UserCaller, facts: RequestFacts, password: string): Promise<Date> {
    if (caller.hasFactor) throw wrongFactor();
    const { mustStillHold } = await prove(caller, facts, password);
    return database.transaction(async (tx) => {
      await mustStillHold(tx, await lock(tx, caller));
      const { totp, passkeys } = await factors.stateOf(caller.userId, tx);
      if (totp || passkeys > 0) throw wrongFactor();
      return elevation.elevate(tx, caller);
    });
  }

  /** Steps up by a code, which is spent only if the session is elevated. */
  async function byCode(caller: UserCaller, network: string, code: string): Promise<Date> {
    const { totp, recoveryCodesLeft } = await factors.stateOf(caller.userId);
    if (!totp && recoveryCodesLeft === 0) throw wrongFactor();
    const subjects = [
      ...attemptsOf(caller, network),
      codesOf(caller.userId, await hasSignedInFrom(caller.email, network)),
    ];
    return throttle.guard(subjects, () =>
      database.transaction(async (tx) => {
        await lock(tx, caller);
        if (!(await factors.useCode(tx, caller.userId, code))) throw wrongMfaCode();
        return elevation.elevate(tx, caller);
      }),
    );
  }

  async function byPasskey(
    caller: UserCaller,
    network: string,
    response: AuthenticationResponseJSON,
  ): Promise<Date> {
    if ((await factors.stateOf(caller.userId)).passkeys === 0) throw wrongFactor();
    return throttle.guard(attemptsOf(caller, network), async () => {
      const passkey = await passkeys.verifyOf(caller.userId, response);
      return database.transaction(async (tx) => {
        await lock(tx, caller);
        if (!(await passkeys.use(tx, passkey))) throw passkeyRefused();
        return elevation.elevate(tx, caller);
      });
    });
  }

  return {
    /**
     * Elevates the session of the caller.
     * @throws wrongFactor, wrongPassword, wrongMfaCode, passkeyRefused; 422 unless exactly one proof is given; 429 after too many wrong
     * ones; invalidToken if the session has ended
     */
    async stepUp(caller: UserCaller, facts: RequestFacts, proof: Proof): Promise<{ until: Date }> {
      const { password, mfaCode, passkey } = proof;
      const { network } = facts;
      const given = Object.values(proof).filter((one) => one !== undefined);
      if (given.length !== 1)
        throw validationFailed([{ field: 'mfaCode', message: 'or another proof is required, and only one' }]);
      if (password !== undefined) return { until: await byPassword(caller, facts, password) };
      if (mfaCode !== undefined) return { until: await byCode(caller, network, mfaCode) };
      return { until: await byPasskey(caller, network, passkey as AuthenticationResponseJSON) };
    },
  };
}

/** Returns the subjects for which wrong proofs of a signed-in member are counted. */
const attemptsOf = ({ email, sessionId }: UserCaller, network: string) => [
  { limit: 'accountFromAddress' as const, name: `${email} ${network}` },
  { limit: 'session' as const, name: sessionId },
];

export type StepUpRules = ReturnType<typeof stepUpRules>;
