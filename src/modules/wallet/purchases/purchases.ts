import type { Database } from '../../../kernel/database/database.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { answered, type IdempotencyContext } from '../../../kernel/records/idempotency.ts';
import { checkoutNotFound, type Merchant, type OpenCheckout } from '../../merchant/contract.ts';
import { walletInactive, walletLocked } from '../contract.ts';
import type { ExchangeRateRules } from '../exchange-rates/exchange-rates.ts';
import {
  circulationLimitExceeded,
  MAX_ISSUED_AT_ONCE,
  SOLD_UP_TO,
  tooManyAtOnce,
} from '../ledger/circulation.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import type { Users, WalletRules } from '../wallets/wallets.ts';
import { KEYS_PURPOSE, type KeysOrder } from './purchases.model.ts';
import { purchaseStore as purchases } from './purchases.store.ts';

interface Purchase {
  amount: number;
  successUrl?: string;
  cancelUrl?: string;
  metadata?: Record<string, unknown>;
}

interface PurchaseDeps {
  merchant: Merchant;
  wallets: WalletRules;
  ledger: Pick<Ledger, 'issued'>;
  rates: ExchangeRateRules;
  users: Pick<Users, 'mustStayVerified'>;
  database: Database;
}

/** Sales of Keys. Opening a checkout creates no Keys; its payment does, exactly once: see `crediting.ts`. */
export function purchaseRules({ merchant, wallets, ledger, rates, users, database }: PurchaseDeps) {
  return {
    /**
     * Opens a checkout for Keys at the current price, which is then fixed. Refuses what could not be credited later, since
     * whoever has paid must get their Keys.
     * @throws emailNotVerified, tooManyAtOnce, walletLocked, walletInactive, circulationLimitExceeded, and the failures of
     * `ensure`, `priceOf` and `openCheckout`
     */
    async buy(
      caller: UserCaller,
      { amount, metadata = {}, ...urls }: Purchase,
      idempotency: IdempotencyContext,
    ) {
      const { userId } = caller;
      if (amount > MAX_ISSUED_AT_ONCE) throw tooManyAtOnce();
      const { wallet } = await wallets.ensure(userId);
      if (wallet.locked) throw walletLocked();
      if (!wallet.isActive) throw walletInactive();
      if ((await ledger.issued()) > SOLD_UP_TO - amount) throw circulationLimitExceeded();
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
        // A checkout that is refused here is open at the provider, but nobody was given its link.
        async (tx, opened) => {
          await users.mustStayVerified(tx, caller);
          await answered(tx, { idempotency }, resultOf(opened));
        },
      );
      return resultOf(opened);
    },

    /** Returns a checkout for Keys that the member has opened. @throws checkoutNotFound */
    async find(userId: ObjectId, sessionId: string) {
      const [checkout] = await merchant.payments.checkoutsOf([sessionId]);
      if (checkout?.userId !== userId || checkout.purpose !== KEYS_PURPOSE) throw checkoutNotFound();
      const { id, status, details, cents, createdAt, expiresAt, settledAt } = checkout;
      const [bought] = await purchases.transactionsOf(database, [id]);
      return {
        id,
        checkoutSessionId: sessionId,
        status,
        keys: (details as unknown as KeysOrder).keys,
        usd: cents / 100,
        transactionId: bought ? transactionIdOf(bought.transactionId) : null,
        createdAt,
        expiresAt,
        settledAt,
      };
    },
  };
}

export type PurchaseRules = ReturnType<typeof purchaseRules>;
