import { type PaymentProvider, paymentUnavailable } from '../../external/payment/port.ts';
import type { CheckoutRules } from './checkouts.ts';
import type { PayoutRules } from './payouts.ts';
import type { ReversalRules } from './reversals.ts';

interface WebhookDeps {
  provider: PaymentProvider | undefined;
  checkouts: CheckoutRules;
  reversals: ReversalRules;
  payouts: PayoutRules;
}

export function webhookRules({ provider, checkouts, reversals, payouts }: WebhookDeps) {
  return {
    /**
     * Applies an event of the provider; resolves once it is committed. Ignores irrelevant kinds of events.
     * @throws invalidSignature, invalidEvent; paymentUnavailable without a provider
     */
    async receive(body: string, signature: string): Promise<void> {
      if (!provider) throw paymentUnavailable();
      const event = await provider.readEvent(body, signature);
      if (event?.kind === 'checkout') await checkouts.applyReport(event.checkout);
      if (event?.kind === 'payout') await payouts.applyReport(event.payout);
      if (event?.kind === 'refund') await reversals.learnRefund(event.paymentId, event.refundedCents);
      if (event?.kind === 'failed-refund') await reversals.learnFailedRefund(event.refund);
      if (event?.kind === 'dispute') await reversals.learnDispute(event.dispute);
    },
  };
}

export type Webhooks = ReturnType<typeof webhookRules>;
