import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { type AlertOperators, endAlert, endAlertsAbout } from '../../../kernel/records/alerts.ts';
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
  /** The checkout by which they were bought; without it, they have come back. */
  checkoutId?: ObjectId;
}

const ACTOR = 'service:payments';
const prefixOf = (userId: ObjectId) => `closed-wallet:${userId}:`;

/**
 * Watches the closed wallets of deleted members: Keys that reach one belong to nobody who could spend them, so that an
 * operator must pay them out, take them back, or refund what they were bought with.
 */
export const closedWallets = ({ users, alertOperators, clock }: ClosedWalletDeps) => ({
  /** Alerts operators if the member whose wallet received Keys is deleted. Call it once they are posted. */
  async received(tx: Transaction, { userId, keys, posted, checkoutId }: Received): Promise<void> {
    if (await users.exists(userId, tx)) return;
    const transactionId = transactionIdOf(posted.id);
    const details = { keys, balance: posted.to.balanceAfter, transactionId };
    await alertOperators(tx, {
      action: checkoutId ? 'payment.paid-by-deleted-member' : 'payment.keys-of-deleted-member',
      target: userId,
      details: checkoutId ? { ...details, checkoutId } : details,
      openUntilDealtWith: `${prefixOf(userId)}${checkoutId ?? transactionId}`,
    });
  },

  isClosed: async (tx: Transaction, userId: ObjectId): Promise<boolean> => !(await users.exists(userId, tx)),

  /** Closes the alert about a payment that was refunded. */
  async refunded(tx: Transaction, userId: ObjectId, checkoutId: ObjectId): Promise<void> {
    await endAlert(tx, `${prefixOf(userId)}${checkoutId}`, { by: ACTOR, at: clock.date() });
  },

  /** Closes the alerts about a wallet that has no Keys any more. Its lock keeps others from raising one meanwhile. */
  async left(tx: Transaction, userId: ObjectId, { from }: PostedTransaction): Promise<void> {
    if (from.balanceAfter > 0) return;
    const which = { target: userId, prefix: prefixOf(userId) };
    await endAlertsAbout(tx, which, { by: ACTOR, at: clock.date() });
  },
});

export type ClosedWallets = ReturnType<typeof closedWallets>;
