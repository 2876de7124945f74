import type { Queries, Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';

/** Keys that a checkout bought. */
export interface Purchase {
  keys: number;
  /** Of these, how many were taken back since. */
  returned: number;
  /** How many should have been taken back, and were missing: operators decide about them. */
  short: number;
}

export const purchaseStore = {
  /** Returns the transactions that credited these checkouts, in no particular order. */
  transactionsOf: (
    queries: Queries,
    checkoutIds: ObjectId[],
  ): Promise<{ checkoutId: ObjectId; transactionId: ObjectId }[]> =>
    queries.all('select checkout_id, transaction_id from wallet.purchase where checkout_id = any($1)', [
      checkoutIds,
    ]),

  /** Records a purchase under its checkout; fails if the checkout was already credited. */
  async insert(
    tx: Transaction,
    purchase: { checkoutId: ObjectId; transactionId: ObjectId; keys: number },
  ): Promise<void> {
    await tx.insert('wallet.purchase', purchase, ['checkoutId', 'transactionId', 'keys']);
  },
  /** Returns the purchase of a checkout, and locks it. */
  async lock(tx: Transaction, checkoutId: ObjectId): Promise<Purchase> {
    const purchase = await tx.first<Purchase>(
      'select keys, returned, short from wallet.purchase where checkout_id = $1 for update',
      [checkoutId],
    );
    if (!purchase) throw new Error(`no Keys were credited for the checkout ${checkoutId}`);
    return purchase;
  },
  /** Adds to the Keys that were taken back, and to those that were missing; negative numbers take from them. */
  async add(
    tx: Transaction,
    checkoutId: ObjectId,
    { returned, short }: Pick<Purchase, 'returned' | 'short'>,
  ): Promise<void> {
    await tx.execute(
      'update wallet.purchase set returned = returned + $2, short = short + $3 where checkout_id = $1',
      [checkoutId, returned, short],
    );
  },
};
