import type { Core } from '../../../kernel/core.ts';
import type { Page, PageRequest } from '../../../kernel/database/pagination.ts';
import { validationFailed } from '../../../kernel/failures.ts';
import { fromReference } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import { type Actor, changesOf } from '../../../kernel/records/audit.ts';
import { answered, type IdempotencyContext } from '../../../kernel/records/idempotency.ts';
import type { Merchant, PayoutFacts } from '../../merchant/contract.ts';
import type { Owner, OwnerRules } from '../wallets/owners.ts';
import type { Withdrawal, WithdrawalFilter } from './withdrawals.model.ts';
import type { WithdrawalStore } from './withdrawals.store.ts';
import { viewOf, type WithdrawalView, withdrawalNotPending } from './withdrawals.ts';

type PaidOut = WithdrawalView &
  Pick<PayoutFacts, 'providerId' | 'attempts' | 'lastError'> & { owner: Owner | null };

interface FollowUpDeps extends Pick<Core, 'database' | 'audit'> {
  store: WithdrawalStore;
  merchant: Pick<Merchant, 'payments'>;
  owners: Pick<OwnerRules, 'ofRows'>;
}

/** The state of the payouts of withdrawals, for administrators. */
export function followUpRules({ store, merchant, owners, database, audit }: FollowUpDeps) {
  /** Adds to each withdrawal its owner and the state of its payout, by one query each. */
  async function paidOut(withdrawals: Withdrawal[]): Promise<PaidOut[]> {
    const payouts = await merchant.payments.payoutsOf(withdrawals.map(({ id }) => id));
    const known = new Map(payouts.map((payout) => [payout.reference, payout]));
    return owners.ofRows(
      withdrawals.map((withdrawal) => {
        const { providerId = null, attempts = 0, lastError = null } = known.get(withdrawal.id) ?? {};
        return { ...viewOf(withdrawal), providerId, attempts, lastError };
      }),
    );
  }

  return {
    /** Returns withdrawals with their payouts, newest first, and on request the sums of all that match. */
    async listed(
      filter: WithdrawalFilter,
      { before: reference, ...request }: PageRequest,
      { summary = false }: { summary?: boolean | undefined },
    ): Promise<Page<PaidOut>> {
      const before = reference === undefined ? undefined : fromReference('txn', reference);
      if (reference !== undefined && before === undefined)
        throw validationFailed([{ field: 'before', message: 'is not a withdrawal' }]);
      const [page, sums] = await Promise.all([
        store.pageOf(filter, { ...request, before }),
        summary ? store.summaryOf(filter) : undefined,
      ]);
      return { ...page, items: await paidOut(page.items), summary: sums };
    },

    /**
     * Queries the payment provider about a pending withdrawal immediately, and returns the resulting withdrawal.
     * @throws withdrawalNotPending, paymentUnavailable, payoutUnknown
     */
    async retry(
      { id, status, userId }: Withdrawal,
      actor: Actor,
      idempotency: IdempotencyContext,
    ): Promise<PaidOut> {
      if (status !== 'pending') throw withdrawalNotPending();
      await merchant.payments.retryPayout(id);
      return database.transaction(async (tx) => {
        const now = only(await paidOut([(await store.find(id, tx)) as Withdrawal]));
        const details = { transactionId: now.transactionId, status: now.status };
        const changes = changesOf({ status }, { status: now.status });
        await audit.record(tx, { ...actor, action: 'withdrawal.retried', target: userId, changes, details });
        return answered(tx, { idempotency }, now);
      });
    },
  };
}

export type FollowUpRules = ReturnType<typeof followUpRules>;
