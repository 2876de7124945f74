import type { Core } from '../../../kernel/core.ts';
import type { Page, PageRequest } from '../../../kernel/database/pagination.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import { type Actor, changesOf } from '../../../kernel/records/audit.ts';
import { answered, type IdempotencyContext } from '../../../kernel/records/idempotency.ts';
import type { CheckoutFacts, CheckoutFilter, Merchant } from '../../merchant/contract.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import { KEYS_PURPOSE, type KeysOrder } from '../purchases/purchases.model.ts';
import { purchaseStore as purchases } from '../purchases/purchases.store.ts';
import type { OwnerRules } from '../wallets/owners.ts';

interface CheckoutDeps extends Pick<Core, 'database' | 'audit'> {
  merchant: Pick<Merchant, 'payments'>;
  owners: OwnerRules;
}

/** Returns the Keys that a checkout is for; null if it is for something else. */
const keysOf = ({ purpose, details }: CheckoutFacts): number | null =>
  purpose === KEYS_PURPOSE ? (details as unknown as KeysOrder).keys : null;

/** Checkouts of the merchant, with the Keys that they bought. */
export function checkoutRules({ merchant: { payments }, owners, database, audit }: CheckoutDeps) {
  async function viewsOf(checkouts: CheckoutFacts[]) {
    const transactions = await purchases.transactionsOf(
      database,
      checkouts.map(({ id }) => id),
    );
    const bought = new Map(transactions.map((one) => [one.checkoutId, transactionIdOf(one.transactionId)]));
    const rows = await owners.ofRows(checkouts);
    return rows.map(({ details: _, cents, refundedCents, sessionId, ...row }, place) => ({
      ...row,
      checkoutSessionId: sessionId,
      keys: keysOf(checkouts[place] as CheckoutFacts),
      usd: cents / 100,
      refundedUsd: refundedCents / 100,
      transactionId: bought.get(row.id) ?? null,
    }));
  }

  const viewOf = async (id: ObjectId) => only(await viewsOf([await payments.checkout(id)]));

  return {
    /** @throws checkoutNotFound */
    find: viewOf,

    /** Returns checkouts, newest first. */
    async pageOf(filter: CheckoutFilter, request: PageRequest) {
      const page = await payments.pageOf(filter, request);
      return { ...page, items: await viewsOf(page.items) } satisfies Page<unknown>;
    },

    /**
     * Queries the payment provider about a checkout, and applies the response: Keys that were paid are credited,
     * once.
     * @throws paymentUnavailable
     */
    async reconcile(
      before: { id: ObjectId; userId: ObjectId; status: string },
      actor: Actor,
      idempotency: IdempotencyContext,
    ) {
      const { id, userId, status } = before;
      await payments.reconcileCheckout(id);
      const checkout = await viewOf(id);
      await database.transaction(async (tx) => {
        const details = { checkoutId: id, transactionId: checkout.transactionId };
        const changes = changesOf({ status }, { status: checkout.status });
        await audit.record(tx, { ...actor, action: 'checkout.reconciled', target: userId, details, changes });
        await answered(tx, { idempotency }, checkout);
      });
      return checkout;
    },
  };
}

export type CheckoutRules = ReturnType<typeof checkoutRules>;
