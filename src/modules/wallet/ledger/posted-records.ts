import type { PostedTransaction } from './drafts.ts';
import { type TransactionRecord, transactionIdOf } from './transactions.model.ts';

/**
 * Returns a completed transaction as administrators see it, with the balances of both members; those of a side that is
 * no member are null.
 */
export const recordOf = (
  { type, status, fromUserId, toUserId, amount, description, metadata }: Omit<TransactionRecord, 'id'>,
  { id, at, from, to }: PostedTransaction,
) => ({
  _id: id,
  transactionId: transactionIdOf(id),
  fromUserId,
  toUserId,
  amount,
  currency: 'Keys' as const,
  type,
  status,
  description,
  metadata,
  fee: 0,
  netAmount: amount,
  fromBalanceBefore: fromUserId === null ? null : from.balanceBefore,
  fromBalanceAfter: fromUserId === null ? null : from.balanceAfter,
  toBalanceBefore: toUserId === null ? null : to.balanceBefore,
  toBalanceAfter: toUserId === null ? null : to.balanceAfter,
  createdAt: at,
  processedAt: at,
});
