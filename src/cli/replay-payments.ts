import type { Platform } from '../app/platform.ts';
import { PaymentRefused, paymentUnavailable } from '../external/payment/port.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { DAY_MS, instantOf, isInstant, systemClock } from '../kernel/time/time.ts';
import { UsageFault } from './usage.ts';

/** The end of an instant with a time zone. */
const ZONED = /T.*(Z|[+-]\d\d:\d\d)$/;
/** For how long the payment provider keeps events. */
const KEPT_DAYS = 30;

/**
 * `payments replay`: applies what the payment provider has reported since a time once more, and says of how many events
 * what became of them; exits with 1 if some failed, or may be missing.
 * @throws UsageFault
 */
export function replayPayments(since = '') {
  if (!ZONED.test(since) || !isInstant(since))
    throw new UsageFault('--since is a time such as 2026-11-29T03:00:00Z');
  const from = instantOf(since);
  const nowMs = systemClock.now();
  if (from.getTime() > nowMs) throw new UsageFault('--since is a time that has passed');
  const isKept = from.getTime() >= nowMs - KEPT_DAYS * DAY_MS;

  return async ({ payments }: Platform): Promise<void> => {
    const { applied, known, failed, unreadable } = await payments.replay(from).catch((error) => {
      if (paymentUnavailable.is(error) || error instanceof PaymentRefused)
        throw new OperatorFault(`The payment provider could not be asked: ${reasonOf(error)}`);
      throw error;
    });
    console.log(
      `Events since ${from.toISOString()}: ${applied} news (applied, or an alert), ${known} known already, ${unreadable.length} not readable, ${failed} failed.`,
    );
    for (const { id, type } of unreadable) console.log(`NOT READABLE: ${id} (${type})`);
    if (failed > 0)
      console.log(`${failed} FAILED: the log says which. Repeat the command once their reason is gone.`);
    if (!isKept)
      console.log(
        `INCOMPLETE: the provider keeps events for ${KEPT_DAYS} days. Compare what it lists of the time before by hand.`,
      );
    if (failed > 0 || unreadable.length > 0 || !isKept) process.exitCode = 1;
  };
}

/** What refused says more than that it did. */
const reasonOf = ({ message, cause }: Error): string => (cause instanceof Error ? cause.message : message);
