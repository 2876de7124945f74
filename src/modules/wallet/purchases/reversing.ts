import type { Transaction } from '../../../kernel/database/queries.ts';
import { announcement, onInTransaction, type Subscription } from '../../../kernel/messaging/events.ts';
import type { AlertOperators } from '../../../kernel/records/alerts.ts';
import { checkoutReversed } from '../../merchant/contract.ts';
import { walletRefunded, walletRestored } from '../contract.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import type { ClosedWallets } from '../wallets/closed-wallets.ts';
import { KEYS_PURPOSE } from './purchases.model.ts';
import { purchaseStore } from './purchases.store.ts';

type Reversed = NonNullable<(typeof checkoutReversed)['data']>;

interface ReversingDeps {
  ledger: Ledger;
  closed: ClosedWallets;
  alertOperators: AlertOperators;
}

/** Takes bought Keys back when their payment is refunded or disputed, and returns them when a dispute is won. */
export function reversingRules({ ledger, closed, alertOperators }: ReversingDeps): Subscription[] {
  /**
   * Adjusts the number of returned Keys to the reversed share of the payment, rounded down: takes back the missing
   * Keys, as far as the balance allows, or gives back Keys when money was returned.
   */
  async function reverse(tx: Transaction, reversed: Reversed): Promise<void> {
    const { checkoutId, cents, reversedCents } = reversed;
    const { keys, returned } = await purchaseStore.lock(tx, checkoutId);
    const due = Number((BigInt(keys) * BigInt(reversedCents)) / BigInt(cents)) - returned;
    if (due === 0) return;
    const moved = due > 0 ? await takeBack(tx, reversed, due) : -(await giveBack(tx, reversed, -due));
    await purchaseStore.addReturned(tx, checkoutId, moved);
  }

  /**
   * Takes back the due Keys, as far as the wallet still has them; returns how many. Alerts operators if some are
   * missing.
   */
  async function takeBack(
    tx: Transaction,
    { userId, sessionId, reversedCents, cause }: Reversed,
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
      const openUntilDealtWith = `reversal:${sessionId}:${reversedCents}`;
      await alertOperators(tx, { action: 'payment.keys-short', target: userId, details, openUntilDealtWith });
    }
    if (amount === 0) return 0;
    const posted = await ledger.postIn(tx, {
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
    await closed.left(tx, userId, posted);
    return amount;
  }

  /** Returns Keys that were taken back for a dispute that was later won; returns how many. */
  async function giveBack(
    tx: Transaction,
    { userId, sessionId, cause }: Reversed,
    amount: number,
  ): Promise<number> {
    const disputeId = cause.kind === 'refund' ? undefined : cause.disputeId;
    const posted = await ledger.postIn(tx, {
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
    await closed.received(tx, { userId, keys: amount, posted });
    return amount;
  }

  return [
    onInTransaction(checkoutReversed, 'wallet', async ({ data }, tx) => {
      if (data.purpose === KEYS_PURPOSE) await reverse(tx, data);
    }),
  ];
}
