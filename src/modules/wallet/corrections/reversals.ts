import type { Core } from '../../../kernel/core.ts';
import { failure, notFound } from '../../../kernel/failures.ts';
import { fromReference } from '../../../kernel/ids.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { userNotFound } from '../../identity/contract.ts';
import type { PostedTransaction } from '../ledger/drafts.ts';
import { recordOf } from '../ledger/posted-records.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import type { Users } from '../wallets/wallets.ts';
import type { CorrectedBy, Made, Move } from './moving.ts';
import { type Reversible, reversalStore as store } from './reversals.store.ts';

export const transactionNotFound = notFound('Transaction');
export const alreadyReversed = failure(409, 'ALREADY_REVERSED', 'The transaction was reversed before');
export const notReversible = failure(
  409,
  'NOT_REVERSIBLE',
  'Only transfers, and Keys that an administrator granted or took, can be reversed',
);

interface ReversalDeps extends Pick<Core, 'database' | 'audit' | 'clock'> {
  move: Move;
  users: Pick<Users, 'keep' | 'stepUp'>;
}

/** Transactions that administrators reverse. */
export const reversalRules = ({ database, audit, clock, move, users }: ReversalDeps) => ({
  /**
   * Moves the Keys of a transaction back, once, also out of a locked wallet.
   * @throws stepUpRequired, transactionNotFound, notReversible, alreadyReversed, insufficientBalance, and userNotFound if the member
   * who would get them was deleted
   */
  async reverse(
    reference: string,
    { allowPartial = false }: { allowPartial?: boolean },
    { admin, facts, idempotency }: CorrectedBy,
  ) {
    const actor = actorOf(admin, facts);
    const id = fromReference('txn', reference);
    if (id === undefined) throw transactionNotFound();
    return database.transaction(async (tx) => {
      await users.stepUp.mustHaveSteppedUp(tx, admin);
      await tx.lock('wallet.reversal', id);
      const original = await store.find(tx, id);
      if (!original) throw transactionNotFound();
      if (original.isReversed) throw alreadyReversed();
      if (!isReversible(original)) throw notReversible();
      const { fromUserId: toUserId, toUserId: fromUserId, amount } = original;
      if (toUserId !== null && !(await users.keep(tx, toUserId))) throw userNotFound();
      let made: Made | undefined;
      const resultOf = (posted: PostedTransaction) => ({
        transaction: recordOf((made as Made).draft, posted),
        reversedTransactionId: reference,
        short: (made as Made).short,
      });
      const { posted } = await move(
        tx,
        {
          fromUserId,
          toUserId,
          amount,
          allowPartial,
          description: `Reversal of ${reference}`,
          metadata: { reversalOf: reference, adminId: actor.actor },
        },
        {
          answer: { idempotency, of: resultOf },
          also: async (counter) => {
            made = counter;
            const details = {
              amount: counter.draft.amount,
              short: counter.short,
              transactionId: transactionIdOf(counter.posted.id),
              fromUserId,
              toUserId,
            };
            await audit.record(tx, { ...actor, action: 'transaction.reversed', target: reference, details });
          },
        },
      );
      const short = (made as unknown as Made).short;
      await store.insert(tx, {
        transactionId: id,
        counterId: posted.id,
        short,
        reversedAt: clock.date(),
      });
      return resultOf(posted);
    });
  },
});

export type ReversalRules = ReturnType<typeof reversalRules>;

const isReversible = ({ type, status, metadata }: Reversible): boolean =>
  status === 'completed' &&
  (type === 'transfer' ||
    (type === 'fund' && metadata.manualFunding === true) ||
    (type === 'refund' && metadata.manualDebit === true));
