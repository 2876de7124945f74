import { randomInt, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import type { CustomerDirectory } from '../../../external/directory/port.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { Queries, Transaction } from '../../../kernel/database/queries.ts';
import { type Failure, failure, tooManyRequests } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Events } from '../../../kernel/messaging/events.ts';
import { type Jobs, job, jobKind } from '../../../kernel/messaging/jobs.ts';
import type { RequestFacts, UserCaller } from '../../../kernel/operations/callers.ts';
import type { Actor, Audit } from '../../../kernel/records/audit.ts';
import type { Signer } from '../../../kernel/secrets.ts';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time/time.ts';
import type { FactorRules } from '../factors/factors.ts';
import { passwordChangedMail, passwordResetMail } from '../requested-mails.schemas.ts';
import type { ElevationRules } from '../sessions/elevation.ts';
import type { SessionRules } from '../sessions/sessions.ts';
import type { User } from '../users/users.model.ts';
import type { UserStore } from '../users/users.store.ts';
import { canonicalEmail } from '../users/users.ts';
import type { PasswordPolicy } from './password-policy.ts';
import type { Prove } from './password-proof.ts';
import type { ResetState } from './password-resets.model.ts';
import { passwordResetStore as store } from './password-resets.store.ts';

/** Limits of password resets; the description of the API states them. */
export const RESET_LIMITS = { pauseMs: 2 * MINUTE_MS, perDay: 5, codeLifetimeMs: HOUR_MS, wrongTries: 5 };

const sendCode = jobKind('identity.send-reset-code', {
  version: 1,
  data: Type.Object({ email: Type.String(), requestedAt: Type.Integer() }),
});

export const invalidCode = failure(400, 'INVALID_RESET_CODE', 'Invalid or expired reset code');
export const tooManyResets = (retryAfterSeconds: number): Failure =>
  tooManyRequests('RESET_LIMIT_EXCEEDED', retryAfterSeconds);

interface ResetDeps {
  users: UserStore;
  sessions: SessionRules;
  elevation: Pick<ElevationRules, 'mustBeElevated'>;
  factors: Pick<FactorRules, 'removeUnproven'>;
  directory: CustomerDirectory;
  prove: Prove;
  policy: PasswordPolicy;
  database: Database;
  events: Events;
  jobs: Pick<Jobs, 'enqueue'>;
  audit: Pick<Audit, 'record'>;
  clock: Clock;
  /** Makes the digests of codes; without a key, a million possible codes could be tried against a stolen table. */
  signer: Signer;
  sealCode: (code: string) => string;
  /** Notifies every process that sessions of a member have ended; call only after the commit. */
  publishChange: (userId: ObjectId) => Promise<void>;
}

/**
 * Returns the number of requests today, including this one. Strangers can use up the requests of a day, so that those of
 * administrators are not counted.
 * @throws tooManyResets, also for unknown e-mails
 */
function admitRequest(state: ResetState | undefined, nowMs: number, isByAdministrator: boolean): number {
  if (!state) return isByAdministrator ? 0 : 1;
  const sinceMs = nowMs - state.requestedAt.getTime();
  if (sinceMs < RESET_LIMITS.pauseMs)
    throw tooManyResets(Math.ceil((RESET_LIMITS.pauseMs - sinceMs) / SECOND_MS));
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const before = state.day === today ? state.requestsOnDay : 0;
  if (isByAdministrator) return before;
  if (before < RESET_LIMITS.perDay) return before + 1;
  throw tooManyResets(Math.ceil((Date.parse(today) + 24 * HOUR_MS - nowMs) / SECOND_MS));
}

