import type { Core } from '../../../kernel/core.ts';
import { notFound, validationFailed } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Actor } from '../../../kernel/records/audit.ts';
import { type Answering, answered, notIdempotent } from '../../../kernel/records/idempotency.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';
import { lockWithActor } from '../accounts/locking.ts';
import type { UserStore } from '../users/users.store.ts';
import type { Purchase } from './purchases.model.ts';
import type { PurchaseStore } from './purchases.store.ts';

/** How far ahead a purchase may be dated: the recorder's clock may be fast, or the day have begun there. */
const MOST_AHEAD_MS = DAY_MS;

export const purchaseNotFound = notFound('Purchase');

interface PurchaseDeps extends Pick<Core, 'database' | 'audit' | 'clock' | 'newId'> {
  store: PurchaseStore;
  users: Pick<UserStore, 'lock'>;
}

/** Purchases recorded by administrators and services, with entries in the audit log. */
export function purchaseRules({ store, users, database, audit, clock, newId }: PurchaseDeps) {
  return {
    /** Returns the purchases of a user, newest record first. */
    pageOf: store.pageOf,
    /** @throws userNotFound, validationFailed (422) for a date of more than a day ahead */
    async record(
      userId: ObjectId,
      draft: Omit<Purchase, 'id' | 'createdAt'>,
      actor: Actor,
      answering: Answering<Purchase> = { idempotency: notIdempotent },
    ): Promise<Purchase> {
      if (draft.last_purchased_date.getTime() > clock.now() + MOST_AHEAD_MS)
        throw validationFailed([{ field: 'last_purchased_date', message: 'must not be in the future' }]);
      return database.transaction(async (tx) => {
        await lockWithActor(users, tx, { userId, actor: actor.actor });
        const purchase = { ...draft, id: newId(), createdAt: new Date(clock.now()) };
        await store.insert(tx, userId, purchase);
        await audit.record(tx, {
          ...actor,
          action: 'purchase.recorded',
          target: userId,
          details: { ...purchase },
        });
        return answered(tx, answering, purchase);
      });
    },
    /** @throws purchaseNotFound also when it belongs to another user */
    remove: (userId: ObjectId, purchaseId: ObjectId, actor: Actor): Promise<Purchase> =>
      database.transaction(async (tx) => {
        const removed = await store.remove(tx, userId, purchaseId);
        if (!removed) throw purchaseNotFound();
        await audit.record(tx, {
          ...actor,
          action: 'purchase.removed',
          target: userId,
          details: { ...removed },
        });
        return removed;
      }),
  };
}

export type PurchaseRules = ReturnType<typeof purchaseRules>;
