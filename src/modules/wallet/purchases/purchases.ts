import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import {
  announcement,
  type Event,
  onInTransaction,
  type Subscription,
} from '../../../kernel/messaging/events.ts';
import { MAX_INTEGER } from '../../../kernel/operations/shapes.ts';
import type { TellOperators } from '../../../kernel/records/alerts.ts';
import { type IdempotencyContext, saveResponses } from '../../../kernel/records/idempotency.ts';
import { checkoutPaid, checkoutReversed, type Merchant, type OpenCheckout } from '../../merchant/contract.ts';
import {
  balanceLimitExceeded,
  walletFunded,
  walletInactive,
  walletLocked,
  walletRefunded,
  walletRestored,
} from '../contract.ts';
import type { ExchangeRateRules } from '../exchange-rates/exchange-rates.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import type { Users, WalletRules } from '../wallets/wallets.ts';
import { purchaseStore } from './purchases.store.ts';

/** Identifies our orders among the merchant's. */
const PURPOSE = 'keys';

interface KeysOrder {
  keys: number;
  usdAmount: number;
  metadata: Record<string, unknown>;
}

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
  ledger: Ledger;
  users: Pick<Users, 'exists'>;
  tellOperators: TellOperators;
}

type Paid = NonNullable<(typeof checkoutPaid)['data']>;
type Reversed = NonNullable<(typeof checkoutReversed)['data']>;

/** Sales of Keys. Opening a checkout creates no Keys; its payment does, exactly once. */
export function purchaseRules(deps: PurchaseDeps) {
  const { merchant, wallets, rates, ledger, users, tellOperators } = deps;

  /** Credits paid Keys, even to a locked wallet. The merchant publishes each payment once, in this transaction. */
  async function credit(tx: Transaction, { userId, sessionId, checkoutId, details }: Paid): Promise<void> {
    // The details that `buy` passed to the merchant, returned unchanged.
    const { keys, usdAmount, metadata } = details as unknown as KeysOrder;
    const { id } = await ledger.postIn(tx, {
      type: 'fund',
      status: 'completed',
      from: 'issued',
      to: `wallet:${userId}`,
      fromUserId: null,
      toUserId: userId,
      amount: keys,
      description: 'Keys bought',
      metadata: { ...metadata, checkoutSessionId: sessionId, usdAmount },
      despiteLocks: true,
      announce: ({ id, to }) =>
        announcement(walletFunded, () => ({
          transactionId: transactionIdOf(id),
          userId,
          amount: keys,
          balance: to.balanceAfter,
          source: 'checkout',
        })),
    });
    await purchaseStore.insert(tx, { checkoutId, transactionId: id, keys });
    // These Keys cannot be spent: an operator refunds the payment at the provider, which takes them back.
    if (!(await users.exists(userId, tx)))
      await tellOperators(tx, {
        action: 'payment.paid-by-deleted-member',
        target: userId,
        details: { checkoutId, keys },
      });
  }

  /**
   * Adjusts the returned Keys to the reversed share of the payment, rounded down: takes back the missing ones, as far
   * as the balance allows, or gives back Keys when money came back.
   */
  async function reverse(tx: Transaction, reversed: Reversed): Promise<void> {
    const { checkoutId, cents, reversedCents } = reversed;
    const { keys, returned } = await purchaseStore.lock(tx, checkoutId);
    const due = Number((BigInt(keys) * BigInt(reversedCents)) / BigInt(cents)) - returned;
    if (due === 0) return;
    const moved = due > 0 ? await takeBack(tx, reversed, due) : -(await giveBack(tx, reversed, -due));
    await purchaseStore.addReturned(tx, checkoutId, moved);
  }

  /** Takes back the due Keys that the wallet still holds; returns how many. Alerts operators if some are missing. */
  async function takeBack(
    tx: Transaction,
    { userId, sessionId, cause }: Reversed,
    due: number,
  ): Promise<number> {
    const sides = { from: `wallet:${userId}`, to: 'issued' } as const;
    const amount = Math.min(due, await ledger.balanceIn(tx, sides));
    const short = due - amount;
    const because =
      cause.kind === 'refund'
        ? { checkoutSessionId: sessionId, refundedUsd: cause.refundedCents / 100 }
        : {
            checkoutSessionId: sessionId,
            disputeId: cause.disputeId,
            disputedUsd: cause.disputedCents / 100,
          };
    if (short > 0) {
      const details = { ...because, due, short };
      await tellOperators(tx, { action: 'payment.keys-short', target: userId, details });
    }
    if (amount === 0) return 0;
    await ledger.postIn(tx, {
      ...sides,
      type: 'refund',
      status: 'completed',
      fromUserId: userId,
      toUserId: null,
      amount,
      description: cause.kind === 'refund' ? 'Payment refunded' : 'Payment disputed',
      metadata: short > 0 ? { ...because, short } : because,
      despiteLocks: true,
      announce: ({ id }) =>
        announcement(walletRefunded, () => ({ transactionId: transactionIdOf(id), userId, amount, short })),
    });
    return amount;
  }

  /** Returns Keys taken back for a dispute that was won; returns how many. */
  async function giveBack(
    tx: Transaction,
    { userId, sessionId, cause }: Reversed,
    amount: number,
  ): Promise<number> {
    const disputeId = cause.kind === 'refund' ? undefined : cause.disputeId;
    await ledger.postIn(tx, {
      type: 'refund',
      status: 'completed',
      from: 'issued',
      to: `wallet:${userId}`,
      fromUserId: null,
      toUserId: userId,
      amount,
      description: 'Dispute won',
      metadata: { checkoutSessionId: sessionId, disputeId },
      despiteLocks: true,
      announce: ({ id }) =>
        announcement(walletRestored, () => ({ transactionId: transactionIdOf(id), userId, amount })),
    });
    return amount;
  }

  const ours = <Data extends { purpose: string }>(take: (tx: Transaction, data: Data) => Promise<void>) => {
    return async ({ data }: Event<Data>, tx: Transaction): Promise<void> => {
      if (data.purpose === PURPOSE) await take(tx, data);
    };
  };

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
          purpose: PURPOSE,
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

    subscriptions: [
      onInTransaction(checkoutPaid, 'wallet', ours(credit)),
      onInTransaction(checkoutReversed, 'wallet', ours(reverse)),
    ] satisfies Subscription[],
  };
}

export type PurchaseRules = ReturnType<typeof purchaseRules>;
