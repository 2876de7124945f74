import type { Core } from '../../../kernel/core.ts';
import { failure } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../../kernel/operations/callers.ts';
import { answered, type IdempotencyContext } from '../../../kernel/records/idempotency.ts';
import { insufficientBalance, walletNotFound } from '../contract.ts';
import type { ClosedWallets } from '../wallets/closed-wallets.ts';
import type { WalletStore } from '../wallets/wallets.store.ts';
import type { Users } from '../wallets/wallets.ts';
import type { Withdrawal } from './withdrawals.model.ts';
import type { WithdrawalStore } from './withdrawals.store.ts';
import { viewOf, type WithdrawalRules, type WithdrawalView } from './withdrawals.ts';

export const memberNotDeleted = failure(
  409,
  'MEMBER_NOT_DELETED',
  'The member is not deleted, and withdraws their Keys themselves',
);

interface RemainingKeysDeps extends Pick<Core, 'database' | 'audit'> {
  store: Pick<WithdrawalStore, 'find'>;
  wallets: Pick<WalletStore, 'findAll'>;
  withdrawals: Pick<WithdrawalRules, 'requestRemainingIn'>;
  closed: Pick<ClosedWallets, 'left'>;
  users: Pick<Users, 'exists' | 'stepUp'>;
}

interface RequestedBy {
  caller: UserCaller;
  facts: RequestFacts;
  idempotency: IdempotencyContext;
}

/** Keys that are back in the closed wallet of a deleted member, because their payout failed. */
export const remainingKeysRules = (deps: RemainingKeysDeps) => ({
  /**
   * Requests the payout of all Keys of a deleted member, or of some, at the current rate.
   * @throws stepUpRequired, memberNotDeleted, walletNotFound, insufficientBalance, amountTooSmall, amountTooLarge
   */
  async payOut(
    { userId, amount }: { userId: ObjectId; amount?: number | undefined },
    { caller, facts, idempotency }: RequestedBy,
  ): Promise<WithdrawalView> {
    const { database, audit, store, wallets, withdrawals, closed, users } = deps;
    return database.transaction(async (tx) => {
      await users.stepUp.mustHaveSteppedUp(tx, caller);
      if (await users.exists(userId, tx)) throw memberNotDeleted();
      if ((await wallets.findAll([userId], tx))[0] === undefined) throw walletNotFound();
      const payout = { amount, description: 'Account deleted', despiteLocks: true };
      const posted = await withdrawals.requestRemainingIn(tx, userId, payout);
      if (!posted) throw insufficientBalance();
      await closed.left(tx, userId, posted);
      const view = viewOf((await store.find(posted.id, tx)) as Withdrawal);
      const details = { transactionId: view.transactionId, amount: view.amount };
      await audit.record(tx, {
        ...actorOf(caller, facts),
        action: 'withdrawal.requested',
        target: userId,
        details,
      });
      return answered(tx, { idempotency }, view);
    });
  },
});

export type RemainingKeysRules = ReturnType<typeof remainingKeysRules>;
