import {
  asUnavailable,
  type CheckoutState,
  type PaymentProvider,
  type Reversals,
} from '../../external/payment/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { Checkout } from './checkouts.model.ts';
import type { CheckoutStore } from './checkouts.store.ts';
import type { ReversalStates } from './reversal-states.ts';

interface CheckoutReportDeps extends Pick<ReversalStates, 'learnAll'> {
  provider: Pick<PaymentProvider, 'reversalsOf'> | undefined;
  store: Pick<CheckoutStore, 'lockBySession'>;
  database: Database;
  applyProviderState: (tx: Transaction, state: CheckoutState) => Promise<boolean>;
}

/** Whether a state ends a checkout. An expired or failed one changes only if it is paid after all. */
export const isNews = (checkout: Checkout, { status }: CheckoutState): boolean =>
  status !== 'open' && checkout.status !== 'paid' && (status === 'paid' || checkout.status === 'open');

/** The provider's reports of checkouts, together with what was reversed of their payments. */
export function checkoutReports(deps: CheckoutReportDeps) {
  const { provider, store, database, applyProviderState, learnAll } = deps;

  /** Returns what was refunded or disputed of a paid checkout meanwhile: the webhooks about that may be lost, too. */
  const reversalsOf = async ({ status, paymentId }: CheckoutState): Promise<Reversals | undefined> =>
    status === 'paid' && paymentId !== null ? provider?.reversalsOf(paymentId) : undefined;

  /** Applies a state with what was reversed of its payment meanwhile. Returns whether the state is news. */
  async function applyWithReversals(
    tx: Transaction,
    state: CheckoutState,
    reversals: Reversals | undefined,
  ): Promise<boolean> {
    const isNew = await applyProviderState(tx, state);
    if (!reversals) return isNew;
    const checkout = await store.lockBySession(tx, state.sessionId);
    if (checkout?.status === 'paid') await learnAll(tx, checkout, reversals);
    return isNew;
  }

  return {
    reversalsOf,
    applyWithReversals,

    /**
     * Applies a reported state in its own transaction. If the checkout had ended otherwise, first asks what was reversed of
     * the payment: nobody looks at that checkout any more. Returns whether the state is news.
     * @throws paymentUnavailable, and nothing is applied
     */
    async applyReport(state: CheckoutState): Promise<boolean> {
      const isNew = await database.transaction(async (tx) => {
        const checkout = await store.lockBySession(tx, state.sessionId);
        const isLate = checkout && checkout.status !== 'open' && isNews(checkout, state);
        return isLate ? undefined : applyProviderState(tx, state);
      });
      if (isNew !== undefined) return isNew;
      const reversals = await reversalsOf(state).catch(asUnavailable);
      return database.transaction((tx) => applyWithReversals(tx, state, reversals));
    },
  };
}
