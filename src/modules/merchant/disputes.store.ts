import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Dispute } from './disputes.model.ts';

/** Callers must hold the lock of the checkout. */
export const disputeStore = {
  async find(tx: Transaction, id: string): Promise<Dispute | undefined> {
    return tx.first<Dispute>('select id, checkout_id, cents, status from merchant.dispute where id = $1', [
      id,
    ]);
  },

  async save(tx: Transaction, { id, checkoutId, cents, status }: Dispute, at: Date): Promise<void> {
    await tx.execute(
      `insert into merchant.dispute (id, checkout_id, cents, status, opened_at, updated_at)
       values ($1, $2, $3, $4, $5, $5)
       on conflict (id) do update set cents = excluded.cents, status = excluded.status, updated_at = $5`,
      [id, checkoutId, cents, status, at],
    );
  },

  /** Returns the cents of a checkout that are withheld by open disputes or lost to them. */
  async heldCents(tx: Transaction, checkoutId: ObjectId): Promise<number> {
    return tx.count(
      `select coalesce(sum(cents), 0)::bigint from merchant.dispute
       where checkout_id = $1 and status in ('open', 'lost')`,
      [checkoutId],
    );
  },
};