export function passwordRules(deps: ResetDeps) {
  const { users, sessions, elevation, directory, prove, policy, database, events, jobs, audit, clock } = deps;
  const { factors, signer, sealCode, publishChange } = deps;
  const signedText = (email: string, code: string): string => `${email}\0${code}`;

  /** Returns the user of a code, unless their e-mail or password has changed since the request. */
  async function ownerOf(state: ResetState | undefined, queries?: Queries): Promise<User | undefined> {
    if (!state || state.userId === null) return undefined;
    const user = await users.find(state.userId, queries);
    const isSame = user?.email === state.email && user.passwordVersion === state.passwordVersion;
    return isSame ? user : undefined;
  }

  /**
   * Returns the locked owner of a valid code; undefined if it is invalid. Counts failed attempts, and voids the code at
   * the fifth. A password change since the request also voids it.
   */
  async function tryCode(tx: Transaction, email: string, code: string): Promise<User | undefined> {
    const state = await store.lock(tx, email);
    const digests = signer.all(signedText(email, code));
    if (!state?.codeDigest || state.expiresAt.getTime() <= clock.now()) return undefined;
    const { codeDigest: stored } = state;
    if (digests.some((digest) => timingSafeEqual(stored, digest))) {
      await users.lock(tx, state.userId as ObjectId);
      return ownerOf(state, tx);
    }
    const wrongTries = state.wrongTries + 1;
    const codeDigest = wrongTries < RESET_LIMITS.wrongTries ? state.codeDigest : null;
    await store.setCode(tx, email, { codeDigest, wrongTries });
    return undefined;
  }

  /** Ends the user's sessions, pending sign-ins and reset codes after a password change. The user must be locked. */
  async function afterChange(tx: Transaction, user: User, keep?: ObjectId): Promise<void> {
    await users.raisePasswordVersion(tx, user.id);
    await sessions.endIn(tx, user.id, { except: keep }, 'password changed');
    const { id: userId, email, firstName } = user;
    await events.publish(tx, passwordChangedMail, { userId, email, firstName });
  }

  return {
    /**
     * Sends a code by e-mail if the address belongs to an account. Neither the result nor the time taken reveals
     * whether it does: a job looks up the account and generates the code later.
     * @throws tooManyResets
     */
    async request(address: string, by?: { target: ObjectId; actor: Actor }): Promise<void> {
      const email = canonicalEmail(address);
      await database.transaction(async (tx) => {
        const nowMs = clock.now();
        const requestsOnDay = admitRequest(await store.lock(tx, email), nowMs, by !== undefined);
        await store.begin(tx, {
          email,
          requestedAt: new Date(nowMs),
          day: new Date(nowMs).toISOString().slice(0, 10),
          requestsOnDay,
          expiresAt: new Date(nowMs + RESET_LIMITS.codeLifetimeMs),
        });
        await jobs.enqueue(tx, sendCode, [{ email, requestedAt: nowMs }]);
        if (by)
          await audit.record(tx, { ...by.actor, action: 'user.password-reset-sent', target: by.target });
      });
    },

    /** Generates the code for a request and sends it. */
    sendCode: job(sendCode, {
      runIn: async (tx, { email, requestedAt }) => {
        const state = await store.lock(tx, email);
        const user = await ownerOf(state, tx);
        // A later request has replaced this one, or the password has changed since.
        if (!user || state?.requestedAt.getTime() !== requestedAt) return;
        const code = String(randomInt(1_000_000)).padStart(6, '0');
        await store.setCode(tx, email, { codeDigest: signer.sign(signedText(email, code)), wrongTries: 0 });
        await events.publish(tx, passwordResetMail, {
          email,
          firstName: user.firstName,
          code: sealCode(code),
        });
      },
    }),

    /** @throws invalidCode */
    async validate(address: string, code: string): Promise<void> {
      const owner = await database.transaction((tx) => tryCode(tx, canonicalEmail(address), code));
      if (!owner) throw invalidCode();
    },

    /**
     * Spends the code, sets the password and ends every session. Factors from before the first proof of the address end, too.
     * @throws invalidCode; 422 for an unfit password: for the names of its owner only once the code has
     * proved right, which it then remains
     */
    async reset(address: string, code: string, password: string): Promise<void> {
      const email = canonicalEmail(address);
      await policy.mustBeFit(password, { email }, 'newPassword');
      // Hashed before the code is checked, so that a wrong code takes as long as a right one and no lock is held while
      // hashing.
      const enrol = await directory.preparePassword(email, password);
      const owner = await database.transaction(async (tx) => {
        const user = await tryCode(tx, email, code);
        if (!user) return undefined;
        await policy.mustBeUnguessable(password, user, 'newPassword');
        await store.setCode(tx, email, { codeDigest: null, wrongTries: 0 });
        await enrol(tx, user.id);
        await afterChange(tx, user);
        if (await users.proveEmail(tx, user.id)) await factors.removeUnproven(tx, user, 'removed-by-reset');
        return user;
      });
      if (!owner) throw invalidCode();
      await publishChange(owner.id);
    },

    /**
     * Sets a new password and ends the user's other sessions.
     * @throws stepUpRequired; 422 for an unfit password; wrongPassword also when the password has changed concurrently; 429 after too many wrong ones;
     * invalidToken when the session has ended
     */
    async change(
      caller: UserCaller,
      facts: RequestFacts,
      { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
    ): Promise<void> {
      const { userId, sessionId } = caller;
      const { user, mustStillHold } = await prove(caller, facts, currentPassword);
      await policy.mustBeFit(newPassword, user, 'newPassword');
      const enrol = await directory.preparePassword(user.email, newPassword);
      await database.transaction(async (tx) => {
        const locked = await mustStillHold(tx, await users.lock(tx, userId));
        await elevation.mustBeElevated(tx, caller);
        await enrol(tx, userId);
        await afterChange(tx, locked, sessionId);
      });
      await publishChange(userId);
    },
  };
}

export type PasswordRules = ReturnType<typeof passwordRules>;
