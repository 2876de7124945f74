import type { Logger } from 'pino';
import { type PaymentEvent, type PaymentProvider, paymentUnavailable } from '../../external/payment/port.ts';
import type { CheckoutRules } from './checkouts.ts';
import type { Replayed } from './contract.ts';
import type { PayoutRules } from './payouts.ts';
import type { ReversalRules } from './reversals.ts';

interface WebhookDeps {
  provider: PaymentProvider | undefined;
  checkouts: CheckoutRules;
  reversals: ReversalRules;
  payouts: PayoutRules;
  log: Logger;
}

/** Told to operators, who run the command with other settings than the processes. */
const NO_PROVIDER = new Error('none is configured (PAYMENT_PROVIDER)');

/** Names what an event tells of, in the provider's words; a field of the name `sessionId` would be taken for a secret. */
function aboutOf(event: PaymentEvent): string {
  if (event.kind === 'checkout') return `checkout ${event.checkout.sessionId}`;
  if (event.kind === 'payout') return `payout ${event.payout.payoutId}`;
  if (event.kind === 'refund') return `refund of payment ${event.paymentId}`;
  if (event.kind === 'failed-refund') return `failed refund of payment ${event.refund.paymentId}`;
  return `dispute ${event.dispute.disputeId} of payment ${event.dispute.paymentId}`;
}

const reasonOf = ({ message, cause }: Error): string =>
  cause instanceof Error ? `${message}: ${cause.message}` : message;

export function webhookRules({ provider, checkouts, reversals, payouts, log }: WebhookDeps) {
  /**
   * Applies an event; resolves once it is committed, with whether it was news. It takes effect once, however often it is
   * applied.
   */
  async function apply(event: PaymentEvent): Promise<boolean> {
    if (event.kind === 'checkout') return checkouts.applyReport(event.checkout);
    if (event.kind === 'payout') return payouts.applyReport(event.payout);
    if (event.kind === 'refund') return reversals.learnRefund(event.paymentId, event.refundedCents);
    if (event.kind === 'failed-refund') return reversals.learnFailedRefund(event.refund);
    return reversals.learnDispute(event.dispute);
  }

  return {
    /**
     * Applies an event of the provider; resolves once it is committed. Ignores irrelevant kinds of events.
     * @throws invalidSignature, invalidEvent; paymentUnavailable without a provider
     */
    async receive(body: string, signature: string): Promise<void> {
      if (!provider) throw paymentUnavailable();
      const event = await provider.readEvent(body, signature);
      if (event) await apply(event);
    },

    /**
     * Applies all events of the provider since a time once more, oldest first: after a restore nobody else tells of those
     * that were received after the dump. Goes on after one that fails.
     * @throws paymentUnavailable, also without a provider; PaymentRefused
     */
    async replay(since: Date): Promise<Replayed> {
      if (!provider) throw Object.assign(paymentUnavailable(), { cause: NO_PROVIDER });
      const { events, unreadable } = await provider.eventsSince(since);
      const counts = { applied: 0, known: 0, failed: 0 };
      for (const event of events)
        try {
          counts[(await apply(event)) ? 'applied' : 'known']++;
        } catch (error) {
          counts.failed++;
          log.error(
            { about: aboutOf(event), error: reasonOf(error as Error) },
            'an event of the payment provider could not be applied again',
          );
        }
      return { ...counts, unreadable };
    },
  };
}

export type Webhooks = ReturnType<typeof webhookRules>;
