import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { authenticationFailed, type CustomerDirectory } from '../../external/directory/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { type Events, eventKind } from '../../kernel/events.ts';
import { Failure, failure, tooManyRequests } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Jobs } from '../../kernel/jobs.ts';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/time.ts';
import { type ResetState, passwordResetStore as store } from './password-resets.store.ts';
import type { SessionRules } from './sessions.ts';
import type { User, UserStore } from './users.store.ts';
import { canonicalEmail } from './users.ts';

/** Part 1, Limits: password reset. */
const PAUSE_MS = 2 * MINUTE_MS;
const MOST_A_DAY = 5;
const CODE_LIFETIME_MS = HOUR_MS;
const MOST_WRONG_TRIES = 5;

const SEND_CODE = 'identity.send-reset-code';

export const invalidCode = failure(400, 'INVALID_RESET_CODE', 'Invalid or expired reset code');
export const tooManyResets = (retryAfterSeconds: number): Failure =>
  tooManyRequests('RESET_LIMIT_EXCEEDED', retryAfterSeconds);
export const wrongPassword = failure(400, 'WRONG_PASSWORD', 'The current password is wrong');

/** A code is to be mailed. The code is sealed: jobs are kept for a while. */
export const passwordResetMail = eventKind<{ email: string; firstName: string; code: string }>(
  'email.password-reset',
);
export const passwordChangedMail = eventKind<{ userId: ObjectId; email: string; firstName: string }>(
  'email.password-changed',
);

interface ResetNeeds {
  users: UserStore;
  sessions: SessionRules;
  directory: CustomerDirectory;
  database: Database;
  events: Events;
  jobs: Pick<Jobs, 'enqueue'>;
  clock: Clock;
  /** Keyed into the digests of codes: a million codes are quickly tried against a stolen table. */
  pepper: string;
  sealCode: (code: string) => string;
}

export function passwordRules({
  users,
  sessions,
  directory,
  database,
  events,
  jobs,
  clock,
  pepper,
  sealCode,
}: ResetNeeds) {
  const digestOf = (email: string, code: string): Buffer =>
    createHmac('sha256', pepper).update(`${email}\0${code}`).digest();

  /** @throws tooManyResets, for e-mails that nobody has too */
  function admitRequest(state: ResetState | undefined, nowMs: number): number {
    if (!state) return 1;
    const sinceMs = nowMs - state.requestedAt.getTime();
    if (sinceMs < PAUSE_MS) throw tooManyResets(Math.ceil((PAUSE_MS - sinceMs) / SECOND_MS));
    const today = new Date(nowMs).toISOString().slice(0, 10);
    if (state.day !== today) return 1;
    if (state.requestsOnDay < MOST_A_DAY) return state.requestsOnDay + 1;
    throw tooManyResets(Math.ceil((Date.parse(today) + 24 * HOUR_MS - nowMs) / SECOND_MS));
  }

  /** Whether this is the living code; a wrong try is counted, and the fifth burns the code. */
  async function tryCode(tx: Transaction, email: string, code: string): Promise<boolean> {
    const state = await store.lock(tx, email);
    const digest = digestOf(email, code);
    if (!state?.codeDigest || state.expiresAt.getTime() <= clock.now()) return false;
    if (timingSafeEqual(state.codeDigest, digest)) return true;
    const wrongTries = state.wrongTries + 1;
    await store.put(tx, {
      ...state,
      wrongTries,
      codeDigest: wrongTries < MOST_WRONG_TRIES ? state.codeDigest : null,
    });
    return false;
  }

  async function afterChange(tx: Transaction, user: User, keep?: ObjectId): Promise<void> {
    await sessions.end(user.id, { except: keep }, 'password changed', tx);
    const { id: userId, email, firstName } = user;
    await events.publish(tx, passwordChangedMail, { userId, email, firstName });
  }

  return {
    /**
     * Has a code mailed, if the e-mail is somebody's; nothing tells whether it is, not even the time taken: who it
     * is and what the code is comes later, in a job.
     * @throws tooManyResets
     */
    async request(address: string): Promise<void> {
      const email = canonicalEmail(address);
      await database.transaction(async (tx) => {
        const nowMs = clock.now();
        const requestsOnDay = admitRequest(await store.lock(tx, email), nowMs);
        await store.put(tx, {
          email,
          requestedAt: new Date(nowMs),
          day: new Date(nowMs).toISOString().slice(0, 10),
          requestsOnDay,
          codeDigest: null,
          expiresAt: new Date(nowMs + CODE_LIFETIME_MS),
          wrongTries: 0,
        });
        await jobs.enqueue(tx, SEND_CODE, [{ email, requestedAt: nowMs }]);
      });
    },

    /** The job behind a request: makes the code of a user and has it mailed. */
    sendCode: {
      name: SEND_CODE,
      runIn: async (tx: Transaction, { email, requestedAt }: { email: string; requestedAt: number }) => {
        const user = await users.findByEmail(email);
        const state = await store.lock(tx, email);
        // A later request has taken the place of this one.
        if (!user || state?.requestedAt.getTime() !== requestedAt) return;
        const code = String(randomInt(1_000_000)).padStart(6, '0');
        await store.put(tx, { ...state, codeDigest: digestOf(email, code) });
        await events.publish(tx, passwordResetMail, {
          email,
          firstName: user.firstName,
          code: sealCode(code),
        });
      },
    },

    /** @throws invalidCode */
    async validate(address: string, code: string): Promise<void> {
      const isGood = await database.transaction((tx) => tryCode(tx, canonicalEmail(address), code));
      if (!isGood) throw invalidCode();
    },

    /** Spends the code, sets the password, ends every session. @throws invalidCode */
    async reset(address: string, code: string, password: string): Promise<void> {
      const email = canonicalEmail(address);
      // Hashed first, so that a wrong code takes as long as a right one and no lock waits for it.
      const enrol = await directory.preparePassword(email, password);
      const isDone = await database.transaction(async (tx) => {
        if (!(await tryCode(tx, email, code))) return false;
        const user = await users.findByEmail(email);
        const state = await store.lock(tx, email);
        if (!user || !state) return false;
        await store.put(tx, { ...state, codeDigest: null });
        await enrol(tx, user.id);
        await afterChange(tx, user);
        return true;
      });
      if (!isDone) throw invalidCode();
    },

    /** Sets a new password and ends the user's other sessions. @throws wrongPassword */
    async change(userId: ObjectId, sessionId: ObjectId, current: string, next: string): Promise<void> {
      const user = (await users.find(userId)) as User;
      try {
        await directory.authenticate(user.email, current);
      } catch (error) {
        if (error instanceof Failure && error.code === authenticationFailed().code) throw wrongPassword();
        throw error;
      }
      const enrol = await directory.preparePassword(user.email, next);
      await database.transaction(async (tx) => {
        await enrol(tx, userId);
        await afterChange(tx, user, sessionId);
      });
    },
  };
}

export type PasswordRules = ReturnType<typeof passwordRules>;
