import type { Platform } from '../app/platform.ts';
import { PaymentRefused, paymentUnavailable } from '../external/payment/port.ts';
import { UsageFault } from './usage.ts';

/** An instant with its time zone. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** `payments replay`: applies what the payment provider has reported since a time once more; exits with 1 if some of it failed. */
export function replayPayments(since: string | undefined) {
  const from = new Date(since ?? '');
  if (!INSTANT.test(since ?? '') || Number.isNaN(from.getTime()))
    throw new UsageFault('--since is a time such as 2026-11-29T03:00:00Z');
  return async ({ payments }: Platform): Promise<void> => {
    const { applied, failed } = await payments.replay(from).catch((error) => {
      if (paymentUnavailable.is(error) || error instanceof PaymentRefused)
        throw new UsageFault(`The payment provider could not be asked: ${reasonOf(error)}`);
      throw error;
    });
    console.log(`${applied} events since ${from.toISOString()} are applied, each of them once.`);
    if (failed === 0) return;
    console.log(`${failed} FAILED: the log says which. Repeat the command once their reason is gone.`);
    process.exitCode = 1;
  };
}

const reasonOf = ({ message, cause }: Error): string =>
  cause instanceof Error ? `${message}: ${cause.message}` : message;
