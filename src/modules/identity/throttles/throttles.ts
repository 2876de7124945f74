import type { Cache } from '../../../kernel/distributed/cache.ts';
import type { RateWindow } from '../../../kernel/distributed/rate-limiter.ts';
import { Failure, tooManyRequests } from '../../../kernel/failures.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time/time.ts';
import { signInRefusals } from './refusals.ts';

const quarterHour = (limit: number): RateWindow[] => [
  { name: 'quarter-hour', lengthMs: 15 * MINUTE_MS, limit },
];
const hour = (limit: number): RateWindow[] => [{ name: 'hour', lengthMs: HOUR_MS, limit }];

/** Allowed failures, in addition to the limits of API keys. */
const LIMITS = {
  /** Wrong passwords for one account from one address. */
  accountFromAddress: quarterHour(10),
  /** Wrong passwords for one account from all addresses that its owner has never used. */
  accountFromStrangers: quarterHour(50),
  /** Wrong passwords in one session, from all addresses. */
  session: quarterHour(10),
  /** Wrong codes of an account, by those who know the password: from addresses that its owner has used, and from all others. */
  codesOfAccount: [{ name: 'day', lengthMs: DAY_MS, limit: 50 }],
  signInFromAddress: quarterHour(300),
  signUpFromAddress: hour(100),
  codesFromAddress: hour(100),
  resetsFromAddress: hour(100),
} as const satisfies Record<string, RateWindow[]>;

interface Subject {
  limit: keyof typeof LIMITS;
  /** The key that is counted, such as an e-mail or an address. */
  name: string;
}

/**
 * Returns what wrong codes of a member count against. Those from addresses that the owner has used are counted by
 * themselves, so that whoever knows the password cannot use up what the owner needs to get in.
 */
export const codesOf = (userId: string, isFromKnownAddress: boolean): Subject => ({
  limit: 'codesOfAccount',
  name: isFromKnownAddress ? `${userId} known` : userId,
});

const tooManyAttempts = (retryAfterSeconds: number): Failure =>
  tooManyRequests('TOO_MANY_ATTEMPTS', retryAfterSeconds);

/** Example of the failure for the API documentation. */
export const tooManyAttemptsFailure = () => tooManyAttempts(900);

/**
 * Rate-limits password guessing. An attempt is counted before it starts, so that concurrent attempts are all counted,
 * and refunded when it succeeds or fails because of the platform. If pending attempts exhaust the allowance, later ones
 * wait for them, because they may succeed.
 */
export function throttles(cache: Cache, clock: Clock) {
  const pending = new Map<string, Set<Promise<unknown>>>();
  const keyOf = ({ limit, name }: Subject): string => `throttle:${limit}:${name}`;

  async function take(subject: Subject): Promise<void> {
    for (;;) {
      const nowMs = clock.now();
      const { admitted, windows } = await cache.consume(keyOf(subject), LIMITS[subject.limit], nowMs);
      if (admitted) return;
      const others = pending.get(keyOf(subject));
      if (!others) {
        const resetMs = Math.max(...windows.map(({ resetAtMs }) => resetAtMs));
        throw tooManyAttempts(Math.max(1, Math.ceil((resetMs - nowMs) / SECOND_MS)));
      }
      await Promise.race(others);
    }
  }

  async function giveBack(subjects: Subject[]): Promise<void> {
    const nowMs = clock.now();
    await Promise.all(subjects.map((one) => cache.refund(keyOf(one), LIMITS[one.limit], nowMs)));
  }

  async function settle<T>(subjects: Subject[], attempt: () => Promise<T>): Promise<T> {
    try {
      const result = await attempt();
      await giveBack(subjects);
      return result;
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) await giveBack(subjects);
      throw error;
    }
  }

  /** Registers a pending attempt for which others can wait. */
  function announce(subjects: Subject[], attempt: Promise<unknown>): void {
    const settled = attempt.catch(() => undefined);
    for (const key of subjects.map(keyOf)) {
      const all = pending.get(key) ?? new Set();
      pending.set(key, all.add(settled));
      void settled.then(() => {
        all.delete(settled);
        if (all.size === 0) pending.delete(key);
      });
    }
  }

  return {
    refusals: signInRefusals(cache, clock),
    /** Returns whether the next attempt of this subject would be refused. */
    async isExhausted(subject: Subject): Promise<boolean> {
      const { admitted } = await cache.consume(keyOf(subject), LIMITS[subject.limit], clock.now());
      if (admitted) await giveBack([subject]);
      return !admitted;
    },
    /** @throws 429 after too many failures, and the errors of the attempt */
    async guard<T>(subjects: Subject[], attempt: () => Promise<T>): Promise<T> {
      const taken: Subject[] = [];
      try {
        for (const subject of subjects) {
          await take(subject);
          taken.push(subject);
        }
      } catch (error) {
        await giveBack(taken);
        throw error;
      }
      const settling = settle(subjects, attempt);
      announce(subjects, settling);
      return settling;
    },
  };
}

export type Throttles = ReturnType<typeof throttles>;
