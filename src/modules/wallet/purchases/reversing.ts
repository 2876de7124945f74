import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { announcement, onInTransaction, type Subscription } from '../../../kernel/messaging/events.ts';
import { type AlertOperators, endAlert, openAlertOf } from '../../../kernel/records/alerts.ts';
import { checkoutReversed } from '../../merchant/contract.ts';
import { walletRefunded, walletRestored } from '../contract.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import type { ClosedWallets } from '../wallets/closed-wallets.ts';
import { KEYS_PURPOSE } from './purchases.model.ts';
import { purchaseStore } from './purchases.store.ts';

type Reversed = NonNullable<(typeof checkoutReversed)['data']>;

interface ReversingDeps extends Pick<Core, 'clock'> {
  ledger: Ledger;
  closed: ClosedWallets;
  alertOperators: AlertOperators;
}

interface Change {
  /** Keys to give back. */
  due: number;
  /** Keys that were missing before. */
  short: number;
}

/** Of a payment, what is missing is one task, however many refunds and disputes it comes from. */
const subjectOf = (sessionId: string) => `reversal:${sessionId}`;

/** A number in the open alert about a subject; 0 without one. */
const openNumber = async (tx: Transaction, subject: string, name: string): Promise<number> =>
  Number((await openAlertOf(tx, subject))?.[name] ?? 0);

const causeOf = ({ sessionId, cause }: Reversed) =>
  cause.kind === 'refund'
    ? { checkoutSessionId: sessionId, refundedUsd: cause.refundedCents / 100 }
    : { checkoutSessionId: sessionId, disputeId: cause.disputeId, disputedUsd: cause.disputedCents / 100 };

/** Takes bought Keys back when their payment is refunded or disputed, and returns them when a dispute is won. */
export function reversingRules({ ledger, closed, alertOperators, clock }: ReversingDeps): Subscription[] {
  /**
   * Adjusts the number of returned Keys to the reversed share of the payment, rounded down: takes back the missing
   * Keys, as far as the balance allows, or gives back Keys when money was returned.
   */
  async function reverse(tx: Transaction, reversed: Reversed): Promise<void> {
    const { userId, checkoutId, cents, reversedCents } = reversed;
    const { keys, returned, short } = await purchaseStore.lock(tx, checkoutId);
    const total = Number((BigInt(keys) * BigInt(reversedCents)) / BigInt(cents));
    const due = total - returned - short;
    if (due > 0) await takeBack(tx, reversed, due);
    if (due < 0) await giveBack(tx, reversed, { due: -due, short });
    if (total === keys) await closed.refunded(tx, userId, checkoutId);
  }

  /**
   * Takes back the due Keys, as far as the wallet still has them. Those that are missing are left to operators, and never
   * taken later: an operator may have debited them by then.
   */
  async function takeBack(tx: Transaction, reversed: Reversed, due: number): Promise<void> {
    const { userId, checkoutId } = reversed;
    const sides = { from: `wallet:${userId}`, to: 'issued' } as const;
    const amount = Math.min(due, await ledger.balanceIn(tx, sides));
    const missing = due - amount;
    await purchaseStore.add(tx, checkoutId, { returned: amount, short: missing });
    if (missing > 0) await reportMissing(tx, reversed, { due, missing });
    if (amount === 0) return;
    const because = causeOf(reversed);
    const posted = await ledger.postIn(tx, {
      ...sides,
      type: 'refund',
      status: 'completed',
      fromUserId: userId,
      toUserId: null,
      amount,
      description: reversed.cause.kind === 'refund' ? 'Payment refunded' : 'Payment disputed',
      metadata: missing > 0 ? { ...because, short: missing } : because,
      despiteLocks: true,
      announce: ({ id }) =>
        announcement(walletRefunded, () => ({
          transactionId: transactionIdOf(id),
          userId,
          amount,
          short: missing,
        })),
    });
    await closed.left(tx, userId, posted);
  }

  /**
   * Alerts operators to Keys of a payment that are missing, beside those of an open alert: what they have dealt with is not
   * said again. Nobody can get Keys from a deleted member.
   */
  async function reportMissing(
    tx: Transaction,
    reversed: Reversed,
    { due, missing }: { due: number; missing: number },
  ): Promise<void> {
    const { userId, sessionId } = reversed;
    if (await closed.isClosed(tx, userId)) return;
    const subject = subjectOf(sessionId);
    const short = (await openNumber(tx, subject, 'short')) + missing;
    await alertOperators(tx, {
      action: 'payment.keys-short',
      target: userId,
      details: { ...causeOf(reversed), due, short },
      openUntilDealtWith: subject,
    });
  }

  /**
   * Returns Keys that were taken back for a dispute that was later won. Those that were missing are no longer owed, and
   * come first; if an operator has closed the alert about them, who may have debited them, they are alerted once more.
   */
  async function giveBack(tx: Transaction, reversed: Reversed, { due, short }: Change): Promise<void> {
    const { checkoutId } = reversed;
    const forgiven = Math.min(short, due);
    const amount = due - forgiven;
    await purchaseStore.add(tx, checkoutId, { returned: 0 - amount, short: 0 - forgiven });
    if (forgiven > 0) await forgive(tx, reversed, forgiven);
    if (amount > 0) await restore(tx, reversed, amount);
  }

  async function forgive(tx: Transaction, reversed: Reversed, forgiven: number): Promise<void> {
    const { userId, sessionId } = reversed;
    if (await closed.isClosed(tx, userId)) return;
    const subject = subjectOf(sessionId);
    const open = await openNumber(tx, subject, 'short');
    const dealtWith = Math.max(0, forgiven - open);
    await endAlert(tx, subject, { by: 'service:payments', at: clock.date() });
    if (open > forgiven) await reportMissing(tx, reversed, { due: 0, missing: open - forgiven });
    if (dealtWith === 0) return;
    const again = `${subject}:forgiven`;
    await alertOperators(tx, {
      action: 'payment.keys-no-longer-short',
      target: userId,
      details: { ...causeOf(reversed), keys: (await openNumber(tx, again, 'keys')) + dealtWith },
      openUntilDealtWith: again,
    });
  }

  async function restore(
    tx: Transaction,
    { userId, sessionId, cause }: Reversed,
    amount: number,
  ): Promise<void> {
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
  }

  return [
    onInTransaction(checkoutReversed, 'wallet', async ({ data }, tx) => {
      if (data.purpose === KEYS_PURPOSE) await reverse(tx, data);
    }),
  ];
}
