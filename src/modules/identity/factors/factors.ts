import { randomBytes } from 'node:crypto';
import encodeQR from 'qr';
import type { Core } from '../../../kernel/core.ts';
import type { Queries, Transaction } from '../../../kernel/database/queries.ts';
import { failure, notFound } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import type { Actor } from '../../../kernel/records/audit.ts';
import { answered, type IdempotencyContext } from '../../../kernel/records/idempotency.ts';
import { opener, type Sealer } from '../../../kernel/secrets.ts';
import { userNotFound } from '../contract.ts';
import type { User } from '../users/users.model.ts';
import type { UserStore } from '../users/users.store.ts';
import type { ChangingFactors } from './changing-factors.ts';
import type { Authenticator, FactorChange, FactorState } from './factors.model.ts';
import type { FactorStore } from './factors.store.ts';
import { normalized, type RecoveryCodes } from './recovery-codes.ts';
import { base32, otpauthUrl, stepOf, stillRemembered } from './totp.ts';

export const authenticatorNotFound = notFound('Authenticator app');
export const authenticatorActive = failure(
  409,
  'MFA_ALREADY_ACTIVE',
  'You have an authenticator app; remove it before you add another one',
);
export const noFactor = failure(409, 'MFA_NOT_ACTIVE', 'You have no second factor');
/** The status is 400, since a 401 would make clients refresh their token. */
export const wrongMfaCode = failure(400, 'INVALID_MFA_CODE', 'The code is wrong, or was used before');

const ISSUER = 'Platform';
/** What proved an address for the first time, for the audit log. */
const FIRST_PROOFS = {
  'removed-by-reset': 'The reset of the password is the first proof of the address',
  'removed-by-owner': 'Whoever followed the link of the verification mail said that they had not signed up',
};
/** The length that RFC 4226 recommends. */
const SECRET_BYTES = 20;

interface FactorDeps extends Pick<Core, 'database' | 'clock' | 'audit' | 'log'> {
  store: FactorStore;
  users: Pick<UserStore, 'lock'>;
  changing: ChangingFactors;
  codes: RecoveryCodes;
  sealer: Sealer;
}

