import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { announcement, onInTransaction, type Subscription } from '../../../kernel/messaging/events.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import { userDeleted } from '../../identity/contract.ts';
import { walletNotEmpty, walletRefunded, withdrawalPending } from '../contract.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import type { WalletStore } from '../wallets/wallets.store.ts';
import type { WithdrawalRules } from './withdrawals.ts';

interface ClosingDeps {
  store: Pick<WalletStore, 'setFlags' | 'findAll' | 'heldKeys'>;
  withdrawals: Pick<WithdrawalRules, 'requestRemainingIn'>;
  ledger: Ledger;
  clock: Clock;
}

const DESCRIPTION = 'Account deleted';

/** Closes the wallet of a member whose account is deleted, in the same transaction; its history remains. */
export function walletClosing({ store, withdrawals, ledger, clock }: ClosingDeps): Subscription[] {
  /** Takes the Keys out of circulation, including those of a locked wallet. */
  async function forfeit(tx: Transaction, userId: ObjectId): Promise<void> {
    const sides = { from: `wallet:${userId}`, to: 'issued' } as const;
    const amount = await ledger.balanceIn(tx, sides);
    if (amount === 0) return;
    await ledger.postIn(tx, {
      ...sides,
      type: 'refund',
      status: 'completed',
      fromUserId: userId,
      toUserId: null,
      amount,
      description: DESCRIPTION,
      metadata: { forfeited: true },
      despiteLocks: true,
      announce: ({ id }) =>
        announcement(walletRefunded, () => ({
          transactionId: transactionIdOf(id),
          userId,
          amount,
          short: 0,
        })),
    });
  }

  /**
   * Checks that the wallet is empty; must run once it is closed, so that nothing can be added or withdrawn afterwards.
   * @throws walletNotEmpty, withdrawalPending
   */
  async function mustBeEmpty(tx: Transaction, userId: ObjectId): Promise<void> {
    const [wallet] = await store.findAll([userId], tx);
    if (wallet && wallet.balance > 0) throw walletNotEmpty();
    if ((await store.heldKeys(userId, tx)) > 0) throw withdrawalPending();
  }

  return [
    onInTransaction(userDeleted, 'wallet', async ({ data: { userId, remainingKeys } }, tx) => {
      if (remainingKeys === 'withdraw')
        await withdrawals.requestRemainingIn(tx, userId, { description: DESCRIPTION });
      if (remainingKeys === 'forfeit') await forfeit(tx, userId);
      await store.setFlags(tx, userId, { isActive: false }, clock.date());
      if (remainingKeys === 'none') await mustBeEmpty(tx, userId);
    }),
  ];
}
