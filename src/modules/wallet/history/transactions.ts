import { mapPage, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import { notFound, validationFailed } from '../../../kernel/failures.ts';
import { fromReference, type ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import type { OwnerRules } from '../wallets/owners.ts';
import type { HistoryRow, TransactionFilter } from './transactions.model.ts';
import type { TransactionStore } from './transactions.store.ts';

/** Returns a transaction in the form that its owner sees: with the balances of the owner's side only. */
function viewOf(row: HistoryRow) {
  const { change, balanceBefore, balanceAfter } = row;
  const isSender = change < 0;
  // Written out, because object rest syntax would cost more than everything else here.
  return {
    type: row.type,
    status: row.status,
    fromUserId: row.fromUserId,
    toUserId: row.toUserId,
    amount: row.amount,
    description: row.description,
    metadata: row.metadata,
    createdAt: row.createdAt,
    processedAt: row.processedAt,
    transactionId: transactionIdOf(row.id),
    currency: 'Keys' as const,
    fee: 0,
    netAmount: row.amount,
    fromBalanceBefore: isSender ? balanceBefore : null,
    fromBalanceAfter: isSender ? balanceAfter : null,
    toBalanceBefore: isSender ? null : balanceBefore,
    toBalanceAfter: isSender ? null : balanceAfter,
  };
}

export type TransactionView = ReturnType<typeof viewOf>;

export const transactionNotFound = notFound('Transaction');

export const transactionRules = (
  store: TransactionStore,
  { withoutFormerStaff }: Pick<OwnerRules, 'withoutFormerStaff'>,
) => ({
  /** Returns one of a member's transactions. @throws transactionNotFound, also for another member's */
  async find(userId: ObjectId, transactionId: string): Promise<TransactionView> {
    const id = fromReference('txn', transactionId);
    const row = id === undefined ? undefined : await store.find(userId, id);
    if (!row) throw transactionNotFound();
    return viewOf(only(await withoutFormerStaff([row])));
  },

  /**
   * Returns a member's transactions, newest first. @throws validationFailed when `before` is not one of them
   */
  async pageOf(
    userId: ObjectId,
    filter: TransactionFilter,
    { before: reference, ...request }: PageRequest,
  ): Promise<Page<TransactionView>> {
    const before = reference === undefined ? undefined : fromReference('txn', reference);
    const isUnknown = reference !== undefined && before === undefined;
    const page = isUnknown ? undefined : await store.pageOf(userId, filter, { ...request, before });
    if (!page) throw validationFailed([{ field: 'before', message: 'is not one of your transactions' }]);
    return mapPage({ ...page, items: await withoutFormerStaff(page.items) }, viewOf);
  },
});

export type TransactionRules = ReturnType<typeof transactionRules>;
