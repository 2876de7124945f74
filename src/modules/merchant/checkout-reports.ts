import {
  asUnavailable,
  type CheckoutState,
  CURRENCY,
  type PaymentProvider,
  PaymentRefused,
  type Reversals,
} from '../../external/payment/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { AttemptRules } from './attempts.ts';
import type { Checkout } from './checkouts.model.ts';
import type { CheckoutStore } from './checkouts.store.ts';
import type { ReversalStates } from './reversal-states.ts';

interface CheckoutReportDeps extends Pick<ReversalStates, 'learnAll'> {
  provider: Pick<PaymentProvider, 'checkout' | 'reversalsOf'> | undefined;
  store: Pick<CheckoutStore, 'lockBySession' | 'awaitReversals' | 'endAwaiting'>;
  attempts: Pick<AttemptRules, 'noting'>;
  database: Database;
  clock: Clock;
  applyProviderState: (tx: Transaction, state: CheckoutState) => Promise<boolean>;
  expire: (tx: Transaction, sessionId: string) => Promise<void>;
}

/** Whether a state ends a checkout. An expired or failed one changes only if it is paid after all. */
export const isNews = (checkout: Checkout, { status }: CheckoutState): boolean =>
  status !== 'open' && checkout.status !== 'paid' && (status === 'paid' || checkout.status === 'open');

/** Whether a checkout is paid as ordered; what was paid otherwise brings nothing that could be reversed. */
export const isPaidAsOrdered = (
  { cents }: Pick<Checkout, 'cents'>,
  state: Pick<CheckoutState, 'status' | 'cents' | 'currency'>,
): boolean => state.status === 'paid' && state.cents === cents && state.currency === CURRENCY;

/** The provider's reports of checkouts, together with what was reversed of their payments. */
export function checkoutReports(deps: CheckoutReportDeps) {
  const { provider, store, attempts, database, clock, applyProviderState, expire, learnAll } = deps;

  /** Returns what was refunded or disputed of a payment meanwhile: the webhooks about that may be lost, too. */
  const reversalsOf = async ({ paymentId }: CheckoutState): Promise<Reversals | undefined> =>
    paymentId === null ? undefined : provider?.reversalsOf(paymentId);

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
    /** Queries the provider for the state of a checkout and applies it. */
    async look(checkout: Checkout): Promise<void> {
      const { sessionId, expiresAt } = checkout;
      const state = await provider?.checkout(sessionId);
      if (state) {
        const reversals = isPaidAsOrdered(checkout, state) ? await reversalsOf(state) : undefined;
        await database.transaction(async (tx) => {
          await applyWithReversals(tx, state, reversals);
          if (checkout.isAwaited) await store.endAwaiting(tx, sessionId);
        });
      } else if (
        provider &&
        checkout.isAwaited &&
        checkout.status !== 'open' &&
        checkout.providerStatus === 'paid'
      )
        throw new PaymentRefused('the provider does not know a checkout whose payment it has reported');
      else if (provider && expiresAt.getTime() < clock.now())
        await database.transaction((tx) => expire(tx, sessionId));
    },

    /**
     * Applies a reported state, and in the same transaction what else is reported of its payment. Before a checkout that
     * had ended otherwise is credited, asks what was reversed of the payment; where something `also` is reported, before
     * any is. Until that is known the checkout is due, and failures are counted as those of reconciling: the provider may
     * not report it again. Returns whether anything is news.
     * @throws paymentUnavailable, and nothing is credited
     */
    async applyReport(state: CheckoutState, also?: (tx: Transaction) => Promise<boolean>): Promise<boolean> {
      const apply = async (tx: Transaction, reversals?: Reversals): Promise<boolean> => {
        const isNew = await applyWithReversals(tx, state, reversals);
        return (await also?.(tx)) || isNew;
      };
      const first = await database.transaction(async (tx) => {
        const checkout = await store.lockBySession(tx, state.sessionId);
        const isCredited = checkout && isNews(checkout, state) && isPaidAsOrdered(checkout, state);
        if (!isCredited || (checkout.status === 'open' && !also)) return { isNew: await apply(tx) };
        await store.awaitReversals(tx, checkout.id, clock.date());
        return { awaited: checkout.id };
      });
      if (first.awaited === undefined) return first.isNew;
      let isNew = false;
      const applyAsking = async () => {
        const reversals = await reversalsOf(state);
        isNew = await database.transaction((tx) => apply(tx, reversals));
      };
      await attempts.noting(first.awaited, applyAsking).catch(asUnavailable);
      return isNew;
    },
  };
}
