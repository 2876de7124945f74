import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';

export const purchaseStore = {
  /** Records a purchase under its checkout; fails if the checkout was credited before. */
  async insert(
    tx: Transaction,
    purchase: { checkoutId: ObjectId; transactionId: ObjectId; keys: number },
  ): Promise<void> {
    await tx.insert('wallet.purchase', purchase, ['checkoutId', 'transactionId', 'keys']);
  },
  /** Returns how many Keys a checkout bought and how many were taken back since. Locks the purchase. */
  async lock(tx: Transaction, checkoutId: ObjectId): Promise<{ keys: number; returned: number }> {
    const purchase = await tx.first<{ keys: number; returned: number }>(
      'select keys, returned from wallet.purchase where checkout_id = $1 for update',
      [checkoutId],
    );
    if (!purchase) throw new Error(`no Keys were credited for the checkout ${checkoutId}`);
    return purchase;
  },
  /** Adds to the count of Keys taken back; a negative number is given back. */
  async addReturned(tx: Transaction, checkoutId: ObjectId, keys: number): Promise<void> {
    await tx.execute('update wallet.purchase set returned = returned + $2 where checkout_id = $1', [
      checkoutId,
      keys,
    ]);
  },
};