/** Authenticator apps and recovery codes. Each check and the action that it permits run while the member is locked. */
export function factorRules(deps: FactorDeps) {
  const { store, users, changing, codes, sealer, database, clock, audit, log } = deps;
  const open = opener(sealer, log, 'secrets of authenticator apps');

  /** Spends an authenticator's code; returns whether it was valid and unused. */
  async function useStep(
    tx: Transaction,
    userId: ObjectId,
    { sealed, usedSteps }: Authenticator,
    code: string,
  ): Promise<boolean> {
    const nowMs = clock.now();
    const secret = open(sealed);
    // It was sealed with a SECRET_KEY that is lost: no code of the app is right any longer.
    if (secret === undefined) return false;
    const step = stepOf(Buffer.from(secret, 'base64'), code, nowMs);
    if (step === undefined || usedSteps.includes(step)) return false;
    await store.setUsedSteps(tx, userId, [...stillRemembered(usedSteps, nowMs), step]);
    return true;
  }

  async function renew(tx: Transaction, userId: ObjectId): Promise<{ recoveryCodes: string[] }> {
    const recoveryCodes = codes.generate();
    const digests = recoveryCodes.map((code) => codes.digest(userId, code));
    await store.putRecoveryCodes(tx, userId, digests);
    return { recoveryCodes };
  }

  /**
   * Spends a code of an authenticator or a recovery code; returns whether it was valid. The member must be locked.
   * Wrong codes are counted for the member, from whatever address, because whoever tries them already knows the
   * password.
   */
  async function useCode(tx: Transaction, userId: ObjectId, given: string): Promise<boolean> {
    const code = normalized(given);
    if (!/^\d{6}$/.test(code)) return store.spendRecoveryCode(tx, userId, codes.digest(userId, code));
    const authenticator = await store.findAuthenticator(userId, tx);
    return authenticator?.confirmedAt ? useStep(tx, userId, authenticator, code) : false;
  }

  /** Removes every factor of a locked member, who is notified; returns how many there were. */
  async function removeAllIn(
    tx: Transaction,
    user: User,
    change: FactorChange,
    actor: Actor,
  ): Promise<number> {
    const { totp, passkeys } = await store.stateOf(user.id, tx);
    const factors = passkeys + (totp ? 1 : 0);
    await store.deleteAll(tx, user.id);
    if (factors === 0) return 0;
    await changing.removed(tx, user, change);
    const details = { totp, passkeys };
    await audit.record(tx, { ...actor, action: 'user.factors-removed', target: user.id, details });
    return factors;
  }

  return {
    stateOf: (userId: ObjectId, queries?: Queries): Promise<FactorState> => store.stateOf(userId, queries),

    /**
     * Generates the secret of a new authenticator, which replaces an unconfirmed one.
     * @throws authenticatorActive
     */
    enrol: (caller: UserCaller, idempotency: IdempotencyContext) =>
      database.transaction(async (tx) => {
        const { id, email } = await changing.lock(tx, caller);
        if ((await store.findAuthenticator(id, tx))?.confirmedAt) throw authenticatorActive();
        const bytes = randomBytes(SECRET_BYTES);
        await store.putAuthenticator(tx, id, sealer.seal(bytes.toString('base64')), clock.date());
        const secret = base32(bytes);
        const url = otpauthUrl(ISSUER, email, secret);
        const enrolled = { secret, otpauthUrl: url, qrSvg: encodeQR(url, 'svg', { ecc: 'low', scale: 4 }) };
        return answered(tx, { idempotency }, enrolled);
      }),

    /** Activates the authenticator; returns new recovery codes. @throws authenticatorNotFound, authenticatorActive, wrongMfaCode */
    confirm: (caller: UserCaller, code: string) =>
      database.transaction(async (tx) => {
        const user = await changing.lock(tx, caller);
        const authenticator = await store.findAuthenticator(user.id, tx);
        if (!authenticator) throw authenticatorNotFound();
        if (authenticator.confirmedAt) throw authenticatorActive();
        if (!(await useStep(tx, user.id, authenticator, normalized(code)))) throw wrongMfaCode();
        const hadFactor = await changing.hasFactor(tx, user.id);
        await store.confirm(tx, user.id, clock.date());
        await changing.added(tx, user, hadFactor, 'authenticator-added');
        return renew(tx, user.id);
      }),

    /** @throws noFactor */
    renewRecoveryCodes: (caller: UserCaller) =>
      database.transaction(async (tx) => {
        const user = await changing.lock(tx, caller);
        if (!(await changing.hasFactor(tx, user.id))) throw noFactor();
        await changing.tell(user, tx, 'recovery-codes-renewed');
        return renew(tx, user.id);
      }),

    /** @throws authenticatorNotFound */
    removeAuthenticator: (caller: UserCaller): Promise<FactorState> =>
      database.transaction(async (tx) => {
        const user = await changing.lock(tx, caller);
        if (!(await store.findAuthenticator(user.id, tx))?.confirmedAt) throw authenticatorNotFound();
        await store.deleteAuthenticator(tx, user.id);
        await changing.removed(tx, user, 'authenticator-removed');
        return store.stateOf(user.id, tx);
      }),

    /**
     * Removes every factor of a member, on behalf of an administrator; returns how many there were.
     * @throws userNotFound
     */
    removeAll: (userId: ObjectId, actor: Actor): Promise<number> =>
      database.transaction(async (tx) => {
        const user = await users.lock(tx, userId);
        if (!user) throw userNotFound();
        return removeAllIn(tx, user, 'removed-by-administrator', actor);
      }),

    /**
     * Removes the factors of a locked member of whom this is the first proof that the address is theirs: somebody else may have
     * signed up with it, and would come back by their passkey.
     */
    async removeUnproven(tx: Transaction, user: User, proof: keyof typeof FIRST_PROOFS): Promise<void> {
      await removeAllIn(tx, user, proof, { actor: user.id, reason: FIRST_PROOFS[proof] });
    },

    useCode,

    /** Whether signing in by password requires a code, too. */
    isAsked: async (userId: ObjectId): Promise<boolean> =>
      Boolean((await store.findAuthenticator(userId))?.confirmedAt),
  };
}

export type FactorRules = ReturnType<typeof factorRules>;
