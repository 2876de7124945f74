import type { Transaction } from '../../kernel/database/queries.ts';
import { announcement, type Event, onWithin, type Subscription } from '../../kernel/events.ts';
import { type Once, remember } from '../../kernel/idempotency.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { MAX_INTEGER } from '../../kernel/operations/shapes.ts';
import { checkoutPaid, checkoutRefunded, type Merchant, type OpenCheckout } from '../merchant/contract.ts';
import { walletFunded, walletInactive, walletLocked, walletRefunded } from './contract.ts';
import type { ExchangeRateRules } from './exchange-rates.ts';
import type { Ledger } from './ledger.ts';
import { balanceLimitExceeded } from './postings.ts';
import { transactionIdOf } from './transactions.store.ts';
import type { Users, WalletRules } from './wallets.ts';

/** Names our orders among the merchant's. */
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

interface PurchaseNeeds {
  merchant: Merchant;
  wallets: WalletRules;
  rates: ExchangeRateRules;
  ledger: Ledger;
  users: Pick<Users, 'exists'>;
  /** Nobody can spend these Keys: an operator refunds the payment at the provider, which takes them back. */
  onPaidByDeleted: (purchase: { userId: ObjectId; checkoutId: ObjectId; keys: number }) => void;
}

type Paid = NonNullable<(typeof checkoutPaid)['data']>;
type Refunded = NonNullable<(typeof checkoutRefunded)['data']>;

/** Keys for money. A checkout makes none; its payment does, once. */
export function purchaseRules(needs: PurchaseNeeds) {
  const { merchant, wallets, rates, ledger, users, onPaidByDeleted } = needs;

  /** A lock does not stop Keys that were paid for. The merchant tells of each checkout once, in this very transaction. */
  async function credit(tx: Transaction, { userId, sessionId, checkoutId, details }: Paid): Promise<void> {
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
          ...{ transactionId: transactionIdOf(id), userId, amount: keys },
          ...{ balance: to.balanceAfter, source: 'checkout' },
        })),
    });
    // Its key is the checkout: a second crediting of the same one would fail here.
    await tx.sql('insert into wallet.purchase (checkout_id, transaction_id, keys) values ($1, $2, $3)', [
      checkoutId,
      id,
      keys,
    ]);
    if (!(await users.exists(userId, tx))) onPaidByDeleted({ userId, checkoutId, keys });
  }

  /**
   * Takes back as many Keys as money went back, in proportion and rounded down, or as many of them as are still there.
   */
  async function takeBack(tx: Transaction, refund: Refunded): Promise<void> {
    const { userId, sessionId, checkoutId, cents, refundedCents } = refund;
    const { rows } = await tx.sql(
      'select keys, returned from wallet.purchase where checkout_id = $1 for update',
      [checkoutId],
    );
    const { keys, returned } = rows[0] as { keys: number; returned: number };
    const due = Number((BigInt(keys) * BigInt(refundedCents)) / BigInt(cents)) - returned;
    const sides = { from: `wallet:${userId}`, to: 'issued' } as const;
    const amount = Math.min(due, await ledger.balanceIn(tx, sides));
    if (amount <= 0) return;
    const short = due - amount;
    await ledger.postIn(tx, {
      ...sides,
      type: 'refund',
      status: 'completed',
      fromUserId: userId,
      toUserId: null,
      amount,
      description: 'Payment refunded',
      metadata: {
        checkoutSessionId: sessionId,
        refundedUsd: refundedCents / 100,
        ...(short > 0 ? { short } : {}),
      },
      despiteLocks: true,
      announce: ({ id }) =>
        announcement(walletRefunded, () => ({ transactionId: transactionIdOf(id), userId, amount, short })),
    });
    await tx.sql('update wallet.purchase set returned = returned + $2 where checkout_id = $1', [
      checkoutId,
      amount,
    ]);
  }

  const ours = <Data extends { purpose: string }>(take: (tx: Transaction, data: Data) => Promise<void>) => {
    return async ({ data }: Event<Data>, tx: Transaction): Promise<void> => {
      if (data.purpose === PURPOSE) await take(tx, data);
    };
  };

  return {
    /**
     * Opens a checkout for so many Keys at the price of now, which stays.
     * @throws what stands against the wallet's receiving them, paymentUnavailable, priceOutOfRange
     */
    async buy(userId: ObjectId, { amount, metadata = {}, ...urls }: Purchase, once: Once) {
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
          ...{ purpose: PURPOSE, userId, cents, details, ...urls },
          description: `${amount} ${amount === 1 ? 'Key' : 'Keys'}`,
          idempotencyKey: once.id,
        },
        (tx, opened) => remember(tx, [once.remembered(() => resultOf(opened))]),
      );
      return resultOf(opened);
    },

    subscriptions: [
      onWithin(checkoutPaid, 'wallet', ours(credit)),
      onWithin(checkoutRefunded, 'wallet', ours(takeBack)),
    ] satisfies Subscription[],
  };
}

export type PurchaseRules = ReturnType<typeof purchaseRules>;
