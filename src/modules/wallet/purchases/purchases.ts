import type { ObjectId } from '../../../kernel/ids.ts';
import { MAX_INTEGER } from '../../../kernel/operations/shapes.ts';
import { type IdempotencyContext, saveResponses } from '../../../kernel/records/idempotency.ts';
import type { Merchant, OpenCheckout } from '../../merchant/contract.ts';
import { balanceLimitExceeded, walletInactive, walletLocked } from '../contract.ts';
import type { ExchangeRateRules } from '../exchange-rates/exchange-rates.ts';
import type { WalletRules } from '../wallets/wallets.ts';
import { KEYS_PURPOSE, type KeysOrder } from './purchases.model.ts';

interface Purchase {
  amount: number;
  successUrl?: string;
  cancelUrl?: string;
  metadata?: Record<string, unknown>;
}

interface PurchaseDeps {
  merchant: Merchant;
  wallets: WalletRules;
  rates: ExchangeRateRules;
}

/** Sales of Keys. Opening a checkout creates no Keys; its payment does, exactly once: see `crediting.ts`. */
export function purchaseRules({ merchant, wallets, rates }: PurchaseDeps) {
  return {
    /**
     * Opens a checkout for Keys at the current price, which is then fixed.
     * @throws walletLocked, walletInactive, balanceLimitExceeded, and the failures of `ensure`, `priceOf` and
     * `openCheckout`
     */
    async buy(
      userId: ObjectId,
      { amount, metadata = {}, ...urls }: Purchase,
      idempotency: IdempotencyContext,
    ) {
      const { wallet } = await wallets.ensure(userId);
      if (wallet.locked) throw walletLocked();
      if (!wallet.isActive) throw walletInactive();
      if (wallet.balance > MAX_INTEGER - amount) throw balanceLimitExceeded();
      const { usdAmount, cents } = await rates.priceOf(amount);
      const resultOf = ({ sessionId, url, expiresAt }: OpenCheckout) => ({
        checkoutSessionId: sessionId,
        paymentLink: url,
        expiresAt,
        keysAmount: amount,
        usdAmount,
        currency: 'USD' as const,
      });
      const details = { keys: amount, usdAmount, metadata } satisfies KeysOrder;
      const opened = await merchant.openCheckout(
        {
          purpose: KEYS_PURPOSE,
          userId,
          cents,
          details,
          ...urls,
          description: `${amount} ${amount === 1 ? 'Key' : 'Keys'}`,
          idempotencyKey: idempotency.id,
        },
        (tx, opened) => saveResponses(tx, [idempotency.record(() => resultOf(opened))]),
      );
      return resultOf(opened);
    },
  };
}

export type PurchaseRules = ReturnType<typeof purchaseRules>;
