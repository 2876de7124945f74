import type { Page, PageRequest } from '../../../kernel/database/pagination.ts';
import { validationFailed } from '../../../kernel/failures.ts';
import { fromReference, type ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import type { Merchant } from '../../merchant/contract.ts';
import { transactionNotFound } from '../history/transactions.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import type { OwnerRules } from '../wallets/owners.ts';
import type { AllTransactionsFilter, RecordedTransaction, WalletChange } from './all-transactions.model.ts';
import type { AllTransactionsStore } from './all-transactions.store.ts';

interface AllTransactionsDeps {
  store: AllTransactionsStore;
  merchant: Pick<Merchant, 'payments'>;
  owners: Pick<OwnerRules, 'lookup' | 'withoutFormerStaff'>;
}

/** Returns the checkout that a transaction names. */
function sessionOf({ type, metadata }: RecordedTransaction): string | undefined {
  const { checkoutSessionId: session } = metadata;
  return type !== 'transfer' && typeof session === 'string' ? session : undefined;
}

/** Returns the payout of a withdrawal, or of the withdrawal whose Keys a refund returns. */
function payoutOf({ id, type, metadata }: RecordedTransaction): string | undefined {
  if (type === 'withdrawal') return id;
  const { withdrawalId } = metadata;
  return type === 'refund' && typeof withdrawalId === 'string'
    ? fromReference('txn', withdrawalId)
    : undefined;
}

const unknownCursor = () =>
  validationFailed([{ field: 'before', message: 'is not one of these transactions' }]);

/** All transactions, as administrators see them: with both sides, and the payments outside. */
export function allTransactionsRules({ store, merchant: { payments }, owners }: AllTransactionsDeps) {
  async function viewsOf(recorded: RecordedTransaction[]) {
    const transactions = await owners.withoutFormerStaff(recorded);
    const [checkouts, payouts, ownerOf] = await Promise.all([
      payments.checkoutsOf([...new Set(transactions.flatMap((one) => sessionOf(one) ?? []))]),
      payments.payoutsOf([...new Set(transactions.flatMap((one) => payoutOf(one) ?? []))]),
      owners.lookup(
        transactions
          .flatMap(({ fromUserId, toUserId }) => [fromUserId, toUserId])
          .filter((id) => id !== null),
      ),
    ]);
    const ofSession = new Map(checkouts.map((checkout) => [checkout.sessionId, checkout]));
    const ofReference = new Map(payouts.map((payout) => [payout.reference, payout]));
    const sideOf = (userId: ObjectId, { balanceBefore, balanceAfter }: WalletChange) => ({
      userId,
      owner: ownerOf(userId),
      balanceBefore,
      balanceAfter,
    });
    return transactions.map((transaction) => {
      const { id, fromChange, toChange, ...record } = transaction;
      const { fromUserId, toUserId } = record;
      const sides = [
        ...(fromUserId !== null && fromChange ? [[fromUserId, fromChange] as const] : []),
        ...(toUserId !== null && toChange ? [[toUserId, toChange] as const] : []),
      ];
      const lost = sides.find(([, { change }]) => change < 0);
      const got = sides.find(([, { change }]) => change > 0);
      const checkout = ofSession.get(sessionOf(transaction) ?? '');
      const payout = ofReference.get(payoutOf(transaction) ?? '');
      return {
        ...record,
        _id: id,
        transactionId: transactionIdOf(id),
        currency: 'Keys' as const,
        from: lost ? sideOf(...lost) : null,
        to: got ? sideOf(...got) : null,
        checkout: checkout ? { ...checkout, providerId: checkout.sessionId } : null,
        payout: payout ?? null,
      };
    });
  }

  return {
    /** @throws transactionNotFound */
    async find(transactionId: string) {
      const id = fromReference('txn', transactionId);
      const transaction = id === undefined ? undefined : await store.find(id);
      if (!transaction) throw transactionNotFound();
      return only(await viewsOf([transaction]));
    },

    /**
     * Returns transactions, newest first, and on request the sums of all that match.
     * @throws validationFailed if `before` is not a transaction of the member whose are listed
     */
    async pageOf(
      filter: AllTransactionsFilter,
      { before: reference, ...request }: PageRequest,
      { summary = false }: { summary?: boolean | undefined },
    ) {
      const before = reference === undefined ? undefined : fromReference('txn', reference);
      if (reference !== undefined && before === undefined) throw unknownCursor();
      const [page, sums] = await Promise.all([
        store.pageOf(filter, { ...request, before }),
        summary ? store.summaryOf(filter) : undefined,
      ]);
      if (!page) throw unknownCursor();
      return { ...page, items: await viewsOf(page.items), summary: sums } satisfies Page<unknown>;
    },
  };
}

export type AllTransactionsRules = ReturnType<typeof allTransactionsRules>;
