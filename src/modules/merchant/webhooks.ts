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
     * Takes in what the provider tells; resolves once it is committed. Kinds that are none of ours are ignored.
     * @throws invalidSignature, invalidEvent, paymentUnavailable where there is no provider
     */
    async receive(body: string, signature: string): Promise<void> {
      if (!provider) throw paymentUnavailable();
      const event = provider.readEvent(body, signature);
      if (event?.kind === 'checkout') await checkouts.applyReport(event.checkout);
      if (event?.kind === 'payout') await payouts.applyReport(event.payout);
      if (event?.kind === 'refund') await reversals.learnRefund(event.paymentId, event.refundedCents);
      if (event?.kind === 'dispute') await reversals.learnDispute(event.dispute);
    },
  };
}

export type Webhooks = ReturnType<typeof webhookRules>;
