import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { TransactionRecord } from '../ledger/transactions.model.ts';

/** A transaction, and whether it was reversed. */
export interface Reversible extends TransactionRecord {
  isReversed: boolean;
}

/** A reversal: the transaction, and the one that counters it. */
export interface Reversal {
  transactionId: ObjectId;
  counterId: ObjectId;
  short: number;
  reversedAt: Date;
}

export const reversalStore = {
  find: (tx: Transaction, id: ObjectId): Promise<Reversible | undefined> =>
    tx.first(
      `select id, type, status, from_user_id, to_user_id, amount, description, metadata,
         exists (select from wallet.reversal where transaction_id = transaction.id) as is_reversed
       from wallet.transaction where id = $1`,
      [id],
    ),
  async insert(tx: Transaction, reversal: Reversal): Promise<void> {
    await tx.insert('wallet.reversal', reversal, ['transactionId', 'counterId', 'short', 'reversedAt']);
  },
};
