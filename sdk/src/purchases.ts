import type { Caller } from './caller.ts';
import { type ClientCode, PlatformError } from './errors.ts';
import { getOwnCheckout, getTransaction } from './generated/operations/wallet.ts';
import type { CheckoutSession, Transaction } from './generated/wire.ts';
import { type Signal, sleep } from './host.ts';
import { isLost } from './retrying.ts';

export interface SettledOptions {
  /** How long to wait; until the checkout has expired by default, and at most 25 hours. */
  timeoutMs?: number | undefined;
  signal?: Signal | undefined;
}

const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 10_000;
/** A checkout lasts a day at most. If the platform cannot be read at all, waiting ends after this time. */
const LONGEST_MS = 25 * 3_600_000;
/** A payment made in the last moment arrives after the checkout has expired. */
const GRACE_MS = 5 * 60_000;

const failed = (message: string, code: ClientCode): PlatformError =>
  new PlatformError({ message, kind: 'client', code });

/**
 * Waits until the Keys of a checkout that `buy` has opened are in the wallet, and returns the transaction that
 * credited them. Throws a {@link PlatformError} with `CHECKOUT_FAILED` if the payment is declined, `CHECKOUT_EXPIRED` if
 * the checkout expires unpaid, and `TIMEOUT` after `timeoutMs`; the payment may still arrive then. A member who leaves the
 * page can return to it, so that this ends nothing. Since the member pays in another app, it keeps waiting through lost
 * connections and unreadable responses, for 25 hours at most; then it throws `TIMEOUT`, too.
 */
export async function settledPurchase(
  { raw }: Pick<Caller, 'raw'>,
  { checkoutSessionId, expiresAt }: Pick<CheckoutSession, 'checkoutSessionId' | 'expiresAt'>,
  { timeoutMs = LONGEST_MS, signal }: SettledOptions = {},
): Promise<Transaction> {
  const end = Date.now() + Math.min(timeoutMs, LONGEST_MS);
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 1.5)) {
    try {
      const { data, meta } = await raw(getOwnCheckout, { params: { checkoutSessionId } }, { signal });
      const { status, transactionId } = data;
      if (transactionId) return (await raw(getTransaction, { params: { transactionId } }, { signal })).data;
      if (status === 'failed') throw failed('The payment has failed', 'CHECKOUT_FAILED');
      // Uses the clock of the platform, since that of the device may be wrong.
      const isOver = status === 'open' && Date.parse(meta.timestamp) > Date.parse(expiresAt) + GRACE_MS;
      if (status === 'expired' || isOver)
        throw failed('The checkout has expired without a payment', 'CHECKOUT_EXPIRED');
    } catch (error) {
      if (!(error instanceof PlatformError) || error.kind === 'client' || !isLost(error)) throw error;
    }
    // Holds also if `timeoutMs` is not a number.
    if (!(Date.now() + pauseMs <= end))
      throw new PlatformError({
        message: 'The payment has not arrived yet',
        kind: 'timeout',
        code: 'TIMEOUT',
      });
    await sleep(pauseMs, signal);
  }
}
