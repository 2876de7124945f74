import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { type Failure, failure, tooManyRequests } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { onInTransaction } from '../../../kernel/messaging/events.ts';
import { invalidToken } from '../../../kernel/operations/access.ts';
import type { Caller } from '../../../kernel/operations/callers.ts';
import { emailNotVerified } from '../../../kernel/operations/verified-email.ts';
import type { Signer } from '../../../kernel/secrets.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../kernel/time/time.ts';
import { addressSuppressed } from '../../mail/contract.ts';
import { verificationMail } from '../requested-mails.schemas.ts';
import type { User } from '../users/users.model.ts';
import type { UserStore } from '../users/users.store.ts';
import type { Verification } from './email-verification.model.ts';
import type { VerificationStore } from './email-verification.store.ts';

/** Limits of verification; the description of the API states them. */
export const VERIFICATION_LIMITS = { lifetimeMs: DAY_MS, perHour: 3, wrongTries: 5 };

export const invalidVerificationCode = failure(
  400,
  'INVALID_VERIFICATION_CODE',
  'Invalid or expired verification code',
);
export const tooManyVerifications = (retryAfterSeconds: number): Failure =>
  tooManyRequests('VERIFICATION_LIMIT_EXCEEDED', retryAfterSeconds);

interface VerificationDeps extends Pick<Core, 'database' | 'events' | 'clock'> {
  store: VerificationStore;
  users: Pick<UserStore, 'lock' | 'find'>;
  /** Makes the digests of codes; without a key, a million possible codes could be tried against a stolen table. */
  signer: Signer;
  seal: (secret: string) => string;
  /** Whether signing in requires a verified address. */
  isForSignIn: boolean;
  /** Whether moving money requires a verified address. */
  isForMoney: boolean;
}

