import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { type AlertOperators, endAlert } from '../../../kernel/records/alerts.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import type { PostedTransaction } from '../ledger/drafts.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import type { Users } from './wallets.ts';

interface ClosedWalletDeps {
  users: Pick<Users, 'exists'>;
  alertOperators: AlertOperators;
  clock: Clock;
}

interface Received {
  userId: ObjectId;
  keys: number;
  posted: PostedTransaction;
  /** Of the alert; without it, that Keys have come back. */
  action?: string;
  details?: Record<string, unknown>;
}

const subjectOf = (userId: ObjectId) => `closed-wallet:${userId}`;

/**
 * Watches the closed wallets of deleted members: Keys that reach one belong to nobody who could spend them, so that an
 * operator must pay them out, take them back, or refund what they were bought with.
 */
export const closedWallets = ({ users, alertOperators, clock }: ClosedWalletDeps) => ({
  /** Alerts operators if the member whose wallet received Keys is deleted. Call it once they are posted. */
  async received(
    tx: Transaction,
    { userId, keys, posted, action = 'payment.keys-of-deleted-member', details }: Received,
  ): Promise<void> {
    if (await users.exists(userId, tx)) return;
    await alertOperators(tx, {
      action,
      target: userId,
      details: {
        ...details,
        keys,
        balance: posted.to.balanceAfter,
        transactionId: transactionIdOf(posted.id),
      },
      openUntilDealtWith: subjectOf(userId),
    });
  },

  /** Closes the alert about a wallet that has no Keys any more. */
  async left(tx: Transaction, userId: ObjectId, { from }: PostedTransaction): Promise<void> {
    if (from.balanceAfter === 0)
      await endAlert(tx, subjectOf(userId), { by: 'service:payments', at: clock.date() });
  },
});

export type ClosedWallets = ReturnType<typeof closedWallets>;
