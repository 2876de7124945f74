import type { Core } from '../../kernel/core.ts';
import { type RateWindow, secondsUntil } from '../../kernel/distributed/rate-limiter.ts';
import { digestOf } from '../../kernel/secrets.ts';
import { HOUR_MS } from '../../kernel/time/time.ts';

/**
 * How many mails of one kind an address gets within an hour. Everybody can sign up with an address that is not theirs, and
 * cause mails to it: by signing in from ever new devices, or by deleting the account and signing up again.
 */
export const MAILS_OF_A_KIND: RateWindow = { name: 'hour', lengthMs: HOUR_MS, limit: 10 };
/** One more mail says that there are further ones, which would otherwise hide behind the first ten. */
const SUMMARIES: RateWindow = { ...MAILS_OF_A_KIND, limit: 1 };

/** What an address may get of one kind now. */
export interface Admission {
  /** The mail itself, a summary in its place, or nothing. */
  of: 'mail' | 'summary' | 'nothing';
  /** Seconds until the address may get mails of this kind again. */
  afterSeconds: number;
  /** Takes back that the mail was counted, because it was not sent. */
  giveBack: () => Promise<void>;
}

/** Returns the function that counts a mail of a kind, and tells what its address may get. */
export const mailLimit =
  ({ cache, clock }: Pick<Core, 'cache' | 'clock'>) =>
  async ({ kind, to }: { kind: string; to: string }, hasSummary: boolean): Promise<Admission> => {
    const key = `mails:${kind}:${digestOf(to).toString('base64url')}`;
    const nowMs = clock.now();
    const giveBack = (window: RateWindow, counted: string) => () => cache.refund(counted, [window], nowMs);
    const mails = await cache.consume(key, [MAILS_OF_A_KIND], nowMs);
    const afterSeconds = secondsUntil(mails, nowMs);
    if (mails.admitted) return { of: 'mail', afterSeconds, giveBack: giveBack(MAILS_OF_A_KIND, key) };
    const isSummarized = hasSummary && (await cache.consume(`${key}:more`, [SUMMARIES], nowMs)).admitted;
    return {
      of: isSummarized ? 'summary' : 'nothing',
      afterSeconds,
      giveBack: isSummarized ? giveBack(SUMMARIES, `${key}:more`) : async () => undefined,
    };
  };
