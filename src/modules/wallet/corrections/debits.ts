import type { Core } from '../../../kernel/core.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { userNotFound } from '../../identity/contract.ts';
import { walletNotFound } from '../contract.ts';
import type { PostedTransaction, TransactionDraft } from '../ledger/drafts.ts';
import { recordOf } from '../ledger/posted-records.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import type { WalletStore } from '../wallets/wallets.store.ts';
import type { Users } from '../wallets/wallets.ts';
import type { CorrectedBy, Move } from './moving.ts';

interface DebitDeps extends Pick<Core, 'database' | 'audit'> {
  move: Move;
  wallets: Pick<WalletStore, 'findAll'>;
  users: Pick<Users, 'keep' | 'stepUp'>;
}

interface Debit {
  userId: ObjectId;
  amount: number;
  allowPartial?: boolean;
}

/** Keys that administrators take from members. */
export const debitRules = ({ database, audit, move, wallets, users }: DebitDeps) => ({
  /**
   * Takes Keys from a member's wallet, also from a locked one, and from the closed one of a deleted member.
   * @throws stepUpRequired, userNotFound, walletNotFound, insufficientBalance
   */
  async debit({ userId, amount, allowPartial = false }: Debit, { admin, facts, idempotency }: CorrectedBy) {
    const actor = actorOf(admin, facts);
    return database.transaction(async (tx) => {
      await users.stepUp.mustHaveSteppedUp(tx, admin);
      const exists = await users.keep(tx, userId);
      const [wallet] = await wallets.findAll([userId], tx);
      if (!wallet) throw exists ? walletNotFound() : userNotFound();
      const { _id, currency, isActive, locked } = wallet;
      let short = 0;
      let draft: TransactionDraft | undefined;
      const resultOf = (posted: PostedTransaction) => ({
        wallet: { _id, userId, balance: posted.from.balanceAfter, currency, isActive, locked },
        transaction: recordOf(draft as TransactionDraft, posted),
        short,
      });
      const { posted } = await move(
        tx,
        {
          fromUserId: userId,
          toUserId: null,
          amount,
          allowPartial,
          description: 'Taken back by an administrator',
          metadata: { manualDebit: true, adminId: actor.actor },
        },
        {
          answer: { idempotency, of: resultOf },
          also: async (made) => {
            ({ short, draft } = made);
            const transactionId = transactionIdOf(made.posted.id);
            const details = { amount: made.draft.amount, short, transactionId };
            await audit.record(tx, { ...actor, action: 'wallet.debited', target: userId, details });
          },
        },
      );
      return resultOf(posted);
    });
  },
});

export type DebitRules = ReturnType<typeof debitRules>;
