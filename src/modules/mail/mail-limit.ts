import type { Core } from '../../kernel/core.ts';
import type { RateWindow } from '../../kernel/distributed/rate-limiter.ts';
import { digestOf } from '../../kernel/secrets.ts';
import { HOUR_MS } from '../../kernel/time/time.ts';

/**
 * How many mails of one kind an address gets within an hour. Everybody can sign up with an address that is not theirs, and
 * cause mails to it: by signing in from ever new devices, or by deleting the account and signing up again.
 */
export const MAILS_OF_A_KIND: RateWindow = { name: 'hour', lengthMs: HOUR_MS, limit: 10 };

/**
 * Returns the function that sends a mail unless its address has had as many of this kind as it may; attempts that are
 * made again do not count.
 * @returns undefined if the mail was not sent
 */
export const mailLimit =
  ({ cache, clock }: Pick<Core, 'cache' | 'clock'>) =>
  async <Outcome>(
    { kind, to }: { kind: string; to: string },
    send: () => Promise<Outcome>,
  ): Promise<Outcome | undefined> => {
    const key = `mails:${kind}:${digestOf(to).toString('base64url')}`;
    const nowMs = clock.now();
    if (!(await cache.consume(key, [MAILS_OF_A_KIND], nowMs)).admitted) return undefined;
    try {
      return await send();
    } catch (error) {
      await cache.refund(key, [MAILS_OF_A_KIND], nowMs);
      throw error;
    }
  };
