import type { Queries, Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';

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
  /** Returns the number of Keys that a checkout bought, and of those taken back since. Locks the purchase. */
  async lock(tx: Transaction, checkoutId: ObjectId): Promise<{ keys: number; returned: number }> {
    const purchase = await tx.first<{ keys: number; returned: number }>(
      'select keys, returned from wallet.purchase where checkout_id = $1 for update',
      [checkoutId],
    );
    if (!purchase) throw new Error(`no Keys were credited for the checkout ${checkoutId}`);
    return purchase;
  },
  /** Adds to the number of Keys taken back; a negative number means Keys given back. */
  async addReturned(tx: Transaction, checkoutId: ObjectId, keys: number): Promise<void> {
    await tx.execute('update wallet.purchase set returned = returned + $2 where checkout_id = $1', [
      checkoutId,
      keys,
    ]);
  },
};
