import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import {
  type Announcement,
  announcement,
  type Event,
  onInTransaction,
  type Subscription,
} from '../../../kernel/messaging/events.ts';
import { type Actor, changesOf } from '../../../kernel/records/audit.ts';
import { payoutReturned, payoutSettled } from '../../merchant/contract.ts';
import { walletWithdrawn, withdrawalReturned, withdrawalReversed } from '../contract.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { AccountName } from '../ledger/postings.model.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import type { ClosedWallets } from '../wallets/closed-wallets.ts';
import type { Withdrawal } from './withdrawals.model.ts';
import type { WithdrawalStore } from './withdrawals.store.ts';

type Settled = NonNullable<(typeof payoutSettled)['data']>;
type Returned = NonNullable<(typeof payoutReturned)['data']>;

interface SettlementDeps extends Pick<Core, 'events' | 'audit'> {
  store: WithdrawalStore;
  ledger: Ledger;
  closed: Pick<ClosedWallets, 'received'>;
}

/** The end of held Keys: they are withdrawn when the payout succeeds, and returned otherwise. */
export function withdrawalSettlement({
  store,
  ledger,
  closed,
  events,
  audit,
}: SettlementDeps): Subscription[] {
  /**
   * The only place where a withdrawal ends, in the transaction in which its payout ends: called through the merchant's
   * event `payout-settled`.
   */
  async function end(tx: Transaction, { reference, outcome, reason, decision }: Settled): Promise<void> {
    const withdrawal = await store.lock(tx, reference);
    if (withdrawal?.status !== 'pending') return;
    const { id, userId, amount, digest } = withdrawal;
    const eventData = { transactionId: transactionIdOf(id), userId, amount };
    if (decision?.actor)
      await recordSettled(tx, decision.actor as Actor, eventData, {
        outcome: outcome === 'paid' ? 'completed' : outcome,
        reason,
        ...(decision.unknownToProvider === true ? { unknownToProvider: true } : {}),
      });
    if (outcome === 'paid') {
      const posting = { from: `hold:${userId}`, to: 'withdrawn', amount } as const;
      await ledger.completeIn(tx, { ...posting, transactionId: id, type: 'withdrawal', digest });
      await events.publish(tx, walletWithdrawn, eventData);
      return;
    }
    await ledger.endIn(tx, id, outcome);
    await giveBack(tx, withdrawal, `hold:${userId}`, {
      description: `Withdrawal ${outcome}`,
      reason,
      announce: () => announcement(withdrawalReturned, () => ({ ...eventData, outcome, reason })),
    });
  }

  async function recordSettled(
    tx: Transaction,
    actor: Actor,
    { transactionId, userId }: { transactionId: string; userId: ObjectId },
    facts: { outcome: string } & Record<string, unknown>,
  ): Promise<void> {
    const details = { transactionId, ...facts };
    const changes = changesOf({ status: 'pending' }, { status: facts.outcome });
    await audit.record(tx, { ...actor, action: 'withdrawal.settled', target: userId, changes, details });
  }

  /** Returns the Keys of a payout that the bank returned, as a refund; the withdrawal itself remains completed. */
  async function reverse(tx: Transaction, { reference, reason }: Returned): Promise<void> {
    const withdrawal = await store.lock(tx, reference);
    if (withdrawal?.status !== 'completed') return;
    const { id, userId, amount } = withdrawal;
    const eventData = { transactionId: transactionIdOf(id), userId, amount, reason };
    await giveBack(tx, withdrawal, 'withdrawn', {
      description: 'Payout returned',
      reason,
      announce: () => announcement(withdrawalReversed, () => eventData),
    });
  }

  async function giveBack(
    tx: Transaction,
    { id, userId, amount }: Withdrawal,
    from: AccountName,
    { description, reason, announce }: { description: string; reason: string; announce: () => Announcement },
  ): Promise<void> {
    const posted = await ledger.postIn(tx, {
      type: 'refund',
      status: 'completed',
      from,
      to: `wallet:${userId}`,
      fromUserId: null,
      toUserId: userId,
      amount,
      description,
      metadata: { withdrawalId: transactionIdOf(id), ...(reason ? { reason } : {}) },
      despiteLocks: true,
      announce,
    });
    await closed.received(tx, { userId, keys: amount, posted });
  }

  return [
    onInTransaction(payoutSettled, 'wallet', ({ data }: Event<Settled>, tx) => end(tx, data)),
    onInTransaction(payoutReturned, 'wallet', ({ data }: Event<Returned>, tx) => reverse(tx, data)),
  ];
}