/** Verifies e-mail addresses by a code or a link that is mailed to them. */
export function verificationRules(deps: VerificationDeps) {
  const { store, users, database, events, clock, signer, seal, isForSignIn, isForMoney } = deps;
  const signedText = (...parts: string[]): string => ['email-verification', ...parts].join('\0');

  /** Mails a new code and link, which replace the earlier ones. The member must be locked, or new. */
  async function issue(
    tx: Transaction,
    { id: userId, email, firstName }: Pick<User, 'id' | 'email' | 'firstName'>,
    requestedAt: Date[] = [],
  ): Promise<void> {
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const token = randomBytes(32).toString('base64url');
    await store.put(tx, {
      userId,
      email,
      codeDigest: signer.sign(signedText(userId, email, code)),
      wrongTries: 0,
      tokenDigest: signer.sign(signedText(token)),
      expiresAt: new Date(clock.now() + VERIFICATION_LIMITS.lifetimeMs),
      requestedAt,
    });
    const data = { userId, email, firstName, code: seal(code), token: seal(token) };
    await events.publish(tx, verificationMail, data);
  }

  /**
   * Mails a requested new code and link to a locked member; if the hourly limit is reached, returns the milliseconds
   * to wait instead.
   */
  async function reissue(tx: Transaction, user: User): Promise<number> {
    const { requestedAt = [] } = (await store.find(user.id, tx)) ?? {};
    const recent = requestedAt.filter((at) => at.getTime() > clock.now() - HOUR_MS);
    const [oldest] = recent;
    if (oldest && recent.length >= VERIFICATION_LIMITS.perHour)
      return oldest.getTime() + HOUR_MS - clock.now();
    await issue(tx, user, [...recent, clock.date()]);
    return 0;
  }

  const isValid = (one: Verification | undefined, user: User): one is Verification =>
    one !== undefined && one.email === user.email && one.expiresAt.getTime() > clock.now();

  async function locked(tx: Transaction, userId: ObjectId): Promise<User> {
    const user = await users.lock(tx, userId);
    if (!user) throw invalidToken();
    return user;
  }

  return {
    issue,

    /** Verifies the address of a member by the code of the newest mail. @throws invalidVerificationCode */
    async verifyByCode(userId: ObjectId, code: string): Promise<void> {
      const isVerified = await database.transaction(async (tx) => {
        const user = await locked(tx, userId);
        const one = await store.find(userId, tx);
        // The code counts as proof also after the link, which has verified the address but does not show who signed up.
        if (!isValid(one, user) || !one.codeDigest) return user.emailVerified;
        const { codeDigest } = one;
        const digests = signer.all(signedText(userId, user.email, code));
        if (digests.some((digest) => timingSafeEqual(codeDigest, digest))) {
          await store.mark(tx, userId, true);
          return true;
        }
        const wrongTries = one.wrongTries + 1;
        const isBurnt = wrongTries >= VERIFICATION_LIMITS.wrongTries;
        await store.put(tx, { ...one, wrongTries, codeDigest: isBurnt ? null : one.codeDigest });
        return user.emailVerified;
      });
      if (!isVerified) throw invalidVerificationCode();
    },

    /** Returns the member whose address the token would verify. */
    async ownerOf(token: string): Promise<User | undefined> {
      const one = await store.findByToken(signer.all(signedText(token)));
      const user = one && (await users.find(one.userId));
      return user && isValid(one, user) ? user : undefined;
    },

    /**
     * Verifies an address by the token of the newest link to it. That is no proof of who signed up.
     * @param before runs while the member is locked; what it returns is returned
     * @throws invalidVerificationCode
     */
    async verifyByToken<Result>(
      token: string,
      before: (tx: Transaction, user: User, link: Verification) => Promise<Result>,
    ): Promise<Result> {
      const digests = signer.all(signedText(token));
      return database.transaction(async (tx) => {
        const found = await store.findByToken(digests, tx);
        const user = found && (await users.lock(tx, found.userId));
        // A newer mail may have replaced it before the member was locked.
        const one = user && (await store.findByToken(digests, tx));
        if (!user || !isValid(one, user)) throw invalidVerificationCode();
        const result = await before(tx, user, one);
        await store.mark(tx, user.id, false);
        return result;
      });
    },

    /** Verifies the address of a member without a mail. */
    vouchFor: (userId: ObjectId): Promise<void> => database.transaction((tx) => store.mark(tx, userId, true)),

    noteEnding: store.noteEnding,

    /** Mails a new code and link unless the address is verified. @throws tooManyVerifications */
    async resend(userId: ObjectId): Promise<void> {
      await database.transaction(async (tx) => {
        const user = await locked(tx, userId);
        const waitMs = user.emailVerified ? 0 : await reissue(tx, user);
        if (waitMs > 0) throw tooManyVerifications(Math.ceil(waitMs / SECOND_MS));
      });
    },

    /**
     * Refuses the sign-in of a member whose address is not verified, if the settings require that, and mails them a
     * new code.
     * @throws emailNotVerified
     */
    async mustBeVerifiedToSignIn({ id, emailVerified }: Pick<User, 'id' | 'emailVerified'>): Promise<void> {
      if (!isForSignIn || emailVerified) return;
      const isVerified = await database.transaction(async (tx) => {
        const user = await users.lock(tx, id);
        if (user && !user.emailVerified) await reissue(tx, user);
        return user?.emailVerified === true;
      });
      if (!isVerified) throw emailNotVerified();
    },

    /**
     * Checks, in a transaction that moves money, that the caller's address is still verified, and keeps it so until
     * the transaction ends. Must run before wallets are locked.
     * @throws emailNotVerified, invalidToken if the member was deleted
     */
    async mustStayVerified(tx: Transaction, caller: Caller): Promise<void> {
      if (!isForMoney || caller.kind !== 'user') return;
      const member = await store.keepAsIs(tx, caller.userId);
      if (!member) throw invalidToken();
      if (!member.emailVerified) throw emailNotVerified();
    },

    /** An address that refuses our mail no longer counts as verified. */
    ofSuppressed: onInTransaction(addressSuppressed, 'identity', ({ data: { email } }, tx) =>
      store.clear(tx, email, clock.date()),
    ),
  };
}

export type VerificationRules = ReturnType<typeof verificationRules>;
